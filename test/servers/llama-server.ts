// A real llama-server serving SmolLM2 for tests: SLMBENCH_TEST_LLAMA_SERVER, or the one that scripts/build-llama-server.mjs made.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveModel } from '../../src/backends/resolve-model.ts';
import { cacheRoot } from '../../src/sources/cache-root.ts';

/** Path of the program, or null. SLMBENCH_TEST_SERVERS=build makes it when it is not there (four minutes). */
export function findLlamaServer(): string | null {
  const named = process.env['SLMBENCH_TEST_LLAMA_SERVER'];
  if (named) return named;
  const script = join(import.meta.dirname, '../../scripts/build-llama-server.mjs');
  const args = process.env['SLMBENCH_TEST_SERVERS'] === 'build' ? [script] : [script, '--if-cached'];
  try {
    const path = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim();
    return path !== '' && existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

export interface RunningServer {
  readonly url: string;
  readonly port: number;
  readonly model: string;
  readonly pid: number;
  readonly stop: () => Promise<void>;
}

export async function startLlamaServer(program: string, more: readonly string[] = [], wantedPort?: number): Promise<RunningServer> {
  const { path } = await resolveModel('smollm2-135m', { cacheDirectory: cacheRoot(), offline: false });
  const port = wantedPort ?? (await freePort());
  const args = [
    '-m',
    path!,
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '-t',
    '1',
    '-tb',
    '1',
    '-c',
    '4096',
    '-np',
    '2',
    '--metrics',
    ...more,
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const url = `http://127.0.0.1:${port}`;
  await healthy(url, child);
  return { url, port, model: basename(path!), pid: child.pid!, stop: () => stop(child) };
}

async function healthy(url: string, child: ChildProcess): Promise<void> {
  let log = '';
  child.stderr?.on('data', (block) => {
    log = (log + String(block)).slice(-4000);
  });
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs += 100) {
    if (child.exitCode !== null) throw new Error(`llama-server ended with ${child.exitCode}: ${log}`);
    const ok = await fetch(`${url}/health`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (ok) return;
    await sleep(100);
  }
  throw new Error(`llama-server did not start: ${log}`);
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 3000).unref();
  });
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number };
      server.close(() => resolve(port));
    });
  });
}
