// Evidence on speed and memory: medians of fresh measurements and their ratios, with bootstrap intervals over repetitions.
import type { PredictionRow } from '../../core/prediction.ts';
import type { ResultEntry } from '../../core/record.ts';
import type { GateRule, SpeedMetric } from '../../report/gate/gate-rule.ts';
import { medianRatio } from '../../stats/median-ratio.ts';
import { quantile, quantileInterval } from '../../stats/quantile.ts';
import type { EvidenceDetails, GatedPair } from './quality-evidence.ts';

const readings: Readonly<Record<Exclude<SpeedMetric, 'memory'>, (row: PredictionRow) => number | null>> = {
  ttft: (row) => row.timing.ttftMs,
  ttfa: (row) => row.timing.ttfaMs,
  tpot: (row) => row.timing.tpotMs,
  latency: (row) => row.timing.totalMs,
  decode: (row) => (row.timing.tpotMs === null || row.timing.tpotMs === 0 ? null : 1000 / row.timing.tpotMs),
};

/** Measurements by repetition; only fresh answers tell about speed. */
function measurements(rows: readonly PredictionRow[], metric: Exclude<SpeedMetric, 'memory'>): number[][] {
  const runs: number[][] = [];
  for (const row of rows) {
    const value = row.origin === 'fresh' ? readings[metric](row) : null;
    if (value === null || !Number.isFinite(value)) continue;
    runs[row.repeat] ??= [];
    runs[row.repeat]!.push(value);
  }
  return runs.filter((run) => run !== undefined);
}

function median(runs: readonly (readonly number[])[]): number | null {
  return quantile(Float64Array.from(runs.flat()).sort(), 0.5);
}

function hostNotes(pair: GatedPair): string[] {
  const contended = [pair.entry, pair.before?.entry].some((entry) =>
    entry?.validity.reasons.some((reason) => reason.code === 'host-contended'),
  );
  return contended ? ['the host was busy during a run: timing may say more about the host than about the model'] : [];
}

function memoryOf(entry: ResultEntry | undefined): number | null {
  return entry?.resources?.peakRssBytes ?? null;
}

/** Peak memory is one reading a run: compared as it is. */
function memoryEvidence(rule: GateRule, pair: GatedPair): EvidenceDetails {
  const value = memoryOf(pair.entry);
  const baseline = memoryOf(pair.before?.entry);
  const isRatio = rule.kind.endsWith('ratio');
  const ratio = value === null || baseline === null || baseline === 0 ? null : value / baseline;
  return {
    n: value === null ? 0 : 1,
    baseline,
    value,
    effect: isRatio ? ratio : value,
    interval: null,
    identical: false,
    exact: (isRatio ? ratio : value) !== null,
    notes: [],
  };
}

export function speedEvidence(rule: GateRule, metric: SpeedMetric, pair: GatedPair, seed: number, level: number): EvidenceDetails {
  if (metric === 'memory') return memoryEvidence(rule, pair);
  const after = measurements(pair.rows ?? [], metric);
  const before = measurements(pair.before?.rows ?? [], metric);
  const shared = { baseline: median(before), value: median(after), identical: false, exact: false };
  const notes = hostNotes(pair);
  if (pair.rows === null) notes.push('the run has no rows at hand, so its timing has no spread');
  if (!rule.kind.endsWith('ratio')) {
    const sorted = Float64Array.from(after.flat()).sort();
    return { ...shared, n: sorted.length, effect: shared.value, interval: quantileInterval(sorted, 0.5, level), notes };
  }
  if (pair.before !== null && pair.before.rows === null) notes.push('the baseline has no rows at hand, so its timing has no spread');
  const { ratio, interval } = medianRatio(before, after, { seed, level });
  return { ...shared, n: Math.min(before.flat().length, after.flat().length), effect: ratio, interval, notes };
}
