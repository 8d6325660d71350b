// Records side by side: the same items paired by id, tested, corrected for many tests, and what the better one costs.
import { ToolError } from '../../core/errors.ts';
import type { MetricValue } from '../../core/metric.ts';
import type { PlannedTask } from '../../core/plan.ts';
import type { ResultEntry, RunRecord } from '../../core/record.ts';
import {
  type ComparisonVerdict,
  comparePaired,
  comparisonVerdict,
  type PairedComparison,
  pairScores,
  type ScoredItem,
} from '../../stats/compare-paired.ts';
import { holm } from '../../stats/holm.ts';

/** One model of one record. */
export interface Contender {
  readonly label: string;
  readonly record: RunRecord;
  readonly model: string;
}

export interface ScoredRow extends ScoredItem {
  readonly category?: string | undefined;
}

export interface CompareRecordsInput {
  readonly records: readonly RunRecord[];
  /** Per-row scores of the primary metric of a task, in any order. */
  readonly scoresOf: (contender: Contender, task: PlannedTask) => readonly ScoredRow[];
  /** Label or run id of the baseline; default: per task the best value. */
  readonly baseline?: string | undefined;
  readonly seed: number;
  readonly alpha?: number | undefined;
}

export interface ContenderResult {
  readonly contender: Contender;
  readonly entry: ResultEntry;
  readonly primary: MetricValue | null;
  /** null for the baseline itself. */
  readonly against: PairedComparison | null;
  readonly adjustedP: number | null;
  readonly verdict: ComparisonVerdict | 'baseline';
  readonly categories: readonly { readonly category: string; readonly n: number; readonly difference: number | null }[];
  /** Ratios to the baseline: 1.2 is 20 % more. */
  readonly latencyRatio: number | null;
  readonly memoryRatio: number | null;
  readonly decodeRateRatio: number | null;
}

export interface TaskComparison {
  readonly task: PlannedTask;
  readonly baseline: string;
  readonly higherIsBetter: boolean;
  readonly results: readonly ContenderResult[];
  /** The best by value, and whether its lead over the runner-up is distinguishable. */
  readonly best: string | null;
  readonly lead: { readonly over: string; readonly verdict: ComparisonVerdict; readonly comparison: PairedComparison } | null;
}

export interface RecordsComparison {
  readonly contenders: readonly Contender[];
  readonly tasks: readonly TaskComparison[];
  /** Tasks that not every contender has. */
  readonly unshared: readonly string[];
  readonly correction: string;
}

function contendersOf(records: readonly RunRecord[]): Contender[] {
  const all = records.flatMap((record) => record.models.map((model) => ({ record, model: model.key })));
  const isUnique = (key: string) => all.filter((other) => other.model === key).length === 1;
  return all.map(({ record, model }) => ({ record, model, label: isUnique(model) ? model : `${model} (${record.id})` }));
}

/** Refuses test sets that differ, naming how many and which ids: a comparison of unlike sets means nothing. */
function requireEqualTestSets(name: string, tasks: readonly { readonly contender: Contender; readonly task: PlannedTask }[]): void {
  const [first, ...others] = tasks;
  for (const other of others) {
    if (other.task.manifest === first!.task.manifest || sameSet(first!.task.sampleIds, other.task.sampleIds)) continue;
    const left = new Set(first!.task.sampleIds);
    const right = new Set(other.task.sampleIds);
    const onlyLeft = [...left].filter((id) => !right.has(id));
    const onlyRight = [...right].filter((id) => !left.has(id));
    throw new ToolError(
      'data',
      `"${name}" was run on different items: ${first!.contender.label} has ${left.size}, ${other.contender.label} has ${right.size}; ` +
        `only in the first: ${shortList(onlyLeft)}; only in the second: ${shortList(onlyRight)}`,
      { hint: 'run both with the same -n, --seed and split' },
    );
  }
}

function sameSet(left: readonly string[], right: readonly string[]): boolean {
  if (left.length !== right.length) return false;
  const known = new Set(left);
  return right.every((id) => known.has(id));
}

function shortList(ids: readonly string[]): string {
  return ids.length === 0 ? 'none' : `${ids.length} (${ids.slice(0, 5).join(', ')}${ids.length > 5 ? ', ...' : ''})`;
}

function ratio(value: number | null | undefined, base: number | null | undefined): number | null {
  return value === null || value === undefined || base === null || base === undefined || base === 0 ? null : value / base;
}

function peakOf(contender: Contender, entry: ResultEntry): number | null {
  return (
    contender.record.modelRuns.find((run) => run.model === contender.model)?.resources?.peakRssBytes ??
    entry.resources?.peakRssBytes ??
    null
  );
}

interface Row {
  readonly contender: Contender;
  readonly task: PlannedTask;
  readonly entry: ResultEntry;
  readonly scores: readonly ScoredRow[];
}

function better(a: Row, b: Row, higherIsBetter: boolean): number {
  const worst = higherIsBetter ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const left = a.entry.primary?.value ?? worst;
  const right = b.entry.primary?.value ?? worst;
  return higherIsBetter ? right - left : left - right;
}

function categoryDeltas(base: Row, other: Row): ContenderResult['categories'] {
  const names = new Set(base.scores.flatMap((row) => row.category ?? []));
  if (names.size < 2) return [];
  return [...names].map((category) => {
    const inCategory = (row: ScoredRow) => row.category === category;
    const pairs = pairScores(base.scores.filter(inCategory), other.scores.filter(inCategory));
    const difference =
      pairs.ids.length === 0 ? null : pairs.b.reduce((sum, value, index) => sum + value - pairs.a[index]!, 0) / pairs.ids.length;
    return { category, n: pairs.ids.length, difference };
  });
}

function compareTask(name: string, rows: readonly Row[], input: CompareRecordsInput): TaskComparison {
  requireEqualTestSets(name, rows);
  const higherIsBetter = rows.find((row) => row.entry.primary !== null)?.entry.primary?.higherIsBetter ?? true;
  const ranked = rows.toSorted((a, b) => better(a, b, higherIsBetter));
  const wanted = input.baseline;
  const base =
    wanted === undefined
      ? ranked[0]!
      : rows.find((row) => row.contender.label === wanted || row.contender.model === wanted || row.contender.record.id === wanted);
  if (base === undefined)
    throw new ToolError('usage', `baseline "${wanted}" did not run "${name}"`, {
      hint: `contenders: ${rows.map((row) => row.contender.label).join(', ')}`,
    });
  const results = rows.map((row): ContenderResult => {
    const against = row === base ? null : comparePaired(pairScores(base.scores, row.scores), { seed: input.seed });
    return {
      contender: row.contender,
      entry: row.entry,
      primary: row.entry.primary,
      against,
      adjustedP: null,
      verdict: row === base ? 'baseline' : 'not enough data',
      categories: row === base ? [] : categoryDeltas(base, row),
      latencyRatio: ratio(row.entry.speed.latencyMs.p50, base.entry.speed.latencyMs.p50),
      memoryRatio: ratio(peakOf(row.contender, row.entry), peakOf(base.contender, base.entry)),
      decodeRateRatio: ratio(row.entry.speed.decodeTokensPerSecond, base.entry.speed.decodeTokensPerSecond),
    };
  });
  return {
    task: base.task,
    baseline: base.contender.label,
    higherIsBetter,
    results,
    best: ranked[0]!.entry.primary?.value == null ? null : ranked[0]!.contender.label,
    lead: leadOf(ranked, higherIsBetter, input),
  };
}

function leadOf(ranked: readonly Row[], higherIsBetter: boolean, input: CompareRecordsInput): TaskComparison['lead'] {
  const [first, second] = ranked;
  if (first === undefined || second === undefined) return null;
  const comparison = comparePaired(pairScores(second.scores, first.scores), { seed: input.seed });
  return { over: second.contender.label, comparison, verdict: comparisonVerdict({ comparison, higherIsBetter, alpha: input.alpha }) };
}

/** Holm's correction runs over every test of the comparison. */
function adjust(tasks: readonly TaskComparison[], alpha: number | undefined): TaskComparison[] {
  const adjusted = holm(tasks.flatMap((task) => task.results.map((result) => result.against?.p ?? null)));
  let at = 0;
  return tasks.map((task) => ({
    ...task,
    results: task.results.map((result) => {
      const adjustedP = adjusted[at++] ?? null;
      if (result.against === null) return result;
      return {
        ...result,
        adjustedP,
        verdict: comparisonVerdict({ comparison: result.against, higherIsBetter: task.higherIsBetter, p: adjustedP, alpha }),
      };
    }),
  }));
}

/**
 * Compares all models of all records on the tasks they share (same task key).
 * @throws ToolError `data` when the items differ, `usage` for an unknown baseline or fewer than two contenders
 */
export function compareRecords(input: CompareRecordsInput): RecordsComparison {
  const contenders = contendersOf(input.records);
  if (contenders.length < 2) throw new ToolError('usage', 'a comparison needs at least two models or runs');
  const rows = contenders.flatMap((contender) =>
    contender.record.tasks.flatMap((task): Row[] => {
      const entry = contender.record.results.find((result) => result.model === contender.model && result.task === task.key);
      return entry === undefined ? [] : [{ contender, task, entry, scores: input.scoresOf(contender, task) }];
    }),
  );
  const byTask = Map.groupBy(rows, (row) => row.task.key);
  const shared = [...byTask].filter(([, group]) => group.length >= 2);
  if (shared.length === 0)
    throw new ToolError('data', 'the runs have no task in common', {
      hint: contenders.map((one) => `${one.label}: ${one.record.tasks.map((task) => task.key).join(', ')}`).join('; '),
    });
  const tasks = shared.map(([name, group]) => compareTask(name, group, input));
  return {
    contenders,
    tasks: adjust(tasks, input.alpha),
    unshared: [...byTask].filter(([, group]) => group.length < contenders.length).map(([name]) => name),
    correction: 'Holm over all paired tests shown',
  };
}
