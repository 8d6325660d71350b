// Runs the Python worker and talks to it in JSON lines: requests with ids, events, one answer each, cancellation, timeouts.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type ErrorCode, ToolError } from '../core/errors.ts';
import { type WorkerFailure, type WorkerMessage, workerMessageSchema } from './worker-messages.ts';

export interface WorkerOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Threads of torch and its libraries. @default the libraries' own choice */
  readonly threads?: number | undefined;
  /** Told when the process ends without being asked to. */
  readonly onExit?: ((error: ToolError) => void) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly onEvent?: ((event: Readonly<Record<string, unknown>>) => void) | undefined;
  /** How long a cancelled call may take to end in an orderly way (it may write a checkpoint) before the caller goes on. @default 0 */
  readonly graceMs?: number | undefined;
}

export interface WorkerProcess {
  readonly processId: number | undefined;
  /**
   * Sends a request; resolves with its result.
   * @throws ToolError as the worker says; `backend` when the process ends; `interrupted`; `timeout`
   */
  readonly call: (method: string, params: unknown, options?: CallOptions) => Promise<unknown>;
  /** The last lines of stderr. */
  readonly logLines: () => readonly string[];
  readonly close: () => Promise<void>;
}

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onEvent: CallOptions['onEvent'];
}

const keptLines = 60;
const closeMs = 3000;

/** Environment of every worker: no calls home, no bytecode beside the shipped sources, UTF-8 everywhere. */
export function workerEnvironment(threads?: number): Record<string, string> {
  return {
    PYTHONDONTWRITEBYTECODE: '1',
    PYTHONIOENCODING: 'utf-8',
    PYTHONUTF8: '1',
    HF_HUB_OFFLINE: '1',
    // Rows of many lengths make many matrix shapes; torch's CPU kernels for 1,024 of them would be kept (2 GB in a long training).
    ONEDNN_PRIMITIVE_CACHE_CAPACITY: '64',
    ...(threads === undefined
      ? {}
      : { OMP_NUM_THREADS: String(threads), MKL_NUM_THREADS: String(threads), RAYON_NUM_THREADS: String(threads) }),
  };
}

export function startWorker(options: WorkerOptions): WorkerProcess {
  const child = spawn(options.program, options.args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...workerEnvironment(options.threads), ...options.environment },
    windowsHide: true,
    // A process group of its own: Ctrl-C in the terminal is for this process, which then ends the work in order.
    detached: process.platform !== 'win32',
  });
  return new Worker(child, options.onExit ?? (() => {}));
}

class Worker implements WorkerProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #pending = new Map<number, PendingCall>();
  readonly #log: string[] = [];
  readonly #exited: Promise<void>;
  #nextId = 1;
  #closing = false;
  #ended: ToolError | undefined;

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, onExit: (error: ToolError) => void) {
    this.#child = child;
    // A write to a process that just ended fails; its exit tells the callers.
    child.stdin.on('error', () => {});
    onLines(child.stdout, (line) => this.#receive(line));
    onLines(child.stderr, (line) => {
      this.#log.push(line.slice(-500));
      if (this.#log.length > keptLines) this.#log.shift();
    });
    this.#exited = new Promise((resolve) => {
      const end = (reason: string) => {
        if (this.#ended !== undefined) return;
        this.#ended = this.#closing ? new ToolError('interrupted', 'the Python worker was closed') : this.#crash(reason);
        for (const call of this.#pending.values()) call.reject(this.#ended);
        this.#pending.clear();
        resolve();
        if (!this.#closing) onExit(this.#ended);
      };
      child.on('error', (error) => end(error.message));
      child.on('close', (code, signal) => end(signal ?? `exit code ${code}`));
    });
  }

  get processId(): number | undefined {
    return this.#ended === undefined ? this.#child.pid : undefined;
  }

  logLines(): readonly string[] {
    return this.#log;
  }

  call(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended);
      if (this.#closing) return reject(new ToolError('interrupted', 'the Python worker was closed'));
      if (options.signal?.aborted) return reject(new ToolError('interrupted', 'the request was cancelled'));
      const id = this.#nextId++;
      const unwatch = this.#watch(id, options, reject);
      const settle = <T>(finish: (value: T) => void) => {
        return (value: T) => {
          unwatch();
          finish(value);
        };
      };
      this.#pending.set(id, { resolve: settle(resolve), reject: settle(reject), onEvent: options.onEvent });
      this.#send({ id, method, params });
    });
  }

  async close(): Promise<void> {
    this.#closing = true;
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#killGroup(), closeMs);
    await this.#exited;
    clearTimeout(timer);
  }

  /** The worker and the processes it started (accelerate launch). */
  #killGroup(): void {
    const { pid } = this.#child;
    if (process.platform === 'win32' || pid === undefined) this.#child.kill('SIGKILL');
    else {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It ended by itself in the meantime.
      }
    }
  }

  #send(message: unknown): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #receive(line: string): void {
    const message = parseMessage(line);
    if (message === null) {
      this.#log.push(`not a message: ${line.slice(0, 200)}`);
      return;
    }
    if ('ready' in message) return;
    const call = this.#pending.get(message.id);
    if (call === undefined) return;
    if ('event' in message) {
      call.onEvent?.(message.event);
      return;
    }
    this.#pending.delete(message.id);
    if ('error' in message) call.reject(toToolError(message.error, this.#log));
    else call.resolve(message.result);
  }

  #watch(id: number, { signal, timeoutMs, graceMs = 0 }: CallOptions, reject: (error: unknown) => void): () => void {
    const timers: NodeJS.Timeout[] = [];
    const giveUp = (error: ToolError) => {
      if (!this.#pending.has(id)) return;
      this.#send({ cancel: id });
      const leave = () => {
        if (!this.#pending.delete(id)) return;
        stop();
        reject(error);
      };
      if (graceMs === 0) leave();
      else timers.push(setTimeout(leave, graceMs));
    };
    const onAbort = () => giveUp(new ToolError('interrupted', 'the request was cancelled'));
    if (timeoutMs !== undefined)
      timers.push(setTimeout(() => giveUp(new ToolError('timeout', `no answer from the Python worker within ${timeoutMs} ms`)), timeoutMs));
    signal?.addEventListener('abort', onAbort, { once: true });
    const stop = () => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    return stop;
  }

  #crash(reason: string): ToolError {
    const killed = reason === 'SIGKILL' ? ' (killed: by a user, or by the system for lack of memory)' : '';
    return new ToolError('backend', `the Python worker ended: ${reason}${killed}`, { isRetryable: true, ...logCause(this.#log) });
  }
}

/** Lines end with LF only: readline would also cut at U+2028, which JSON strings may hold. */
function onLines(stream: Readable, take: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = text.split('\n');
    lines[0] = rest + lines[0];
    rest = lines.pop()!;
    for (const line of lines) take(line);
  });
}

function parseMessage(line: string): WorkerMessage | null {
  try {
    const parsed = workerMessageSchema.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const knownCodes: readonly string[] = [
  'usage',
  'config',
  'not-found',
  'unavailable',
  'integrity',
  'data',
  'memory',
  'context-overflow',
  'unsupported',
  'template',
  'backend',
  'timeout',
  'storage',
  'interrupted',
] satisfies readonly ErrorCode[];

function toToolError({ code, message, hint }: WorkerFailure, log: readonly string[]): ToolError {
  const known = knownCodes.includes(code) ? (code as ErrorCode) : 'backend';
  return new ToolError(known, message, { hint: hint ?? undefined, ...(known === 'backend' ? logCause(log) : {}) });
}

function logCause(log: readonly string[]): { cause?: Error } {
  return log.length === 0 ? {} : { cause: new Error(`the worker wrote:\n${log.slice(-12).join('\n')}`) };
}
