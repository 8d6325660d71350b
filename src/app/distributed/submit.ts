// `slmbench submit`: the plan becomes jobs. A second submit of the same plan joins the first.
import { randomUUID } from 'node:crypto';
import { modelRegistry } from '../../backends/model-registry.ts';
import { digestOf } from '../../core/digest.ts';
import { ToolError } from '../../core/errors.ts';
import type { EventListener } from '../../core/events.ts';
import type { PlannedModel, PlannedTask, RunPlan } from '../../core/plan.ts';
import type { Prompt } from '../../core/prompt.ts';
import { type Chunk, countScoredRows, insertChunks } from '../../store/postgres/chunk-table.ts';
import { insertRun, newestUnfinished } from '../../store/postgres/run-table.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';
import { findOpenSubmission, openSubmission } from '../../store/postgres/submission-table.ts';
import { openWorkQueue, type WorkJob } from '../../store/postgres/work-queue.ts';
import { prepareEvaluation, promptContextFor } from '../evaluate-request.ts';
import type { EvaluationRequest } from '../evaluation-request.ts';
import type { PreparedTask } from '../prepare-tasks.ts';
import { type CutOptions, cutChunks, type SampleSize } from './cut-chunks.ts';
import { makeSubmission } from './submission.ts';

export interface SubmitOptions extends CutOptions {
  /** Higher runs first. @default 0 */
  readonly priority?: number | undefined;
  /** Chunks that may wait in the database before it takes no more. @default 200000 */
  readonly mostWaiting?: number | undefined;
  /** Tries before a chunk is dead, and the longest pause between them, s; for queues that are new. */
  readonly retryLimit?: number | undefined;
  readonly longestRetryDelaySeconds?: number | undefined;
}

export interface Submitted {
  readonly runId: string;
  /** true: an open submission of the same plan was there already. */
  readonly joined: boolean;
  readonly plan: RunPlan;
  readonly chunks: number;
  readonly samples: number;
}

const measuredSamples = 20;
const charactersPerToken = 4;
const defaultMostWaiting = 200_000;

/** Queue of a model: equal content, backend and settings share one, whatever run asks. */
export function queueOf(model: PlannedModel): string {
  const { facts, backend, settings } = model;
  return `model-${digestOf({ digest: facts.digest, file: facts.file, adapters: facts.adapters, backend, settings }).slice(0, 24)}`;
}

function lengthOf(prompt: Prompt): number {
  return prompt.kind === 'text' ? prompt.text.length : prompt.messages.reduce((sum, message) => sum + message.content.length, 0);
}

/** Mean size of the first prompts, in tokens of about four characters. */
function measureTask(
  prepared: PreparedTask,
  model: PlannedModel,
  planned: PlannedTask,
  contextOf: ReturnType<typeof promptContextFor>,
): SampleSize {
  let characters = 0;
  const rows = prepared.task.rows.slice(0, measuredSamples);
  for (const row of rows) {
    try {
      const { request } = prepared.task.prepare(row, contextOf(model, prepared.task));
      characters +=
        request.kind === 'rolling'
          ? JSON.stringify(request.request).length
          : lengthOf(request.request.prompt) +
            (request.kind === 'score' ? request.request.choices.reduce((sum, choice) => sum + choice.continuation.length, 0) : 0);
    } catch {
      // A prompt that cannot be written becomes an error row when its turn comes.
    }
  }
  return { promptTokens: Math.max(1, characters / charactersPerToken / Math.max(1, rows.length)), newTokens: planned.generation.maxTokens };
}

/**
 * Plans a run and hands it to the workers of the database.
 * @throws ToolError as planning does; `unavailable` (retryable) when too much work waits already
 */
export async function submit(
  request: EvaluationRequest,
  store: SharedStore,
  options: SubmitOptions = {},
  listener: EventListener = () => undefined,
): Promise<Submitted> {
  if (request.shard !== undefined)
    throw new ToolError('usage', '--shard and --database exclude each other', { hint: 'workers share the whole plan' });
  const prepared = await prepareEvaluation(request, listener);
  const { plan } = prepared;
  const submission = makeSubmission(prepared, request, modelRegistry(prepared.workspace.userModels).names);
  const contextOf = promptContextFor(prepared.recipe);
  const sizes = new Map(
    plan.tasks.map((task) => {
      const own = prepared.tasks.find((one) => one.task.key === task.key)!;
      return [task.key, measureTask(own, plan.models[0]!, task, contextOf)] as const;
    }),
  );
  const ranges = cutChunks(plan, (task) => sizes.get(task.key)!, options);
  const queue = await openWorkQueue(store.database, {
    supervise: false,
    retryLimit: options.retryLimit,
    longestRetryDelaySeconds: options.longestRetryDelaySeconds,
  });
  try {
    const queues = plan.models.map(queueOf);
    for (const name of new Set(queues)) await queue.ensureQueue(name);
    await refuseOverload(store, ranges.length, options.mostWaiting ?? defaultMostWaiting);
    return await store.database.transaction(async (query) => {
      // Submits of one plan take turns: the second then sees what the first has made.
      await query('select pg_advisory_xact_lock(hashtext($1))', [`submit ${plan.digest}`]);
      const open = await findOpenSubmission(query, plan.digest);
      if (open !== null) return { runId: open.runId, joined: true, plan, chunks: 0, samples: 0 };
      const unfinished = request.fresh ? null : await newestUnfinished(query, plan.digest);
      const entry = unfinished ?? (await insertRun(query, plan));
      const priority = options.priority ?? 0;
      const facts = { run: entry.number, planDigest: plan.digest, submission: JSON.stringify(submission), priority };
      if (!(await openSubmission(query, facts))) return { runId: entry.runId, joined: true, plan, chunks: 0, samples: 0 };
      await query('delete from slmbench.chunks where run = $1', [entry.number]);
      const chunks: Chunk[] = [];
      for (const range of ranges) {
        const samples = (range.past - range.first) * plan.repeats;
        // Errors and gaps of an earlier try are open; scored rows stay.
        if (unfinished !== null && (await countScoredRows(query, entry.number, { ...range, repeats: plan.repeats })) === samples) continue;
        chunks.push({ ...range, chunk: chunks.length, queue: queues[range.model]!, job: randomUUID(), samples });
      }
      await insertChunks(query, entry.number, chunks);
      for (const [name, own] of Map.groupBy(chunks, (chunk) => chunk.queue)) {
        const jobs = own.map(({ chunk, job }): WorkJob => ({ id: job, data: { run: entry.number, chunk }, priority }));
        await queue.add(name, jobs, query);
      }
      return {
        runId: entry.runId,
        joined: false,
        plan,
        chunks: chunks.length,
        samples: chunks.reduce((sum, { samples }) => sum + samples, 0),
      };
    });
  } finally {
    await queue.stop();
  }
}

/** Back-pressure towards those who submit: a flooded database helps nobody. */
async function refuseOverload(store: SharedStore, wanted: number, most: number): Promise<void> {
  const [row] = await store.database.query<{ n: string }>(`select count(*) as n from slmbench.chunks where state = 'waiting'`);
  const waiting = Number(row!.n);
  if (waiting + wanted <= most) return;
  throw new ToolError(
    'unavailable',
    `${waiting} chunks wait in the database already; with these ${wanted} there would be more than ${most}`,
    {
      hint: 'start workers, cancel runs, or submit later',
      isRetryable: true,
    },
  );
}
