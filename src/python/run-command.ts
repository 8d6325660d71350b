// Runs a short-lived program to its end and keeps what it wrote.
import { spawn } from 'node:child_process';
import { ToolError } from '../core/errors.ts';

export interface CommandResult {
  /** Exit code; null where a signal ended it or it could not be started. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Why it could not be started (`ENOENT`...). */
  readonly startError?: string | undefined;
}

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** Hears each line of stderr as it comes. */
  readonly onErrorLine?: ((line: string) => void) | undefined;
}

const keptCharacters = 64_000;

/**
 * Resolves also for programs that fail or do not exist.
 * @throws ToolError `interrupted` or `timeout`; the program is ended then
 */
export function runCommand(program: string, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { signal, timeoutMs } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new ToolError('interrupted', `stopped before ${program} was started`));
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...options.environment },
      windowsHide: true,
    });
    let stdout = '';
    let stderr = '';
    let failure: ToolError | undefined;
    let line = '';
    const stop = (error: ToolError) => {
      failure ??= error;
      child.kill('SIGKILL');
    };
    const onAbort = () => stop(new ToolError('interrupted', `${program} was stopped`));
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(() => stop(new ToolError('timeout', `${program} did not end within ${timeoutMs} ms`)), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-keptCharacters);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-keptCharacters);
      const lines = (line + text).split(/\r?\n|\r/u);
      line = lines.pop() ?? '';
      for (const whole of lines) options.onErrorLine?.(whole);
    });
    const finish = (result: Omit<CommandResult, 'stdout' | 'stderr'>) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      if (failure === undefined) resolve({ ...result, stdout, stderr });
      else reject(failure);
    };
    child.on('error', (error: NodeJS.ErrnoException) => finish({ code: null, startError: error.code ?? error.message }));
    child.on('close', (code) => finish({ code }));
  });
}
