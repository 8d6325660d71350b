// Runs an engine in a child process and talks to it: a native crash becomes an error of the requests in flight, and a fresh engine.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../../core/errors.ts';
import { type EngineError, type EngineResults, type EngineTask, type FromEngine, sharedClockMs, type ToEngine } from './engine-protocol.ts';
import { createLogTail } from './log-tail.ts';

export interface EngineCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly onText?: ((text: string, timeMs: number) => void) | undefined;
}

export interface EngineProcess {
  readonly processId: number | undefined;
  readonly call: <K extends EngineTask['kind']>(
    task: Extract<EngineTask, { kind: K }>,
    options?: EngineCallOptions,
  ) => Promise<EngineResults[K]>;
  /** The last lines that llama.cpp wrote. */
  readonly logLines: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** How long the output of an ended process may still arrive. */
const drainMs = 100;

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onText: ((text: string, timeMs: number) => void) | undefined;
}

/** Starts an engine process; nothing is loaded yet. `onExit` is told when it ends without being asked to. */
export function startEngineProcess(onExit: (error: ToolError) => void = () => {}): EngineProcess {
  const source = import.meta.url.endsWith('.ts') ? './engine-host.ts' : './engine-host.js';
  const child = fork(fileURLToPath(new URL(source, import.meta.url)), [], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: [],
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  const log = createLogTail(60);
  child.stdout?.on('data', (chunk: Buffer) => log.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => log.push(chunk));
  const pending = new Map<number, PendingCall>();
  let nextId = 1;
  let closing = false;
  let ended: ToolError | undefined;

  child.on('message', (message) => receive(message as FromEngine, pending, log.lines));
  const exited = new Promise<void>((resolve) => {
    const end = (reason: string) => {
      if (ended !== undefined) return;
      ended = closing ? new ToolError('interrupted', 'the engine was closed') : crashError(reason, log.lines());
      for (const call of pending.values()) call.reject(ended);
      pending.clear();
      resolve();
      if (!closing) onExit(ended);
    };
    child.on('error', (error) => end(error.message));
    child.on('exit', (code, signal) => {
      const finish = () => end(signal === null ? `exit code ${code}` : signal);
      if (closing) return finish();
      // The pipes may still hold the last words of llama.cpp; `close` tells that they are drained, but does not always come.
      child.on('close', finish);
      setTimeout(finish, drainMs);
    });
  });

  return {
    processId: child.pid,
    logLines: log.lines,
    call: (task, options = {}) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        const id = nextId++;
        const settle = watch(child, id, options, (error) => {
          pending.delete(id);
          reject(error);
        });
        const done = <T>(finish: (value: T) => void) => {
          return (value: T) => {
            settle();
            finish(value);
          };
        };
        pending.set(id, { resolve: done(resolve as (result: unknown) => void), reject: done(reject), onText: options.onText });
        send(child, { kind: 'task', id, handedOverAtMs: sharedClockMs(), task });
      }),
    close: async () => {
      closing = true;
      if (ended === undefined && child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
      await exited;
      clearTimeout(timer);
    },
  };
}

function receive(message: FromEngine, pending: Map<number, PendingCall>, logLines: () => readonly string[]): void {
  const call = pending.get(message.id);
  if (call === undefined) return;
  if (message.kind === 'part') {
    call.onText?.(message.text, message.timeMs);
    return;
  }
  pending.delete(message.id);
  if (message.kind === 'done') call.resolve(message.result);
  else setTimeout(() => call.reject(toToolError(message.error, logLines())), message.error.code === 'integrity' ? 50 : 0);
}

function toToolError(error: EngineError, log: readonly string[]): ToolError {
  const attachesLog = ['backend', 'integrity', 'memory'].includes(error.code) && log.length > 0;
  const cause = attachesLog ? new Error(`llama.cpp said:\n${log.slice(-12).join('\n')}`) : undefined;
  return new ToolError(error.code, error.message, { hint: error.hint, isRetryable: error.isRetryable, cause });
}

function crashError(reason: string, log: readonly string[]): ToolError {
  const killed = reason === 'SIGKILL' ? ' (killed: by a user, or by the system for lack of memory)' : '';
  return new ToolError('backend', `the engine process ended: ${reason}${killed}`, {
    isRetryable: true,
    ...(log.length === 0 ? {} : { cause: new Error(`llama.cpp said:\n${log.slice(-12).join('\n')}`) }),
  });
}

/** Cancels the call on abort or timeout. Returns what ends the watching. */
function watch(child: ChildProcess, id: number, options: EngineCallOptions, fail: (error: ToolError) => void): () => void {
  const { signal, timeoutMs } = options;
  const cancel = (error: ToolError) => {
    send(child, { kind: 'cancel', id });
    stop();
    fail(error);
  };
  const onAbort = () => cancel(new ToolError('interrupted', 'the request was cancelled'));
  const timer =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => cancel(new ToolError('timeout', `no answer within ${timeoutMs} ms`, { isRetryable: true })), timeoutMs);
  const stop = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  };
  if (signal?.aborted === true) queueMicrotask(onAbort);
  else signal?.addEventListener('abort', onAbort, { once: true });
  return stop;
}

function send(child: ChildProcess, message: ToEngine): void {
  if (child.connected) child.send(message, () => {});
}
