// Makes the Python environment of the worker: under a temporary name, complete before it gets its own, one per requirements file.
import { mkdir, mkdtemp, readdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../core/errors.ts';
import type { PythonInterpreter } from './find-python.ts';
import { runCommand } from './run-command.ts';
import type { Requirements } from './worker-files.ts';

export interface InstallProgress {
  readonly kind: 'note' | 'step';
  readonly message: string;
  /** Bytes that the unfinished environment takes so far, and is expected to take. */
  readonly doneBytes?: number | undefined;
  readonly totalBytes?: number | undefined;
}

export interface InstallOptions {
  readonly uv: string;
  readonly python: PythonInterpreter;
  readonly requirements: Requirements;
  readonly cacheDirectory: string;
  readonly offline?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: InstallProgress) => void) | undefined;
}

/** Folder of a finished environment: named by the requirements file and Python's minor version. */
export function environmentFolder(cacheDirectory: string, requirements: Requirements, python: PythonInterpreter): string {
  const [major, minor] = python.version.split('.');
  return join(cacheDirectory, 'python', `${requirements.variant}-${requirements.digest.slice(0, 16)}-py${major}${minor}`);
}

export function pythonIn(folder: string): string {
  return process.platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}

const markerFile = 'slmbench-environment.json';

/** True where the folder holds an environment that was finished and whose Python still starts. */
export async function isComplete(folder: string): Promise<boolean> {
  const marker = await readFile(join(folder, markerFile), 'utf8').catch(() => null);
  if (marker === null) return false;
  const { code } = await runCommand(pythonIn(folder), ['-I', '-c', '0'], { timeoutMs: 20_000 }).catch(() => ({ code: null }));
  return code === 0;
}

/**
 * Installs and checks the packages, then renames. Must run under the install lock.
 * @throws ToolError `storage` (no room), `unavailable` (a package cannot be fetched), `integrity` (a hash differs, imports fail)
 */
export async function installEnvironment(options: InstallOptions): Promise<string> {
  const { uv, python, requirements, cacheDirectory, signal, onProgress } = options;
  const folder = environmentFolder(cacheDirectory, requirements, python);
  await mkdir(dirname(folder), { recursive: true });
  await removeLeftovers(folder);
  await assertRoom(dirname(folder), requirements.diskBytes);
  const temporary = await mkdtemp(`${folder}.part-`);
  const environment = {
    UV_PYTHON_DOWNLOADS: 'never',
    UV_NO_PROGRESS: '1',
    VIRTUAL_ENV: undefined,
    ...(options.offline ? { UV_OFFLINE: '1' } : {}),
  };
  try {
    onProgress?.({ kind: 'step', message: `making a Python ${python.version} environment` });
    const made = await runCommand(uv, ['venv', '--quiet', '--allow-existing', '--relocatable', '--python', python.executable, temporary], {
      environment,
      signal,
    });
    if (made.code !== 0) throw uvError('make the environment', made.stderr);
    onProgress?.({ kind: 'step', message: `installing ${requirements.variant} packages, about ${gigabytes(requirements.diskBytes)}` });
    await sync(options, temporary, environment);
    onProgress?.({ kind: 'step', message: 'checking the environment' });
    const packages = await importPackages(temporary, signal);
    await writeFile(
      join(temporary, markerFile),
      `${JSON.stringify({ requirements: requirements.digest, python: python.version, packages }, null, 2)}\n`,
    );
    await rm(folder, { recursive: true, force: true });
    await rename(temporary, folder);
    return folder;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function sync(options: InstallOptions, folder: string, environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const { uv, requirements, signal, onProgress } = options;
  const startFree = await freeBytes(folder);
  const timer = setInterval(async () => {
    const free = await freeBytes(folder).catch(() => null);
    if (free === null || startFree === null) return;
    onProgress?.({
      kind: 'step',
      message: 'installing packages',
      doneBytes: Math.max(0, startFree - free),
      totalBytes: requirements.diskBytes,
    });
  }, 2000);
  timer.unref();
  try {
    const args = ['pip', 'sync', '--require-hashes', '--compile-bytecode', '--python', pythonIn(folder), requirements.file];
    const onErrorLine = (line: string) => {
      if (/^(Resolved|Prepared|Installed|Bytecode compiled|Downloaded)/u.test(line.trim()))
        onProgress?.({ kind: 'note', message: line.trim() });
    };
    const result = await runCommand(uv, args, { environment, signal, onErrorLine });
    if (result.code !== 0) throw uvError('install the packages', result.stderr);
  } finally {
    clearInterval(timer);
  }
}

const importScript = `
import json, importlib.metadata as m
import torch, transformers, peft, accelerate, safetensors, gguf
print(json.dumps({n: m.version(n) for n in ("torch", "transformers", "peft", "accelerate", "safetensors", "gguf")}))
`;

async function importPackages(folder: string, signal: AbortSignal | undefined): Promise<unknown> {
  const { code, stdout, stderr } = await runCommand(pythonIn(folder), ['-I', '-c', importScript], {
    signal,
    environment: { HF_HUB_OFFLINE: '1' },
  });
  if (code !== 0) {
    throw new ToolError('integrity', `the packages were installed but cannot be loaded: ${lastLines(stderr)}`, {
      hint: 'SLMBENCH_TORCH=cuda installs every package of the torch build',
    });
  }
  return JSON.parse(stdout.trim().split('\n').at(-1)!);
}

/** Environments that a killed install left half-made. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(dirname(folder));
  for (const name of names.filter((other) => other.startsWith(`${basename(folder)}.part-`))) {
    await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

async function freeBytes(folder: string): Promise<number | null> {
  const facts = await statfs(folder).catch(() => null);
  return facts === null ? null : facts.bavail * facts.bsize;
}

/** @throws ToolError `storage` */
export async function assertRoom(folder: string, neededBytes: number): Promise<void> {
  const free = await freeBytes(folder);
  if (free === null || free >= neededBytes) return;
  throw new ToolError('storage', `the training environment needs about ${gigabytes(neededBytes)}; ${folder} has ${gigabytes(free)} free`, {
    hint: 'free space, or set SLMBENCH_CACHE to a folder on another disk',
  });
}

export function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-4).join(' | ').slice(-600);
}

function uvError(what: string, stderr: string): ToolError {
  const detail = lastLines(stderr);
  if (/No space left|os error 28|ENOSPC/iu.test(stderr)) {
    return new ToolError('storage', `cannot ${what}: the disk is full`, {
      hint: 'free space, or set SLMBENCH_CACHE to a folder on another disk',
    });
  }
  if (/hash mismatch/iu.test(stderr)) {
    return new ToolError('integrity', `cannot ${what}: a package is not the pinned one: ${detail}`, {
      hint: 'the package index serves other files',
    });
  }
  return new ToolError('unavailable', `cannot ${what}: ${detail}`, {
    hint: 'is a package index reachable? UV_INDEX_URL names another one',
    isRetryable: true,
  });
}
