// Computes the record of a run from its plan, its journal and the facts file, and from nothing else.
import { ToolError } from '../core/errors.ts';
import type { RunPlan } from '../core/plan.ts';
import type { PredictionRow } from '../core/prediction.ts';
import type { ResultEntry, RunRecord } from '../core/record.ts';
import { combineResources } from './combine-resources.ts';
import { outcomeCounter } from './count-outcomes.ts';
import { groupResults } from './group-results.ts';
import { judgeValidity } from './judge-validity.ts';
import { type JournalScan, orderedRows, type SlotRow, scanJournal } from './ordered-rows.ts';
import type { RunFacts, RunSession, TaskSession } from './run-facts.ts';
import { type ResultSlots, type RunSlots, runSlots } from './run-slots.ts';
import { type CreateScorer, findMetricValue, type TaskScorer } from './scoring.ts';
import { speedAccumulator } from './speed-summary.ts';

export interface RecordBuilderInput {
  readonly plan: RunPlan;
  readonly facts: RunFacts;
  readonly createScorer: CreateScorer;
  readonly name?: string | undefined;
}

/** Takes the final row of each sample in plan order. */
export interface RecordBuilder {
  readonly add: (entry: SlotRow) => void;
  /** @param artifacts - sha256 of artifacts by name */
  readonly finish: (artifacts: Readonly<Record<string, string>>) => RunRecord;
}

export interface BuildRecordInput extends RecordBuilderInput {
  /** Reads the journal from its start; called more than once. */
  readonly rows: () => AsyncIterable<PredictionRow>;
  readonly artifacts: Readonly<Record<string, string>>;
  readonly scan?: JournalScan | undefined;
}

/** Categories beyond this number are data, not categories. */
const maxCategories = 500;

/** @throws ToolError `data` when the run has no session yet */
export async function buildRecord(input: BuildRecordInput): Promise<RunRecord> {
  const slots = runSlots(input.plan);
  const scan = input.scan ?? (await scanJournal(slots, input.rows()));
  const builder = openRecordBuilder(input, slots);
  for await (const entry of orderedRows({ slots, scan, rows: input.rows })) builder.add(entry);
  return builder.finish(input.artifacts);
}

/** @throws ToolError `data` when the run has no session yet */
export function openRecordBuilder(input: RecordBuilderInput, slots: RunSlots): RecordBuilder {
  const { facts } = input;
  if (facts.sessions.length === 0) throw new ToolError('data', `run ${facts.runId} has not been started yet`);
  const results: ResultEntry[] = [];
  let builder = resultBuilder(input, slots.results[0]!);
  const closeUntil = (slot: number): void => {
    for (let current = slots.results[results.length]; current !== undefined && slot >= current.start + current.length; ) {
      results.push(builder.finish());
      current = slots.results[results.length];
      if (current !== undefined) builder = resultBuilder(input, current);
    }
  };
  return {
    add: ({ slot, row }) => {
      closeUntil(slot);
      builder.add(row);
    },
    finish: (artifacts) => {
      closeUntil(slots.total);
      return recordOf(input, results, artifacts);
    },
  };
}

function recordOf(input: RecordBuilderInput, results: ResultEntry[], artifacts: Readonly<Record<string, string>>): RunRecord {
  const { plan, facts } = input;
  const { sessions } = facts;
  const first = sessions[0]!;
  const last = sessions.at(-1)!;
  return {
    schema: 'slmbench/record/1',
    id: facts.runId,
    name: input.name ?? defaultName(plan),
    status: statusOf(plan, results),
    smoke: plan.smoke,
    created: first.startedAt,
    finished: last.finishedAt,
    durationMs: sessions.reduce((sum, session) => sum + session.durationMs, 0),
    notes: notesOf(sessions),
    tool: last.tool,
    project: last.project,
    command: last.command,
    planDigest: plan.digest,
    settings: {
      seed: plan.seed,
      repeats: plan.repeats,
      protocol: plan.protocol,
      deterministic: plan.deterministic,
      cache: plan.cache,
      maxErrorRate: plan.maxErrorRate,
      concurrency: plan.concurrency,
      overflow: plan.overflow,
      system: plan.system,
    },
    models: plan.models,
    tasks: plan.tasks,
    modelRuns: modelRunsOf(plan, sessions),
    results,
    groups: groupResults(plan.tasks, results),
    environment: last.environment,
    artifacts: { ...artifacts },
  };
}

/** `failed` beats `partial`: an interrupted run whose errors pass the tolerance is no good start either. */
export function statusOf(plan: RunPlan, results: readonly ResultEntry[]): RunRecord['status'] {
  const sum = (key: 'total' | 'missing' | 'error'): number => results.reduce((total, result) => total + result.counts[key], 0);
  const rows = sum('total') - sum('missing');
  if (rows > 0 && sum('error') / rows > plan.maxErrorRate) return 'failed';
  return sum('missing') > 0 ? 'partial' : 'complete';
}

interface ResultBuilder {
  readonly add: (row: PredictionRow) => void;
  readonly finish: () => ResultEntry;
}

function resultBuilder({ plan, facts, createScorer }: RecordBuilderInput, slots: ResultSlots): ResultBuilder {
  const newScorer = (): TaskScorer => createScorer(slots.task, { seed: plan.seed });
  const scorer = newScorer();
  const counter = outcomeCounter();
  const speed = speedAccumulator();
  const categories = new Map<string, { readonly scorer: TaskScorer; n: number }>();
  return {
    add: (row) => {
      counter.add(row);
      speed.add(row);
      if (row.outcome.kind !== 'scored' && row.outcome.kind !== 'invalid') return;
      scorer.add(row);
      if (row.category === undefined) return;
      let category = categories.get(row.category);
      if (category === undefined) {
        if (categories.size >= maxCategories) return;
        category = { scorer: newScorer(), n: 0 };
        categories.set(row.category, category);
      }
      category.n++;
      category.scorer.add(row);
    },
    finish: () => {
      const sessions = taskSessionsOf(facts, slots);
      const counts = counter.finish(slots.length);
      const speedSummary = speed.finish(sessions);
      const metrics = scorer.finish();
      const values = [...metrics.values];
      return {
        model: slots.model.key,
        task: slots.task.key,
        counts,
        primary: findMetricValue(values, slots.task.primaryMetric),
        metrics: { values, details: { ...metrics.details } },
        categories: [...categories]
          .sort(([left], [right]) => (left < right ? -1 : 1))
          .map(([category, { scorer: own, n }]) => ({ category, n, values: [...own.finish().values] })),
        speed: speedSummary,
        resources: combineResources(sessions.map((session) => session.resources)),
        validity: judgeValidity({
          counts,
          firstError: counter.firstError(),
          speed: speedSummary,
          maxErrorRate: plan.maxErrorRate,
          smoke: slots.task.selection === 'prefix',
          environments: facts.sessions.map((session) => session.environment),
          residentNotes: facts.sessions.flatMap((session) => session.notes.filter((note) => note.includes('still in memory'))),
        }),
        startedAt: sessions[0]?.startedAt ?? null,
        finishedAt: sessions.at(-1)?.finishedAt ?? null,
      };
    },
  };
}

function taskSessionsOf(facts: RunFacts, { model, task }: ResultSlots): TaskSession[] {
  return facts.sessions.flatMap((session) => session.tasks.filter((entry) => entry.model === model.key && entry.task === task.key));
}

/** Loads of the last session that loaded the model; restarts of all. */
function modelRunsOf(plan: RunPlan, sessions: readonly RunSession[]): RunRecord['modelRuns'] {
  return plan.models.flatMap((model) => {
    const runs = sessions.flatMap((session) => session.modelRuns.filter((run) => run.model === model.key));
    const last = runs.at(-1);
    if (last === undefined) return [];
    const restarts = runs.reduce((sum, run) => sum + run.restarts, 0);
    return [{ ...last, restarts, resources: combineResources(runs.map((run) => run.resources)) }];
  });
}

function notesOf(sessions: readonly RunSession[]): string[] {
  const notes = sessions.flatMap((session) => session.notes);
  const warmups = sessions.reduce((sum, session) => sum + session.warmups.length, 0);
  if (warmups > 0) notes.push(`${warmups} warm-up request${warmups === 1 ? '' : 's'} sent before timing and left out of it`);
  if (sessions.length > 1) notes.push(`run in ${sessions.length} sessions`);
  return [...new Set(notes)];
}

function defaultName(plan: RunPlan): string {
  const some = (names: readonly string[]): string =>
    names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`;
  return `${some(plan.models.map((model) => model.key))} on ${some(plan.tasks.map((task) => task.key))}`;
}
