// Entry of the engine process: one model, messages over the Node IPC channel. It ends when its parent ends.
import { messageOf, ToolError } from '../../core/errors.ts';
import { createEngine, type Engine } from './engine.ts';
import type { EngineError, EngineResults, EngineTask, FromEngine, ToEngine } from './engine-protocol.ts';
import { runFidelity } from './fidelity-job.ts';
import { loadNativeApi } from './native-api.ts';
import { openModel } from './open-model.ts';
import { runQuantize } from './quantize-job.ts';

let engine: Engine | undefined;
const running = new Map<number, AbortController>();

function send(message: FromEngine): void {
  if (process.connected) process.send!(message);
}

async function runTask(task: EngineTask, id: number, handedOverAtMs: number, signal: AbortSignal): Promise<unknown> {
  switch (task.kind) {
    case 'load':
      return load(task);
    case 'quantize':
      return runQuantize(loadNativeApi(task.location), task);
    case 'fidelity':
      return runFidelity(loadNativeApi(task.location), task, (done, total) =>
        send({ kind: 'part', id, text: String(total), timeMs: done }),
      );
    case 'info': {
      const { llama, version, devices } = loadNativeApi(task.location);
      return { version, systemInfo: llama.print_system_info(), devices: devices() } satisfies EngineResults['info'];
    }
    default: {
      if (engine === undefined) throw new ToolError('internal', 'the engine has no model loaded');
      return engine.run(task, { handedOverAtMs, signal, onText: (text, timeMs) => send({ kind: 'part', id, text, timeMs }) });
    }
  }
}

function load(task: Extract<EngineTask, { kind: 'load' }>): EngineResults['load'] {
  const started = performance.now();
  const native = loadNativeApi(task.location);
  engine = createEngine(openModel(native, task.path, task.settings), task.settings);
  return {
    ...engine.facts,
    version: native.version,
    systemInfo: native.llama.print_system_info(),
    loadMs: performance.now() - started,
  };
}

function describeError(error: unknown): EngineError {
  if (!ToolError.isInstance(error)) return { code: 'backend', message: messageOf(error), isRetryable: false };
  return { code: error.code, message: error.message, hint: error.hint, isRetryable: error.isRetryable };
}

process.on('message', (message: ToEngine) => {
  if (message.kind === 'cancel') {
    running.get(message.id)?.abort();
    return;
  }
  const { id, task, handedOverAtMs } = message;
  const controller = new AbortController();
  running.set(id, controller);
  runTask(task, id, handedOverAtMs, controller.signal)
    .then(
      (result) => send({ kind: 'done', id, result }),
      (error: unknown) => send({ kind: 'failed', id, error: describeError(error) }),
    )
    .finally(() => running.delete(id));
});
// Ctrl-C reaches the whole process group; the parent decides when the engine ends.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit(0));
