// Opens the sandbox of a language; its interpreter is loaded only then.
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import type { CodeLanguage, CodeRunner } from '../core/ports/code-runner.ts';

const openers: Readonly<Record<CodeLanguage, () => Promise<CodeRunner>>> = {
  python: async () => (await import('./python/python-runner.ts')).createPythonRunner(),
  javascript: async () => (await import('./javascript/javascript-runner.ts')).createJavascriptRunner(),
};

export const codeLanguages = Object.keys(openers) as readonly CodeLanguage[];

/** A sandboxed runner; programs run one after another, `close` ends its process. */
export async function openCodeRunner(language: CodeLanguage): Promise<CodeRunner> {
  const open = (openers as Readonly<Record<string, (() => Promise<CodeRunner>) | undefined>>)[language];
  if (open === undefined)
    throw new ToolError('unsupported', `no sandbox runs "${language}"`, { hint: suggestName(language, codeLanguages) });
  return open();
}
