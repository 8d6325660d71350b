// Loads the HTML report when it is wanted: React and its parts cost time that other commands need not pay.
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { renderHtml } from '../report/html/render-html.ts';

const clientPath = fileURLToPath(new URL('../../dist/report/html/report-client.bundle.js', import.meta.url));

/** Node runs TypeScript sources but knows no JSX; the built package is plain JavaScript and needs none of this. */
async function allowJsxSources(): Promise<void> {
  if (!import.meta.url.endsWith('.ts') || process.env['VITEST'] !== undefined) return;
  const { default: typescript } = await import('typescript');
  registerHooks({
    load: (url, context, nextLoad) => {
      if (!url.endsWith('.tsx')) return nextLoad(url, context);
      const { source } = nextLoad(url, { ...context, format: 'module' });
      const options = { jsx: typescript.JsxEmit.ReactJSX, module: typescript.ModuleKind.ESNext, target: typescript.ScriptTarget.ES2022 };
      const text = typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8');
      return { format: 'module', shortCircuit: true, source: typescript.transpile(text, options) };
    },
  });
}

let loading: Promise<typeof renderHtml> | undefined;

export function loadHtmlReport(): Promise<typeof renderHtml> {
  loading ??= allowJsxSources().then(async () => (await import('../report/html/render-html.ts')).renderHtml);
  return loading;
}

/** The page's script as the build made it; null in a tree that was never built: the page is then static, and complete. */
export async function readReportClient(): Promise<string | null> {
  try {
    return await readFile(clientPath, 'utf8');
  } catch {
    return null;
  }
}
