// Real runs for the viewer's tests: scripted models whose answers, labels and names are hostile, a built client, and Chromium.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sparticuz from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { evaluate } from '../../src/app/evaluate.ts';
import { openLibrary, type RunLibrary } from '../../src/app/view/open-library.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import { defineTask } from '../../src/tasks/define-task.ts';
import { startViewer, type Viewer } from '../../src/web/server/start-viewer.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Texts that run, break out, or hide where a page is careless. */
export const hostileTexts = [
  '<script>window.__x=1</script>',
  '<img src=x onerror="window.__x=1">',
  '</script><script>window.__x=1</script>',
  '"><svg onload=window.__x=1>',
  "'-window.__x=1-'",
  '<a href="javascript:window.__x=1">x</a>',
  '{{constructor.constructor("window.__x=1")()}}',
  '<!--<script>window.__x=1</script>-->',
  '\u202egnp.exe',
  '\u001b[2Jcleared\u0007',
  'Is 1<2?',
  '\ud83d\ude00 na\u00efve \u4f60\u597d',
] as const;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Gone when the tests end. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `slmbench-viewer-${name}-`));
  folders.push(folder);
  return folder;
}

function scriptFile(
  folder: string,
  name: string,
  answers: readonly { readonly id: string; readonly text: string }[],
  latencyMs: number,
): string {
  const path = join(folder, `${name}.json`);
  writeFileSync(
    path,
    JSON.stringify({
      name,
      defaults: { latencyMs, ttftMs: latencyMs / 2 },
      rules: answers.map(({ id, text }) => ({ contains: `#${id}#`, text })),
    }),
  );
  return path;
}

export const labels = ['negative', 'positive'] as const;

function classifyTask(name: string) {
  return defineTask({
    name,
    title: `Sentiment <b>${name}</b>`,
    description: 'A test task.',
    type: 'classification',
    dataset: { name: './rows.jsonl', split: 'all' },
    kind: 'generate',
    prompt: '#{{ n }}# {{ text }}',
    target: '{{ label }}',
    labels: [...labels],
    category: 'topic',
    parser: { kind: 'label' },
    metrics: ['accuracy', 'f1'],
    primaryMetric: 'accuracy',
  } as unknown as Parameters<typeof defineTask>[0]);
}

export interface MadeRun {
  readonly id: string;
  readonly folder: string;
}

export interface MakeRunOptions {
  readonly runsFolder: string;
  readonly samples: number;
  readonly taskName?: string;
  readonly models?: readonly string[];
  readonly latencyMs?: number;
  readonly signal?: AbortSignal;
  /** Requests at a time; few make a run last. */
  readonly concurrency?: number;
}

/** Runs scripted models through the real evaluation: the first model is right more often; some answers are hostile. */
export async function makeRun(options: MakeRunOptions): Promise<MadeRun> {
  const { samples, runsFolder, taskName = 'reviews', models = ['alpha', 'beta'], latencyMs = 0 } = options;
  const scripts = temporaryFolder('scripts');
  const rows = Array.from({ length: samples }, (_, n) => ({
    n: String(n),
    text: hostileTexts[n % hostileTexts.length]!,
    label: labels[n % 2]!,
    topic: n % 3 === 0 ? '<i>films</i>' : 'books',
  }));
  const references = models.map(
    (model, at) =>
      `scripted:${scriptFile(
        scripts,
        model,
        rows.map((row, n) => ({
          id: row.n,
          text:
            n % 7 === 5
              ? `${hostileTexts[n % hostileTexts.length]} and nothing else`
              : n % (at + 2) === 0
                ? labels[(n + 1) % 2]!
                : row.label,
        })),
        latencyMs,
      )}`,
  );
  const { record, folder } = await evaluate({
    models: references,
    tasks: [{ definition: classifyTask(taskName), rows }],
    runsFolder,
    settings: { profile: false, ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }) },
    offline: true,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  return { id: record.id, folder };
}

/** Builds the client into a folder of its own, so that tests neither need nor disturb dist/. */
export function buildClient(): string {
  const out = join(temporaryFolder('client'), 'client');
  const built = spawnSync(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', join(root, 'src/web/client/vite.config.ts'), '--logLevel', 'error'],
    { cwd: root, env: { ...process.env, NODE_ENV: 'production', SLMBENCH_CLIENT_OUT: out }, encoding: 'utf8' },
  );
  if (built.status !== 0) throw new Error(`the client was not built: ${built.stderr}`);
  return out;
}

export async function openTestLibrary(runsFolder: string, trainingRoots: readonly string[] = []): Promise<RunLibrary> {
  return openLibrary(await openWorkspace({ output: runsFolder, offline: true }), trainingRoots);
}

export async function startTestViewer(runsFolder: string, clientFolder: string, trainingRoots: readonly string[] = []): Promise<Viewer> {
  return startViewer({ library: await openTestLibrary(runsFolder, trainingRoots), port: 0, clientFolder });
}

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['SLMBENCH_CHROMIUM'] ?? (await sparticuz.executablePath()),
    headless: true,
    args: ['--no-sandbox', '--disable-gpu'],
  });
}

export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors, uncaught exceptions and blocked loads since the page was opened. */
  readonly problems: string[];
  /** Requests that left the viewer. */
  readonly foreign: string[];
}

export async function openPage(browser: Browser, origin: string, options: Parameters<Browser['newContext']>[0] = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) foreign.push(request.url());
  });
  return { page, context, problems, foreign };
}

const patienceMs = 20_000;

/** Waits until an expression holds; asked from outside, since the page's policy rightly forbids what waitForFunction does inside. */
export async function until(page: Page, expression: string): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await page.evaluate(expression))) {
    if (performance.now() > deadline) throw new Error(`never true: ${expression}`);
    await page.waitForTimeout(40);
  }
}
