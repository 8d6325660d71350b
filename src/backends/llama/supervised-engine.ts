// An engine that comes back after a crash: requests in flight fail as retryable, the next ones go to a fresh process.
import { ToolError } from '../../core/errors.ts';
import { type EngineCallOptions, type EngineProcess, startEngineProcess } from './engine-process.ts';
import type { EngineFacts, EngineResults, EngineTask } from './engine-protocol.ts';

export interface SupervisedEngine {
  readonly facts: EngineFacts;
  readonly processId: () => number | undefined;
  readonly call: <K extends EngineTask['kind']>(
    task: Extract<EngineTask, { kind: K }>,
    options?: EngineCallOptions,
  ) => Promise<EngineResults[K]>;
  readonly close: () => Promise<void>;
}

/** Crashes without one finished request between them after which the model is given up. */
const maxCrashesInARow = 3;

/**
 * Starts an engine and loads a model into it.
 * @param explain turns a failed load into the error the user sees
 */
export async function startSupervisedEngine(
  load: Extract<EngineTask, { kind: 'load' }>,
  explain: (error: unknown, log: readonly string[]) => unknown,
  onRestart: (reason: string) => void,
): Promise<SupervisedEngine> {
  let crashes = 0;
  let closed = false;
  let current: EngineProcess;
  let ready: Promise<EngineFacts>;

  const start = (): void => {
    const engine = startEngineProcess((error) => {
      if (engine === current) restart(error);
    });
    current = engine;
    ready = engine.call(load).catch((error: unknown) => {
      throw explain(error, engine.logLines());
    });
    // Whoever needs the engine awaits `ready` and sees the failure there.
    ready.catch(() => {});
  };
  const restart = (error: ToolError): void => {
    if (closed) return;
    crashes++;
    if (crashes > maxCrashesInARow) {
      ready = Promise.reject(
        new ToolError('backend', `the engine crashed ${crashes} times in a row: ${error.message}`, { cause: error.cause }),
      );
      ready.catch(() => {});
      return;
    }
    onRestart(error.message);
    start();
  };

  start();
  let facts: EngineFacts;
  try {
    facts = await ready!;
  } catch (error) {
    closed = true;
    await current!.close();
    throw error;
  }
  return {
    facts,
    // A closed engine's number may belong to a stranger by now.
    processId: () => (closed ? undefined : current.processId),
    call: async (task, options) => {
      await ready;
      const result = await current.call(task, options);
      crashes = 0;
      return result;
    },
    close: async () => {
      closed = true;
      await current.close();
    },
  };
}
