// The engine inside the host process: takes tasks as they come, and shares batches, prefixes and KV cells among them.

import type { EngineFacts, EngineSettings, EngineTask } from './engine-protocol.ts';
import { cancelledError, type ExclusiveJob, startTask, type TaskContext } from './engine-tasks.ts';
import { createGenerator, type GenerateJob } from './generate-jobs.ts';
import type { LoadedModel } from './open-model.ts';
import { createPrefixCache } from './prefix-cache.ts';
import { runScoreBatch, type ScoreJob, scoreSequences } from './score-jobs.ts';

export interface Engine {
  readonly facts: Omit<EngineFacts, 'version' | 'systemInfo' | 'loadMs'>;
  readonly run: (task: EngineTask, context: TaskContext) => Promise<unknown>;
}

/**
 * New tokens of a score batch on a CPU. Attention runs over all cells in use, in blocks of 256, so a larger batch of unrelated
 * questions costs more per token, not less; a GPU needs large batches to be busy.
 */
const cpuScoreTokens = 128;

export function createEngine(model: LoadedModel, settings: EngineSettings): Engine {
  const { llama } = model.native;
  const cache = createPrefixCache(model);
  const reuse = !settings.deterministic && model.sharesPrefixes;
  const parallel = settings.deterministic ? 1 : settings.parallel;
  const generator = createGenerator(model, cache, parallel, reuse);
  const scores: ScoreJob[] = [];
  const waiting: GenerateJob[] = [];
  const exclusive: ExclusiveJob[] = [];
  let scheduled = false;

  const forget = () => {
    model.batch.clear();
    llama.memory_clear(model.memory, false);
    cache.clear();
  };
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(turn);
  };
  /** One batch of each kind of work, so that neither scoring nor generation starves; messages are read in between. */
  const turn = () => {
    scheduled = false;
    admitWaiting();
    if (generator.active > 0)
      attempt(
        () => generator.step(),
        (error) => generator.abort(error),
      );
    if (scores.length > 0) scoreTurn();
    if (exclusive.length > 0 && generator.active === 0 && scores.length === 0) exclusiveTurn();
    if (generator.active + waiting.length + scores.length + exclusive.length > 0) schedule();
  };
  const attempt = (work: () => void, fail: (error: unknown) => void) => {
    try {
      work();
    } catch (error) {
      generator.abort(error);
      fail(error);
      forget();
    }
  };
  const admitWaiting = () => {
    while (waiting.length > 0) {
      const job = waiting[0]!;
      try {
        if (!job.cancelled) {
          if (settings.deterministic && generator.active === 0) forget();
          if (!generator.admit(job)) return;
        } else {
          job.reject(cancelledError());
        }
      } catch (error) {
        job.reject(error);
      }
      waiting.shift();
    }
  };
  const scoreTurn = () => {
    const available = model.cells - generator.reservedCells;
    const need = Math.max(...scores[0]!.pairs.map(({ context, continuation }) => context.length + continuation.length));
    if (generator.active > 0 && (settings.deterministic || need > available)) return;
    if (settings.deterministic) forget();
    const { firstSequence, sequences } = scoreSequences(model, parallel);
    const limits = {
      tokens: settings.gpuLayers === 0 ? Math.min(cpuScoreTokens, model.batch.capacity) : model.batch.capacity,
      cells: available,
      firstSequence,
      sequences,
      reuse,
    };
    attempt(
      () => runScoreBatch(model, cache, scores, limits),
      (error) => {
        for (const job of scores.splice(0)) job.reject(error);
      },
    );
  };
  const exclusiveTurn = () => {
    const [job] = exclusive as [ExclusiveJob];
    attempt(
      () => {
        if (job.step()) exclusive.shift();
      },
      (error) => {
        exclusive.shift();
        job.reject(error);
      },
    );
  };

  const queues = { model, scores, waiting, exclusive, schedule, forget };
  return { facts: factsOf(model), run: (task, context) => startTask(queues, task, context) };
}

function factsOf({ native, model, vocabulary, contextTokens, trainedContext, sharesPrefixes }: LoadedModel): Engine['facts'] {
  const buffer = Buffer.alloc(256);
  const length = native.llama.model_desc(model, buffer, buffer.length);
  return {
    description: buffer.toString('utf8', 0, Math.max(0, Math.min(length, buffer.length - 1))),
    contextTokens,
    trainedContext,
    vocabularySize: vocabulary.size,
    chatTemplate: native.llama.model_chat_template(model, null),
    bosText: vocabulary.bosText,
    eosText: vocabulary.eosText,
    addsBos: vocabulary.addsBos,
    controlTokens: vocabulary.controlTokens,
    sharesPrefixes,
  };
}
