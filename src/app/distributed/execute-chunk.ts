// One chunk on a worker: the open samples of a stretch of one task, asked of the loaded model, each row kept once.
import type { EventListener } from '../../core/events.ts';
import type { PlannedTask, RunPlan } from '../../core/plan.ts';
import type { RunWriter } from '../../core/ports/run-store.ts';
import { monotonicClock } from '../../profiler/monotonic-clock.ts';
import { processMeter } from '../../profiler/process-meter.ts';
import { executeRun } from '../../runner/execute-run.ts';
import { idManifest } from '../../runner/plan-run.ts';
import type { RunSession, SessionOrigin } from '../../runner/run-facts.ts';
import { type ClaimedChunk, countChunkRows } from '../../store/postgres/chunk-table.ts';
import { insertSharedRows, type JournalRange, journalRows } from '../../store/postgres/journal-table.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';
import type { KeptModel } from './model-keeper.ts';
import type { SharedRun } from './shared-run.ts';

export interface ChunkInput {
  readonly store: SharedStore;
  readonly shared: SharedRun;
  readonly chunk: ClaimedChunk;
  readonly model: KeptModel;
  readonly origin: SessionOrigin;
  readonly listener: EventListener;
  /** Finish what is in flight and stop. */
  readonly signal: AbortSignal;
  readonly stopNow: AbortSignal;
}

export interface ChunkResult {
  /** Rows of the chunk that are kept now. */
  readonly kept: number;
  /** Among them errors that another try may heal. */
  readonly errors: number;
  readonly session: RunSession | null;
}

/** The plan of one chunk: one model, one task, some of its samples. */
function planOfChunk(plan: RunPlan, chunk: ClaimedChunk): RunPlan {
  const task = plan.tasks[chunk.task]!;
  const sampleIds = task.sampleIds.slice(chunk.first, chunk.past);
  const part: PlannedTask = { ...task, sampleIds, manifest: idManifest(sampleIds) };
  return { ...plan, models: [plan.models[chunk.model]!], tasks: [part] };
}

function rangeOf({ repeats }: RunPlan, { model, task, first, past }: ClaimedChunk): JournalRange {
  return { model, task, repeats, first, past };
}

/** Keeps rows in the shared journal; everything else that a run writes belongs to the whole run and is left to its end. */
function chunkWriter(store: SharedStore, shared: SharedRun, chunk: ClaimedChunk): RunWriter {
  const nothing = async (): Promise<void> => undefined;
  return {
    runId: shared.runId,
    append: (rows) => insertSharedRows(store.database.query, chunk.run, rows, shared.placeOf),
    event: () => undefined,
    rows: () => journalRows(store.database, chunk.run, rangeOf(shared.plan, chunk)),
    writeRecord: nothing,
    writeArtifact: nothing,
    readArtifact: async () => null,
    digestArtifact: async () => null,
    close: nothing,
  };
}

export async function executeChunk(input: ChunkInput): Promise<ChunkResult> {
  const { shared, chunk, model } = input;
  const plan = planOfChunk(shared.plan, chunk);
  const { task, rowsById } = (await shared.tasks())[chunk.task]!;
  const rows = plan.tasks[0]!.sampleIds.map((id) => rowsById.get(id)!);
  const writer = chunkWriter(input.store, shared, chunk);
  const { recipe } = shared.submission;
  const run = await executeRun({
    plan,
    tasks: [{ ...task, rows }],
    openModel: async () => model.backend,
    promptContext: shared.promptContext,
    writer,
    resumed: false,
    cache: null,
    clock: monotonicClock,
    meter: plan.profile ? { start: (ids) => processMeter.start(ids, { intervalMs: recipe.run.profileIntervalMs }) } : null,
    graders: await shared.graders(),
    listener: input.listener,
    origin: input.origin,
    signal: input.signal,
    stopNow: input.stopNow,
    warm: model.warm,
  });
  const { kept, errors } = await countChunkRows(input.store.database, chunk.run, rangeOf(shared.plan, chunk));
  return { kept, errors, session: run.facts.sessions.at(-1) ?? null };
}
