// Owns the child process that executes generated code: starts it without authority, kills it at its limits, replaces it when worn.
import { type ChildProcess, fork } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../../core/errors.ts';
import type { CodeRunRequest, CodeRunResult } from '../../core/ports/code-runner.ts';
import { cutDetail, type HostReply, type HostRequest, type HostVerdict } from './host-messages.ts';

export interface HostOptions {
  /** file: URL of the host's entry file. */
  readonly entryUrl: string;
  /** file: URL of the interpreter's module. */
  readonly moduleUrl: string;
  /** Folders that the interpreter is loaded from; the host can read nothing else. */
  readonly packageFolders: readonly string[];
  readonly nodeFlags?: readonly string[] | undefined;
  /** Limit of the JavaScript heap, MiB; the program's own memory is WebAssembly memory and limited per run. */
  readonly heapMebibytes: number;
}

const startTimeoutMs = 120_000;
/** Time that an interpreter with its own deadline gets to report it before it is killed. */
const graceMs = 250;

interface Exit {
  readonly kind: 'exit';
  readonly how: string;
}

/** One process at a time; `run` must not be called again before the last one settled. */
export class HostProcess {
  readonly #options: HostOptions;
  #child: Promise<ChildProcess> | undefined;
  #nextId = 1;
  #isClosed = false;

  constructor(options: HostOptions) {
    this.#options = options;
  }

  /** Starts the process ahead of its first program. */
  warm(): Promise<ChildProcess> {
    return (this.#child ??= startHost(this.#options));
  }

  async run(request: CodeRunRequest): Promise<CodeRunResult> {
    if (this.#isClosed) throw new ToolError('internal', 'the code runner is closed');
    const child = await this.warm().catch((thrown: unknown) => {
      this.#child = undefined;
      throw thrown;
    });
    const id = this.#nextId++;
    const started = performance.now();
    const answer = nextAnswer(child, id);
    const message: HostRequest = {
      kind: 'run',
      id,
      program: request.program,
      tests: request.tests ?? null,
      entryPoint: request.entryPoint ?? null,
      memoryBytes: request.memoryBytes,
      timeoutMs: request.timeoutMs,
    };
    const timer = setTimeout(() => answer.settle('timeout'), request.timeoutMs + graceMs);
    child.send(message);
    const ended = await answer.promise;
    clearTimeout(timer);
    const durationMs = performance.now() - started;
    const isWorn = ended === 'timeout' || ended.kind === 'exit' || ended.worn;
    if (isWorn) this.#replace(child);
    return resultOf(ended, durationMs, request.timeoutMs);
  }

  #replace(child: ChildProcess): void {
    child.kill('SIGKILL');
    this.#child = undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const child = await this.#child?.catch(() => undefined);
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.ref();
    child.kill('SIGKILL');
    await gone;
  }
}

function resultOf(ended: HostVerdict | Exit | 'timeout', durationMs: number, timeoutMs: number): CodeRunResult {
  if (ended === 'timeout') return { outcome: 'timeout', detail: `stopped after ${timeoutMs} ms`, durationMs };
  if (ended.kind === 'exit') return { outcome: 'crashed', detail: `the interpreter ended: ${ended.how}`, durationMs };
  return { outcome: ended.outcome, detail: cutDetail(ended.detail), durationMs };
}

/** The verdict on one program, or the end of the process, or whatever `settle` is told first. */
function nextAnswer(child: ChildProcess, id: number) {
  const { promise, resolve } = Promise.withResolvers<HostVerdict | Exit | 'timeout'>();
  const onMessage = (reply: HostReply): void => {
    if (reply.kind === 'verdict' && reply.id === id) settle(reply);
  };
  const onExit = (code: number | null, signal: string | null): void => settle({ kind: 'exit', how: signal ?? `code ${code}` });
  const settle = (ended: HostVerdict | Exit | 'timeout'): void => {
    child.off('message', onMessage);
    child.off('exit', onExit);
    resolve(ended);
  };
  child.on('message', onMessage);
  child.once('exit', onExit);
  return { promise, settle };
}

function startHost(options: HostOptions): Promise<ChildProcess> {
  const entry = fileURLToPath(options.entryUrl);
  const readable = [dirname(dirname(entry)), ...options.packageFolders].map((folder) => `--allow-fs-read=${realpathSync(folder)}/`);
  const child = fork(entry, [], {
    // Windows cannot start a process without SystemRoot; nothing else passes.
    env: process.platform === 'win32' ? { SystemRoot: process.env['SystemRoot'] ?? '' } : {},
    cwd: dirname(entry),
    execArgv: [
      '--permission',
      ...readable,
      '--disallow-code-generation-from-strings',
      '--no-warnings',
      `--max-old-space-size=${options.heapMebibytes}`,
      ...(options.nodeFlags ?? []),
    ],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let complaints = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-2000);
  });
  // A run in flight holds the caller's process open by its timer; an idle sandbox must not.
  child.unref();
  child.channel?.unref();
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new ToolError('unavailable', `the code sandbox did not start: ${why}`, { hint: complaints.trim() || undefined }));
    };
    const timer = setTimeout(() => fail(`no answer after ${startTimeoutMs} ms`), startTimeoutMs);
    const onExit = (code: number | null, signal: string | null): void => fail(`it ended with ${signal ?? `code ${code}`}`);
    child.once('exit', onExit);
    child.once('error', (error) => fail(error.message));
    child.once('message', () => {
      clearTimeout(timer);
      child.off('exit', onExit);
      resolve(child);
    });
    child.send({ kind: 'start', moduleUrl: options.moduleUrl } satisfies HostRequest);
  });
}
