// Compares finished runs: reads their rows, scores each row by the primary metric, and pairs them.
import { ToolError } from '../core/errors.ts';
import type { Metric } from '../core/metric.ts';
import type { PlannedTask } from '../core/plan.ts';
import type { PredictionRow } from '../core/prediction.ts';
import type { RunRecord } from '../core/record.ts';
import { type Contender, compareRecords, type RecordsComparison, type ScoredRow } from '../report/compare/compare-records.ts';
import { primaryScorer } from './create-scorer.ts';
import { type OpenedRun, openRun, readPredictions } from './open-run.ts';
import type { Workspace } from './workspace.ts';

interface Group {
  readonly score: (row: PredictionRow) => number | null;
  /** By id; further repeats of an item have keys of their own, which no id can be. */
  readonly rows: Map<string, ScoredRow>;
}

/** Scores of all rows, by `model task`. A later row of the same sample replaces an earlier one. */
export async function scoreRows(run: OpenedRun, userMetrics: readonly Metric[]): Promise<Map<string, ScoredRow[]>> {
  const groups = new Map<string, Group>();
  const tasks = new Map(run.record.tasks.map((task) => [task.key, task]));
  // Rows of one model and task follow each other: their group is looked up once.
  let group: Group | undefined;
  let previous: PredictionRow | undefined;
  for await (const row of readPredictions(run)) {
    if (row.task !== previous?.task || row.model !== previous.model) {
      const task = tasks.get(row.task);
      if (task === undefined) continue;
      const key = `${row.model}\u0000${row.task}`;
      group = groups.get(key) ?? { score: primaryScorer(task, run.record.settings.seed, userMetrics), rows: new Map() };
      groups.set(key, group);
      previous = row;
    }
    const key = row.repeat === 0 ? row.id : `${row.repeat}\u0000${row.id}`;
    group!.rows.set(key, { id: row.id, score: group!.score(row), cluster: row.cluster, category: row.category });
  }
  return new Map([...groups].map(([key, { rows }]) => [key, [...rows.values()]]));
}

/** A run beside itself would win or lose against its own figures. */
function refuseTwins(runs: readonly OpenedRun[]): void {
  const twin = runs.find(({ record }, index) => runs.findIndex((other) => other.record.id === record.id) < index);
  if (twin !== undefined) throw new ToolError('usage', `run ${twin.record.id} is named twice`, { hint: 'name two different runs' });
}

export interface CompareOptions {
  readonly baseline?: string | undefined;
  readonly workspace: Workspace;
}

/** @throws ToolError `data` for unlike test sets, `usage` for fewer than two contenders */
export async function compareRuns(references: readonly string[], options: CompareOptions): Promise<RecordsComparison> {
  const runs = await Promise.all(references.map((reference) => openRun(reference, options.workspace)));
  refuseTwins(runs);
  const scores = new Map<RunRecord, Map<string, ScoredRow[]>>();
  for (const run of runs) scores.set(run.record, await scoreRows(run, options.workspace.userMetrics));
  return compareRecords({
    records: runs.map((run) => run.record),
    scoresOf: (contender: Contender, task: PlannedTask) => scores.get(contender.record)?.get(`${contender.model}\u0000${task.key}`) ?? [],
    baseline: options.baseline,
    seed: runs[0]?.record.settings.seed ?? 42,
  });
}
