// Asks the user's own pip (or uv's) for a wheel: nothing is installed, nothing in it is run.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import { createProgressMeter } from '../progress-meter.ts';
import { environmentOf, type SourceContext } from '../source-context.ts';
import type { WheelReference } from '../source-reference.ts';

/** Tried in order; the first that starts is used. */
const clients: readonly (readonly string[])[] = [
  ['python3', '-m', 'pip'],
  ['pip3'],
  ['pip'],
  ['python', '-m', 'pip'],
  ['uv', 'tool', 'run', 'pip'],
];

const pollMs = 200;

interface ClientResult {
  readonly code: number;
  readonly text: string;
}

/**
 * Downloads one wheel into `folder` and returns its path.
 * @throws ToolError `unavailable` when there is no pip or the index has no such wheel or does not answer
 */
export async function downloadWheel(reference: WheelReference, folder: string, context: SourceContext): Promise<string> {
  await mkdir(folder, { recursive: true });
  // The client's own temporary files lie in the same folder: their size is the progress, and one rename ends it.
  const staging = await mkdtemp(join(folder, '.staging-'));
  try {
    const name = `${reference.package}==${reference.version}`;
    const target = join(staging, 'done');
    const options = [
      'download',
      '--no-deps',
      '--only-binary=:all:',
      '--no-input',
      '--disable-pip-version-check',
      '--progress-bar=off',
      '--dest',
      target,
    ];
    let result = await runClient([...options, '--timeout', '3', '--retries', '0', name], staging, name, context);
    // A host that answered but stalled deserves patience; one that never answered does not.
    if (result.code !== 0 && /Downloading/.test(result.text)) {
      result = await runClient([...options, '--timeout', '30', '--retries', '3', name], staging, name, context);
    }
    if (result.code !== 0)
      throw new ToolError('unavailable', `pip could not download ${name}: ${lastError(result.text)}`, { isRetryable: true });
    const wheel = (await readdir(target)).find((file) => file.endsWith('.whl'));
    if (wheel === undefined) throw new ToolError('unavailable', `pip downloaded no wheel for ${name}`);
    const final = join(folder, wheel);
    await rename(join(target, wheel), final);
    return final;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function runClient(options: readonly string[], staging: string, name: string, context: SourceContext): Promise<ClientResult> {
  for (const [program, ...prefix] of clients) {
    const result = await runProgram(program!, [...prefix, ...options], staging, name, context);
    const hasNoPip = result !== undefined && result.code !== 0 && /No module named pip|pyenv: .*command not found/.test(result.text);
    if (result !== undefined && !hasNoPip) return result;
  }
  throw new ToolError('unavailable', 'neither pip nor uv was found', { hint: 'install Python with pip, or uv, or use another source' });
}

/** Undefined when the program does not exist. */
async function runProgram(program: string, options: readonly string[], staging: string, name: string, context: SourceContext) {
  const meter = createProgressMeter(name, `pypi:${name}`, context);
  const child = spawn(program, options, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environmentOf(context), TMPDIR: staging, TEMP: staging, TMP: staging, PYTHONUNBUFFERED: '1' } as NodeJS.ProcessEnv,
  });
  let text = '';
  const read = (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-20_000);
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  const stop = () => child.kill('SIGTERM');
  context.signal?.addEventListener('abort', stop, { once: true });
  // The client may hold a second copy for a moment: no more than the announced size is shown, and the end only when it is the end.
  const report = (bytes: number) => {
    const total = announcedBytes(text);
    meter.report(total === null ? bytes : Math.min(bytes, total - 1), total);
  };
  const timer = setInterval(() => void folderBytes(staging).then(report), pollMs);
  try {
    const code = await new Promise<number | undefined>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? resolve(undefined) : reject(error)));
      child.once('close', (status) => resolve(status ?? 1));
    });
    if (context.signal?.aborted) throw new ToolError('interrupted', `stopped while fetching ${name}`);
    if (code === 0) meter.finish(await folderBytes(staging));
    return code === undefined ? undefined : { code, text };
  } finally {
    clearInterval(timer);
    context.signal?.removeEventListener('abort', stop);
  }
}

/** pip says `Downloading name.whl (92.9 MB)`; it is rounded, so it is used for progress only. */
function announcedBytes(text: string): number | null {
  const match = /Downloading .*\(([\d.]+) (kB|MB|GB)\)/.exec(text);
  if (match === null) return null;
  return Math.round(Number(match[1]) * { kB: 1e3, MB: 1e6, GB: 1e9 }[match[2] as 'kB' | 'MB' | 'GB']);
}

async function folderBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (facts) => (facts.isFile() ? facts.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function lastError(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const errors = lines.filter((line) => line.startsWith('ERROR:'));
  return (errors.at(-1) ?? lines.filter((line) => line !== '').at(-1) ?? 'no message').replace(/^ERROR: /, '').slice(0, 300);
}
