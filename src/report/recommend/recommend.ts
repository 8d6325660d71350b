// Chooses a model under constraints and weights, and says what the choice rests on and what the data cannot tell.
import { type ComparisonVerdict, comparisonVerdict, type PairedComparison } from '../../stats/compare-paired.ts';
import { sampleSizeFor } from '../../stats/power.ts';
import { formatMetric } from '../format-values.ts';
import type { Candidate, Gathered } from './gather-candidates.ts';

export interface Constraints {
  readonly maxMemoryBytes?: number | undefined;
  readonly maxTtftMs?: number | undefined;
  readonly maxLatencyMs?: number | undefined;
  readonly minQuality?: number | undefined;
  readonly minTokensPerSecond?: number | undefined;
  /** `permissive`, or part of a licence name. */
  readonly licence?: string | undefined;
}

export type Aspect = 'quality' | 'speed' | 'latency' | 'memory';
export type Weights = Readonly<Record<Aspect, number>>;
/** Quality first; speed and memory decide among models that are about as good. */
export const defaultWeights: Weights = { quality: 1, speed: 0.15, latency: 0.15, memory: 0.15 };

export interface Ranked {
  readonly candidate: Candidate;
  /** Weighted mean of the aspects, each relative to the best candidate's (1 = best). */
  readonly utility: number;
  readonly aspects: Readonly<Record<Aspect, number | null>>;
  readonly isOnFront: boolean;
}

export interface Separation {
  readonly over: string;
  readonly task: string;
  readonly verdict: ComparisonVerdict;
  readonly comparison: PairedComparison;
  /** Items that would show the seen difference with 80 % power; null where there is no difference. */
  readonly itemsNeeded: number | null;
}

export interface Recommendation {
  readonly tasks: readonly string[];
  readonly chosen: Ranked | null;
  readonly ranked: readonly Ranked[];
  readonly rejected: readonly { readonly model: string; readonly reasons: readonly string[] }[];
  readonly front: readonly string[];
  /** The choice against the candidate with the next best quality, task by task. */
  readonly separations: readonly Separation[];
  readonly notMeasured: readonly string[];
  readonly leftOut: Gathered['leftOut'];
}

export interface RecommendInput {
  readonly gathered: Gathered;
  readonly constraints: Constraints;
  readonly weights: Weights;
  /** Paired comparison of `other` with `base` on one task (difference = base - other is positive when base is better). */
  readonly compare: (base: Candidate, other: Candidate, task: string) => PairedComparison | null;
}

const permissive = /apache|mit\b|bsd|isc|cc0|unlicense/i;

function bytesText(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(2)} GiB`;
}

/** Every constraint that a candidate misses; an unmeasured quantity cannot satisfy one. */
export function missedConstraints(candidate: Candidate, constraints: Constraints): string[] {
  const reasons: string[] = [];
  const atMost = (name: string, value: number | null, limit: number | undefined, show: (value: number) => string) => {
    if (limit === undefined) return;
    if (value === null) reasons.push(`${name} was not measured (limit ${show(limit)})`);
    else if (value > limit) reasons.push(`${name} ${show(value)} is over ${show(limit)}`);
  };
  const atLeast = (name: string, value: number | null, limit: number | undefined, show: (value: number) => string) => {
    if (limit === undefined) return;
    if (value === null) reasons.push(`${name} was not measured (at least ${show(limit)} wanted)`);
    else if (value < limit) reasons.push(`${name} ${show(value)} is below ${show(limit)}`);
  };
  const milliseconds = (value: number) => `${value.toFixed(0)} ms`;
  atMost('peak memory', candidate.memoryBytes, constraints.maxMemoryBytes, bytesText);
  atMost('TTFT', candidate.ttftMs, constraints.maxTtftMs, milliseconds);
  atMost('latency', candidate.latencyMs, constraints.maxLatencyMs, milliseconds);
  atLeast('accuracy', candidate.quality, constraints.minQuality, (value) => value.toFixed(3));
  atLeast('output speed', candidate.decodeTokensPerSecond, constraints.minTokensPerSecond, (value) => `${value.toFixed(1)} tok/s`);
  if (constraints.licence !== undefined) {
    const { licence } = candidate;
    const fits =
      licence !== null &&
      (constraints.licence === 'permissive' ? permissive.test(licence) : licence.toLowerCase().includes(constraints.licence.toLowerCase()));
    if (!fits) reasons.push(`licence ${licence ?? 'unknown'} is not ${constraints.licence}`);
  }
  return reasons;
}

const costs: Readonly<Record<Aspect, { readonly of: (candidate: Candidate) => number | null; readonly moreIsBetter: boolean }>> = {
  quality: { of: (candidate) => candidate.quality, moreIsBetter: true },
  speed: { of: (candidate) => candidate.decodeTokensPerSecond, moreIsBetter: true },
  latency: { of: (candidate) => candidate.latencyMs, moreIsBetter: false },
  memory: { of: (candidate) => candidate.memoryBytes, moreIsBetter: false },
};
const aspects = Object.keys(costs) as Aspect[];

function relative(value: number | null, best: number | null, moreIsBetter: boolean): number | null {
  if (value === null || best === null) return null;
  if (value === best) return 1;
  return moreIsBetter ? (best > 0 ? value / best : 0) : value > 0 ? best / value : 0;
}

function bestOf(candidates: readonly Candidate[], aspect: Aspect): number | null {
  const values = candidates.map(costs[aspect].of).filter((value) => value !== null);
  return values.length === 0 ? null : costs[aspect].moreIsBetter ? Math.max(...values) : Math.min(...values);
}

/** On the front when no other candidate is at least as good in every aspect and better in one. */
function dominates(other: Candidate, candidate: Candidate): boolean {
  let isBetter = false;
  for (const aspect of aspects) {
    const { of, moreIsBetter } = costs[aspect];
    const [a, b] = [of(other), of(candidate)];
    if (a === null || b === null) continue;
    if (moreIsBetter ? a < b : a > b) return false;
    if (a !== b) isBetter = true;
  }
  return isBetter;
}

function rank(candidates: readonly Candidate[], weights: Weights): Ranked[] {
  const best = Object.fromEntries(aspects.map((aspect) => [aspect, bestOf(candidates, aspect)])) as Record<Aspect, number | null>;
  const ranked = candidates.map((candidate): Ranked => {
    const shares = Object.fromEntries(
      aspects.map((aspect) => [aspect, relative(costs[aspect].of(candidate), best[aspect], costs[aspect].moreIsBetter)]),
    ) as Record<Aspect, number | null>;
    // Nobody's aspect counts against or for a model when it was not measured for all.
    const usable = aspects.filter((aspect) => best[aspect] !== null && weights[aspect] > 0);
    const total = usable.reduce((sum, aspect) => sum + weights[aspect], 0);
    const utility = total === 0 ? 0 : usable.reduce((sum, aspect) => sum + weights[aspect] * (shares[aspect] ?? 0), 0) / total;
    return {
      candidate,
      utility,
      aspects: shares,
      isOnFront: !candidates.some((other) => other !== candidate && dominates(other, candidate)),
    };
  });
  return ranked.toSorted((a, b) => b.utility - a.utility);
}

function separate(chosen: Candidate, others: readonly Candidate[], input: RecommendInput): Separation[] {
  const rival = others.filter((other) => other.quality !== null).toSorted((a, b) => b.quality! - a.quality!)[0];
  if (rival === undefined) return [];
  return input.gathered.tasks.flatMap((task) => {
    const comparison = input.compare(chosen, rival, task);
    if (comparison === null) return [];
    const evidence = chosen.evidence.find((one) => one.task === task);
    const verdict = comparisonVerdict({ comparison, higherIsBetter: evidence?.primary.higherIsBetter ?? true });
    return [{ over: rival.model, task, verdict, comparison, itemsNeeded: itemsNeeded(comparison) }];
  });
}

function itemsNeeded(comparison: PairedComparison): number | null {
  const { difference, onlyA, onlyB, n, standardError } = comparison;
  if (difference === null || difference === 0 || n === 0) return null;
  if (onlyA !== null && onlyB !== null) return sampleSizeFor({ kind: 'paired-proportions', discordance: (onlyA + onlyB) / n }, difference);
  return standardError === null ? null : sampleSizeFor({ kind: 'paired-means', sd: standardError * Math.sqrt(n) }, difference);
}

function gaps({ candidates, incomplete }: Gathered): string[] {
  const lines = incomplete.map(({ model, missing }) => `${model}: no result on ${missing.join(', ')} (same items)`);
  const names: readonly (readonly [string, (candidate: Candidate) => number | null])[] = [
    ['TTFT', (candidate) => candidate.ttftMs],
    ['output speed', (candidate) => candidate.decodeTokensPerSecond],
    ['memory', (candidate) => candidate.memoryBytes],
  ];
  for (const [name, of] of names) {
    const without = candidates.filter((candidate) => of(candidate) === null).map((candidate) => candidate.model);
    if (without.length > 0) lines.push(`${name} of ${without.join(', ')}`);
  }
  return lines;
}

/** Tasks on which a model gave no valid answer: measured, and no choice. */
function unusableAnswers({ evidence }: Candidate): string[] {
  return evidence
    .filter(({ entry }) => entry.counts.scored === 0 && entry.counts.invalid > 0)
    .map(({ task, primary, entry }) => {
      const value = primary.value === null ? 'no score' : formatMetric(primary);
      return `${task} ${value}, all ${entry.counts.invalid} answers invalid (100.0 %)`;
    });
}

export function recommend(input: RecommendInput): Recommendation {
  const { gathered, constraints, weights } = input;
  const judged = gathered.candidates.map((candidate) => ({
    candidate,
    reasons: [...unusableAnswers(candidate), ...missedConstraints(candidate, constraints)],
  }));
  const accepted = judged.filter(({ reasons }) => reasons.length === 0).map(({ candidate }) => candidate);
  const complete = accepted.filter((candidate) => candidate.quality !== null);
  const ranked = rank(complete, weights);
  const chosen = ranked[0] ?? null;
  return {
    tasks: gathered.tasks,
    chosen,
    ranked,
    rejected: judged.filter(({ reasons }) => reasons.length > 0).map(({ candidate, reasons }) => ({ model: candidate.model, reasons })),
    front: ranked.filter((one) => one.isOnFront).map((one) => one.candidate.model),
    separations:
      chosen === null
        ? []
        : separate(
            chosen.candidate,
            complete.filter((one) => one !== chosen.candidate),
            input,
          ),
    notMeasured: gaps(gathered),
    leftOut: gathered.leftOut,
  };
}
