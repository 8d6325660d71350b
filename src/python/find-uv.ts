// The installer: uv on PATH, else one that pip puts into the cache from a hashed requirements file.
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../core/errors.ts';
import { runCommand } from './run-command.ts';
import { readRequirements, workerFile } from './worker-files.ts';

/** Older versions lack options that are used here. */
const oldestMinor = 5;

/**
 * Path or name of a usable uv.
 * @throws ToolError `unavailable` when there is none and pip cannot install it
 */
export async function findUv(
  python: string,
  cacheDirectory: string,
  options: { readonly signal?: AbortSignal | undefined; readonly onNote?: ((text: string) => void) | undefined } = {},
): Promise<string> {
  const { stdout, code } = await runCommand('uv', ['--version'], { timeoutMs: 10_000 }).catch(() => ({ stdout: '', code: null }));
  const version = /^uv (\d+)\.(\d+)/u.exec(stdout);
  if (code === 0 && version !== null && (Number(version[1]) > 0 || Number(version[2]) >= oldestMinor)) return 'uv';
  const { file, digest } = await readRequirements('cpu', workerFile('requirements.uv.txt'));
  const folder = join(cacheDirectory, 'python', `uv-${digest.slice(0, 16)}`);
  const program = join(folder, 'bin', process.platform === 'win32' ? 'uv.exe' : 'uv');
  if (await exists(program)) return program;
  options.onNote?.('installing uv with pip');
  await mkdir(join(cacheDirectory, 'python'), { recursive: true });
  const temporary = await mkdtemp(`${folder}.part-`);
  try {
    const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--require-hashes', '--target', temporary, '-r', file];
    const result = await runCommand(python, args, { signal: options.signal });
    if (result.code !== 0) throw pipError(result.stderr || result.stdout);
    await rename(temporary, folder).catch(async (thrown: unknown) => {
      if (!(await exists(program))) throw thrown;
    });
    return program;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

function pipError(output: string): ToolError {
  const last = output.trim().split('\n').slice(-3).join(' | ');
  return new ToolError('unavailable', `pip could not install uv: ${last}`, {
    hint: 'put uv on PATH (it is one file), or give this Python pip and a package index',
  });
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
