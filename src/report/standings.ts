// Where each model stands over the tasks that all of them ran: mean score with its interval, cost, and who cannot be told from the best.
import type { PlannedModel } from '../core/plan.ts';
import { pairScores } from '../stats/compare-paired.ts';
import { paretoFront } from './pareto-front.ts';
import type { ScoredRow } from './report-input.ts';
import type { ReportView, ViewModelSummary, ViewResult, ViewTask } from './view-model.ts';

/** 97.5 % point of the normal distribution: 95 % two-sided intervals. */
const z95 = 1.959964;

export interface Quality {
  readonly value: number;
  /** 95 % interval of the mean over tasks; null where a task has no standard error. */
  readonly low: number | null;
  readonly high: number | null;
}

export interface Standing {
  readonly model: PlannedModel;
  readonly summary: ViewModelSummary;
  readonly quality: Quality | null;
  readonly latencyP50Ms: number | null;
  readonly latencyP95Ms: number | null;
  readonly decodeTokensPerSecond: number | null;
  readonly peakRssBytes: number | null;
  readonly meanCpuPercent: number | null;
  readonly peakGpuMemoryBytes: number | null;
  readonly sizeBytes: number | null;
  /** `tied`: its difference from the best is not distinguishable from none at the 95 % level. */
  readonly place: 'best' | 'tied' | 'behind' | 'unknown';
  /** Model minus best, with its 95 % interval; null for the best itself. */
  readonly behindBest: { readonly difference: number; readonly low: number; readonly high: number; readonly isPaired: boolean } | null;
  /** No other model is both better and quicker. */
  readonly onFront: boolean;
}

export interface Standings {
  /** Best first; models without a score last. */
  readonly models: readonly Standing[];
  /** Tasks behind the mean score. */
  readonly tasks: readonly ViewTask[];
  readonly higherIsBetter: boolean;
  /** `fraction` where shares are averaged, else the unit of the single task. */
  readonly unit: string;
  /** Tasks that are left out of the mean, because not all models have them, on the same items and in the same unit. */
  readonly leftOut: readonly string[];
}

const isMeasured = (result: ViewResult | undefined): boolean => (result?.entry.primary?.value ?? null) !== null;

/** Scores on different items, prompts or metrics cannot be compared. */
function hasOneTestSet({ results }: ViewTask): boolean {
  const [first] = results;
  return results.every(
    ({ task, entry }) =>
      task.manifest === first!.task.manifest && task.digest === first!.task.digest && entry.primary?.name === first!.entry.primary?.name,
  );
}

/** Shares of all models can be averaged; otherwise one task stands for itself. */
function sharedTasks(view: ReportView): ViewTask[] {
  const measuredByAll = view.tasks.filter((task) => task.results.filter(isMeasured).length === view.models.length && hasOneTestSet(task));
  const shares = measuredByAll.filter((task) =>
    task.results.every(({ entry }) => entry.primary?.unit === 'fraction' && entry.primary.higherIsBetter),
  );
  return shares.length > 0 ? shares : measuredByAll.slice(0, 1);
}

function standardErrorOf(result: ViewResult): number | null {
  const { standardError, interval } = result.entry.primary!;
  return standardError ?? (interval === null ? null : (interval.high - interval.low) / (2 * z95));
}

function resultsIn(summary: ViewModelSummary, tasks: readonly ViewTask[]): ViewResult[] {
  return tasks.flatMap((task) => task.results.find((result) => result.model.key === summary.model.key) ?? []);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Standard error of a mean of independent task values. */
function errorOfMean(errors: readonly (number | null)[]): number | null {
  const known = errors.filter((error) => error !== null);
  return known.length < errors.length ? null : Math.sqrt(known.reduce((sum, error) => sum + error * error, 0)) / errors.length;
}

function qualityOf(summary: ViewModelSummary, tasks: readonly ViewTask[], clampToShare: boolean): Quality | null {
  const results = resultsIn(summary, tasks);
  if (results.length === 0 || results.length < tasks.length || !results.every(isMeasured)) return null;
  const value = mean(results.map((result) => result.entry.primary!.value!));
  const single = results.length === 1 ? results[0]!.entry.primary!.interval : null;
  if (single !== null) return { value, low: single.low, high: single.high };
  const error = errorOfMean(results.map(standardErrorOf));
  if (error === null) return { value, low: null, high: null };
  const clamp = (bound: number): number => (clampToShare ? Math.min(1, Math.max(0, bound)) : bound);
  return { value, low: clamp(value - z95 * error), high: clamp(value + z95 * error) };
}

type ScoresOf = (model: string, task: string) => readonly { readonly id: string; readonly score: number | null }[];

/** Difference of the two means over tasks: paired by item where the rows are known, else from the two standard errors. */
function differenceFrom(best: ViewModelSummary, other: ViewModelSummary, tasks: readonly ViewTask[], scoresOf: ScoresOf) {
  const bases = resultsIn(best, tasks);
  const others = resultsIn(other, tasks);
  let isPaired = true;
  const errors = bases.map((base, index) => {
    const pairs = pairScores(scoresOf(base.model.key, base.task.key), scoresOf(other.model.key, base.task.key));
    const n = pairs.ids.length;
    if (n < 2 || base.entry.primary!.average !== null) {
      isPaired = false;
      const both = [standardErrorOf(base), standardErrorOf(others[index]!)];
      return both[0] === null || both[1] === null ? null : Math.hypot(both[0]!, both[1]!);
    }
    const differences = Array.from(pairs.a, (a, at) => pairs.b[at]! - a);
    const centre = mean(differences);
    return Math.sqrt(differences.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (n - 1) / n);
  });
  const error = errorOfMean(errors);
  const difference = mean(others.map((result, index) => result.entry.primary!.value! - bases[index]!.entry.primary!.value!));
  return error === null ? null : { difference, low: difference - z95 * error, high: difference + z95 * error, isPaired };
}

function scoreLookup(rows: readonly ScoredRow[]): ScoresOf {
  const groups = Map.groupBy(rows, ({ row }) => `${row.model}\u0000${row.task}`);
  return (model, task) => (groups.get(`${model}\u0000${task}`) ?? []).map(({ row, score }) => ({ id: row.id, score }));
}

function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function costsOf(summary: ViewModelSummary, tasks: readonly ViewTask[]) {
  const results = tasks.length > 0 ? resultsIn(summary, tasks) : summary.results;
  const meanOf = (pick: (result: ViewResult) => number | null): number | null => {
    const values = results.map(pick);
    return values.length === 0 || values.some((value) => value === null) ? null : mean(values as number[]);
  };
  return {
    latencyP50Ms: meanOf((result) => result.entry.speed.latencyMs.p50),
    latencyP95Ms: meanOf((result) => result.entry.speed.latencyMs.p95),
    decodeTokensPerSecond: summary.decodeTokensPerSecond,
    peakRssBytes: summary.peakRssBytes,
    meanCpuPercent: meanOf((result) => result.entry.resources?.meanCpuPercent ?? null),
    peakGpuMemoryBytes: largest(summary.results.map((result) => result.entry.resources?.peakGpuMemoryBytes ?? null)),
    sizeBytes: summary.model.facts.sizeBytes,
  };
}

/** Ranks the models of a view by their mean primary score over shared tasks. */
export function buildStandings(view: ReportView, rows: readonly ScoredRow[] = []): Standings {
  const tasks = sharedTasks(view);
  const primary = tasks[0]?.results[0]?.entry.primary ?? null;
  const higherIsBetter = primary?.higherIsBetter ?? true;
  const unit = primary?.unit ?? 'fraction';
  const scoresOf = scoreLookup(rows);
  const ranked = view.models
    .map((summary) => ({ summary, quality: qualityOf(summary, tasks, unit === 'fraction'), costs: costsOf(summary, tasks) }))
    .toSorted((a, b) => {
      if (a.quality === null || b.quality === null) return Number(a.quality === null) - Number(b.quality === null);
      return higherIsBetter ? b.quality.value - a.quality.value : a.quality.value - b.quality.value;
    });
  const front = new Set(
    paretoFront(ranked, ({ quality, costs }) =>
      quality === null || costs.latencyP50Ms === null ? null : [higherIsBetter ? quality.value : -quality.value, -costs.latencyP50Ms],
    ),
  );
  const best = ranked[0]?.quality == null ? null : ranked[0];
  const models = ranked.map((entry): Standing => {
    const { summary, quality, costs } = entry;
    const behindBest = best === null || entry === best || quality === null ? null : differenceFrom(best.summary, summary, tasks, scoresOf);
    const isTied = behindBest !== null && behindBest.low <= 0 && behindBest.high >= 0;
    const place = quality === null ? 'unknown' : entry === best ? 'best' : isTied ? 'tied' : 'behind';
    return { model: summary.model, summary, quality, ...costs, place, behindBest, onFront: front.has(entry) };
  });
  const used = new Set(tasks);
  return { models, tasks, higherIsBetter, unit, leftOut: view.tasks.filter((task) => !used.has(task)).map((task) => task.task.key) };
}
