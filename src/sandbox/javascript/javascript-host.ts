// Entry file of the process that executes JavaScript: a fresh QuickJS runtime for each program.
import { performance } from 'node:perf_hooks';
import type { QuickJSContext, QuickJSHandle, QuickJSWASMModule } from 'quickjs-emscripten';
import type { HostRun } from '../shared/host-messages.ts';
import { limitWasmMemory, type RunProgram, serveHost } from '../shared/host-side.ts';
import { javascriptPrelude } from './javascript-prelude.ts';

const stackBytes = 512 * 1024;
const outputLimit = 8192;
const memory = limitWasmMemory();

type Ending = Awaited<ReturnType<RunProgram>>;

class ProgramFailure extends Error {
  readonly reported: unknown;
  constructor(reported: unknown) {
    super('the program failed');
    this.reported = reported;
  }
}

function describe(reported: unknown): string {
  if (typeof reported !== 'object' || reported === null) return String(reported);
  const { name, message, stack } = reported as Record<string, unknown>;
  return `${String(name ?? 'Error')}: ${String(message ?? '')}\n${String(stack ?? '')}`;
}

/** Evaluates one script; a promise as its value must be fulfilled once all jobs have run. */
function evaluate(context: QuickJSContext, code: string, file: string): void {
  const result = context.evalCode(code, file, { type: 'global' });
  if (result.error !== undefined) throw new ProgramFailure(takeValue(context, result.error));
  const value = result.value;
  try {
    const jobs = context.runtime.executePendingJobs();
    if (jobs.error !== undefined) throw new ProgramFailure(takeValue(jobs.error.context ?? context, jobs.error));
    const state = context.getPromiseState(value);
    if (state.type === 'rejected') throw new ProgramFailure(takeValue(context, state.error));
    if (state.type === 'pending') throw new ProgramFailure('a promise never settled');
    if (state.type === 'fulfilled' && !state.notAPromise) state.value.dispose();
  } finally {
    value.dispose();
  }
}

function takeValue(context: QuickJSContext, handle: QuickJSHandle): unknown {
  const value: unknown = context.dump(handle);
  handle.dispose();
  return value;
}

interface Host {
  output: string;
  failure: string | null;
}

function installPrelude(context: QuickJSContext, host: Host): QuickJSHandle {
  const write = context.newFunction('write', (text) => {
    if (host.output.length < outputLimit) host.output += context.getString(text);
  });
  const fail = context.newFunction('fail', (text) => {
    host.failure ??= context.getString(text);
  });
  const make = context.unwrapResult(context.evalCode(javascriptPrelude, '<prelude>'));
  const install = context.unwrapResult(context.callFunction(make, context.undefined, write, fail));
  for (const handle of [write, fail, make]) handle.dispose();
  return install;
}

function runOnce(quickjs: QuickJSWASMModule, request: HostRun): Ending {
  const deadline = performance.now() + request.timeoutMs;
  let isLate = false;
  const runtime = quickjs.newRuntime();
  runtime.setMemoryLimit(request.memoryBytes);
  runtime.setMaxStackSize(stackBytes);
  runtime.setInterruptHandler(() => (isLate ||= performance.now() > deadline));
  const context = runtime.newContext();
  const host: Host = { output: '', failure: null };
  const install = installPrelude(context, host);
  let ending: Ending;
  try {
    const installGlobals = () => context.unwrapResult(context.callFunction(install, context.undefined)).dispose();
    installGlobals();
    evaluate(context, 'var module = { exports: {} }, exports = module.exports;', '<setup>');
    evaluate(context, request.program, '<program>');
    host.failure = request.tests === null ? host.failure : null;
    installGlobals();
    if (request.tests !== null) evaluate(context, request.tests, '<tests>');
    ending =
      host.failure === null
        ? { outcome: 'passed', detail: host.output, worn: false }
        : { outcome: 'failed', detail: `${host.output}${host.failure}`, worn: false };
  } catch (thrown) {
    ending = endingOf(thrown, host.output, isLate);
  }
  try {
    install.dispose();
    context.dispose();
    runtime.dispose();
  } catch {
    // Handles that a failed program left alive make the runtime refuse to go; a new process is the clean way on.
    return { ...ending, worn: true };
  }
  return ending;
}

function endingOf(thrown: unknown, output: string, isLate: boolean): Ending {
  if (isLate) return { outcome: 'timeout', detail: output, worn: false };
  if (!(thrown instanceof ProgramFailure))
    return { outcome: memory.wasRefused() ? 'memory' : 'crashed', detail: String(thrown), worn: true };
  const detail = `${output}${describe(thrown.reported)}`;
  return { outcome: /^InternalError: out of memory/m.test(describe(thrown.reported)) ? 'memory' : 'failed', detail, worn: false };
}

async function load(moduleUrl: string): Promise<RunProgram> {
  const module = (await import(moduleUrl)) as { getQuickJS: () => Promise<QuickJSWASMModule> };
  const quickjs = await module.getQuickJS();
  return async (request) => {
    memory.setLimit(request.memoryBytes + 64 * 1024 * 1024);
    return runOnce(quickjs, request);
  };
}

serveHost(load);
