// One view model for terminal, Markdown, HTML and viewer: what a person wants to see of some records, computed once.
import type { MetricValue } from '../core/metric.ts';
import type { PlannedModel, PlannedTask } from '../core/plan.ts';
import type { ResultEntry, RunRecord } from '../core/record.ts';

export interface ViewResult {
  readonly record: RunRecord;
  readonly model: PlannedModel;
  readonly task: PlannedTask;
  readonly entry: ResultEntry;
  readonly loadMs: number | null;
  readonly peakRssBytes: number | null;
}

export interface ViewTask {
  readonly task: PlannedTask;
  readonly results: readonly ViewResult[];
  /** Key of the model with the best primary value; null where nothing was measured. */
  readonly best: string | null;
  /** Models whose interval overlaps the best one's: a hint only; `compare` gives the paired test. */
  readonly overlapsBest: readonly string[];
}

export interface ViewModelSummary {
  readonly model: PlannedModel;
  readonly results: readonly ViewResult[];
  readonly loadMs: number | null;
  readonly peakRssBytes: number | null;
  readonly decodeTokensPerSecond: number | null;
  readonly latencyP50Ms: number | null;
  readonly meanPrimary: number | null;
}

export interface ReportView {
  readonly records: readonly RunRecord[];
  readonly tasks: readonly ViewTask[];
  readonly models: readonly ViewModelSummary[];
  readonly warnings: readonly string[];
}

function bestOf(results: readonly ViewResult[]): ViewResult | null {
  let best: ViewResult | null = null;
  for (const result of results) {
    const value = result.entry.primary?.value ?? null;
    if (value === null) continue;
    const bestValue = best?.entry.primary?.value ?? null;
    const isBetter = bestValue === null || (result.entry.primary!.higherIsBetter ? value > bestValue : value < bestValue);
    if (isBetter) best = result;
  }
  return best;
}

function overlaps(left: MetricValue | null, right: MetricValue | null): boolean {
  const a = left?.interval ?? null;
  const b = right?.interval ?? null;
  return a !== null && b !== null && a.low <= b.high && b.low <= a.high;
}

function resultsOf(record: RunRecord): ViewResult[] {
  return record.results.flatMap((entry) => {
    const model = record.models.find((candidate) => candidate.key === entry.model);
    const task = record.tasks.find((candidate) => candidate.key === entry.task);
    if (model === undefined || task === undefined) return [];
    const run = record.modelRuns.find((candidate) => candidate.model === entry.model);
    return [
      {
        record,
        model,
        task,
        entry,
        loadMs: run?.loadMs ?? null,
        peakRssBytes: run?.resources?.peakRssBytes ?? entry.resources?.peakRssBytes ?? null,
      },
    ];
  });
}

function meanOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Total tokens over total time across tasks, so a long task weighs as it should. */
function pooledDecodeRate(results: readonly ViewResult[]): number | null {
  let tokens = 0;
  let seconds = 0;
  for (const { entry } of results) {
    const { decodeTokensPerSecond: rate, completionTokens: count } = entry.speed;
    if (rate === null || count === null || rate <= 0) continue;
    tokens += count;
    seconds += count / rate;
  }
  return seconds > 0 ? tokens / seconds : null;
}

function summarise(model: PlannedModel, results: readonly ViewResult[]): ViewModelSummary {
  const peaks = results.map((result) => result.peakRssBytes).filter((value) => value !== null);
  return {
    model,
    results,
    loadMs: results[0]?.loadMs ?? null,
    peakRssBytes: peaks.length === 0 ? null : Math.max(...peaks),
    decodeTokensPerSecond: pooledDecodeRate(results),
    latencyP50Ms: meanOrNull(results.map((result) => result.entry.speed.latencyMs.p50)),
    meanPrimary: meanOrNull(results.map((result) => (result.entry.primary?.unit === 'fraction' ? result.entry.primary.value : null))),
  };
}

/** Groups everything of the records by task and by model, in the order of the first record that has it. */
export function buildReportView(records: readonly RunRecord[]): ReportView {
  const all = records.flatMap(resultsOf);
  const byTask = Map.groupBy(all, (result) => result.task.key);
  const byModel = Map.groupBy(all, (result) => result.model.key);
  const tasks = [...byTask.values()].map((results): ViewTask => {
    const best = bestOf(results);
    return {
      task: results[0]!.task,
      results,
      best: best?.model.key ?? null,
      overlapsBest:
        best === null
          ? []
          : results
              .filter((result) => result !== best && overlaps(result.entry.primary, best.entry.primary))
              .map((result) => result.model.key),
    };
  });
  const warnings = all.flatMap((result) =>
    result.entry.validity.verdict === 'valid'
      ? []
      : result.entry.validity.reasons.map(
          (reason) => `${result.model.key} on ${result.task.key} (${result.entry.validity.verdict}): ${reason.message}`,
        ),
  );
  return { records, tasks, models: [...byModel.values()].map((results) => summarise(results[0]!.model, results)), warnings };
}
