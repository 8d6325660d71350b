// Runs the built CLI as a user does: own process, own folder, own cache.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/slmbench.js', import.meta.url));
const built = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** A fresh folder whose name has a space and a non-ASCII letter. */
export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'slmbench prüf-'));
}

export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  if (!existsSync(built)) throw new Error('dist/ is missing: run npm run build first');
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: options.cwd,
      env: { ...process.env, NO_COLOR: '1', SLMBENCH_CACHE: join(options.cwd, 'cache'), COLUMNS: '200', ...options.env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(options.input ?? '');
  });
}
