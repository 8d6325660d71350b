// A worker process with a loaded model. One that dies is replaced at the next call; closing is final.
import { ToolError } from '../../core/errors.ts';
import type { TrainingEnvironment } from '../../python/setup-training.ts';
import { workerFile } from '../../python/worker-files.ts';
import { type CallOptions, startWorker, type WorkerProcess } from '../../python/worker-process.ts';
import { type LoadedModel, loadedModelSchema, readAnswer } from './worker-answers.ts';

export interface ModelWorker {
  readonly loaded: LoadedModel;
  readonly call: (method: string, params: unknown, options?: CallOptions) => Promise<unknown>;
  readonly processIds: () => readonly number[];
  readonly close: () => Promise<void>;
}

export interface ModelWorkerOptions {
  readonly environment: TrainingEnvironment;
  /** Parameters of the worker's `load`. */
  readonly load: unknown;
  readonly threads: number | undefined;
  readonly onRestart?: ((reason: string) => void) | undefined;
}

interface Session {
  readonly worker: WorkerProcess;
  readonly loaded: LoadedModel;
}

/** @throws ToolError as the worker says about loading */
export async function startModelWorker(options: ModelWorkerOptions): Promise<ModelWorker> {
  let current: WorkerProcess | undefined;
  let died: ToolError | undefined;
  let closed = false;

  const open = async (): Promise<Session> => {
    const worker = startWorker({
      program: options.environment.python,
      args: [workerFile('worker.py')],
      threads: options.threads,
      onExit: (error) => {
        died = error;
      },
    });
    current = worker;
    try {
      return { worker, loaded: readAnswer(loadedModelSchema, await worker.call('load', options.load)) };
    } catch (thrown) {
      await worker.close();
      throw thrown;
    }
  };

  let session = open();
  const { loaded } = await session;
  const connected = async (): Promise<WorkerProcess> => {
    if (closed) throw new ToolError('interrupted', 'the model was closed');
    if (died !== undefined) {
      const reason = died.message;
      died = undefined;
      options.onRestart?.(reason);
      session = open();
      // Callers that wait for the fresh worker hear of its failure; nobody else does.
      session.catch(() => {});
    }
    return (await session).worker;
  };
  return {
    loaded,
    call: async (method, params, callOptions) => (await connected()).call(method, params, callOptions),
    processIds: () => (closed || current?.processId === undefined ? [] : [current.processId]),
    close: async () => {
      closed = true;
      await current?.close();
    },
  };
}
