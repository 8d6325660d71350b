// Reads finished runs for a report: record, and where the run folder is at hand the rows with their own score.
import { sha256Hex } from '../core/digest.ts';
import type { Metric } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import type { RunRecord } from '../core/record.ts';
import type { ReportInput, ScoredRow } from '../report/report-input.ts';
import { primaryScorer } from './create-scorer.ts';
import { type OpenedRun, readPredictions } from './open-run.ts';
import { readTimelines } from './view/read-timelines.ts';

/** Rows that a report file holds; the viewer pages through more. */
const mostReportRows = 10_000;

/** The share of samples that a report of a large run shows: the same ids for every model, whatever the order. */
function chooseIds(record: RunRecord, most: number): (id: string) => boolean {
  const total = record.results.reduce((sum, entry) => sum + entry.counts.total, 0);
  if (total <= most) return () => true;
  const limit = (most / total) * 2 ** 32;
  return (id) => Number.parseInt(sha256Hex(id).slice(0, 8), 16) < limit;
}

/** The last row of each sample wins; rows of tasks that the record does not hold are left out. A large run is sampled by id. */
export async function scoreReportRows(
  record: RunRecord,
  rows: AsyncIterable<PredictionRow>,
  userMetrics: readonly Metric[] = [],
): Promise<ScoredRow[]> {
  const isChosen = chooseIds(record, mostReportRows);
  const tasks = new Map(record.tasks.map((task) => [task.key, task]));
  const scorers = new Map<string, ReturnType<typeof primaryScorer>>();
  const last = new Map<string, ScoredRow>();
  for await (const row of rows) {
    const task = tasks.get(row.task);
    if (task === undefined || !isChosen(row.id)) continue;
    const key = `${row.model}\u0000${row.task}`;
    let scorer = scorers.get(key);
    if (scorer === undefined) scorers.set(key, (scorer = primaryScorer(task, record.settings.seed, userMetrics)));
    last.set(`${key}\u0000${row.id}\u0000${row.repeat}`, { row, score: scorer(row) });
  }
  return [...last.values()];
}

/** A record without its folder gives a report without samples. */
export async function readReportInput(run: OpenedRun, userMetrics: readonly Metric[] = []): Promise<ReportInput> {
  if (run.folder === null) return { records: [run.record], rows: [] };
  const rows = await scoreReportRows(run.record, readPredictions(run), userMetrics);
  return { records: [run.record], rows, timelines: await readTimelines(run.folder) };
}
