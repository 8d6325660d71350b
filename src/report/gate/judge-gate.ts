// What the evidence says about each limit: passed, failed, or not enough data to tell. Only evidence fails a gate.
import type { Interval } from '../../core/metric.ts';
import type { GateRule } from './gate-rule.ts';

export type GateOutcome = 'pass' | 'fail' | 'not-enough-data';

/** What is known of one rule on one model and task. */
export interface GateEvidence {
  readonly rule: GateRule;
  /** Model as the run calls it; null for a check of the whole run. */
  readonly model: string | null;
  readonly task: string | null;
  /** Items or measurements that the effect rests on. */
  readonly n: number;
  readonly baseline: number | null;
  readonly value: number | null;
  /** The judged quantity: a drop (positive is worse), a ratio to the baseline, or the value itself. */
  readonly effect: number | null;
  /** Simultaneous interval of the effect. */
  readonly interval: Interval | null;
  /** Every answer equals the baseline's answer. */
  readonly identical: boolean;
  /** A single reading without spread (peak memory) is compared as it is. */
  readonly exact: boolean;
  readonly notes: readonly string[];
}

export interface GateCheck extends GateEvidence {
  readonly outcome: GateOutcome;
  readonly reason: string;
}

export interface GateReport {
  readonly run: string;
  readonly baseline: string | null;
  readonly checks: readonly GateCheck[];
  /** Fail beats not-enough-data beats pass. */
  readonly outcome: GateOutcome;
  readonly strict: boolean;
  /** 0, or 3 when the gate is missed (under `--strict` also without enough data). */
  readonly exitCode: 0 | 3;
}

/** Below this number of items nothing is claimed. */
export const fewestItems = 10;

function isAtMost(rule: GateRule): boolean {
  return rule.kind === 'max-drop' || rule.kind === 'max-ratio' || rule.kind === 'max';
}

/** Boundary included: a value equal to its limit keeps it. */
function keeps(rule: GateRule, effect: number): boolean {
  const tolerance = 1e-12 * Math.max(1, Math.abs(rule.limit));
  return isAtMost(rule) ? effect <= rule.limit + tolerance : effect >= rule.limit - tolerance;
}

export function judgeEvidence(evidence: GateEvidence): GateCheck {
  const { rule, effect, interval, n } = evidence;
  const judged = (outcome: GateOutcome, reason: string): GateCheck => ({ ...evidence, outcome, reason });
  if (effect === null) return judged('not-enough-data', 'there is no value');
  if (evidence.exact) return judged(keeps(rule, effect) ? 'pass' : 'fail', 'one reading without spread');
  if (n < fewestItems) return judged('not-enough-data', `${n} items, at least ${fewestItems} are needed`);
  if (evidence.identical && keeps(rule, effect)) return judged('pass', `all ${n} answers equal the baseline's`);
  if (interval === null) return judged('not-enough-data', 'no interval can be given for this metric');
  const [best, worst] = isAtMost(rule) ? [interval.low, interval.high] : [interval.high, interval.low];
  if (keeps(rule, worst)) return judged('pass', 'the whole interval keeps the limit');
  if (!keeps(rule, best)) return judged('fail', 'the whole interval is beyond the limit');
  return judged(
    'not-enough-data',
    keeps(rule, effect)
      ? 'the limit is kept, but the interval reaches beyond it'
      : 'the limit is missed, but the interval reaches within it',
  );
}

/**
 * Level of the two-sided interval of each check. A false alarm needs one end only, so each check may err with 2 alpha / checks for the
 * chance of any false alarm over all of them to stay at `alpha` (Bonferroni).
 */
export function intervalLevel(checks: number, alpha = 0.05): number {
  return 1 - (2 * alpha) / Math.max(1, checks);
}

export function summariseGate(facts: Pick<GateReport, 'run' | 'baseline' | 'checks' | 'strict'>): GateReport {
  const has = (outcome: GateOutcome): boolean => facts.checks.some((check) => check.outcome === outcome);
  const outcome = has('fail') ? 'fail' : has('not-enough-data') ? 'not-enough-data' : 'pass';
  const isMissed = outcome === 'fail' || (facts.strict && outcome === 'not-enough-data');
  return { ...facts, outcome, exitCode: isMissed ? 3 : 0 };
}
