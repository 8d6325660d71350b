// Means, spreads and t intervals of plain numbers.
import type { Interval } from '../core/metric.ts';
import { studentTQuantile } from './distributions.ts';

/** Arithmetic mean with compensated summation (Neumaier 1974), or null without values. */
export function mean(values: ArrayLike<number>): number | null {
  return values.length === 0 ? null : sum(values) / values.length;
}

/** Sum with compensation (Neumaier 1974), so that the order of rows does not move the last digits. */
export function sum(values: ArrayLike<number>): number {
  let total = 0;
  let lost = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    const next = total + value;
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total;
    total = next;
  }
  return total + lost;
}

/** Sum of squared deviations from the mean. */
export function squaredDeviations(values: ArrayLike<number>, centre: number): number {
  let total = 0;
  for (let index = 0; index < values.length; index++) {
    const deviation = values[index]! - centre;
    total += deviation * deviation;
  }
  return total;
}

/** Sample standard deviation (n - 1), or null for fewer than two values. */
export function standardDeviation(values: ArrayLike<number>): number | null {
  const centre = mean(values);
  return centre === null || values.length < 2 ? null : Math.sqrt(squaredDeviations(values, centre) / (values.length - 1));
}

/** Standard error of the mean of independent values: sd / sqrt(n), or null for fewer than two values. */
export function standardErrorOfMean(values: ArrayLike<number>): number | null {
  const spread = standardDeviation(values);
  return spread === null ? null : spread / Math.sqrt(values.length);
}

/** estimate +- t(df) x standard error. `df` Infinity gives the normal interval. */
export function tInterval(facts: {
  readonly estimate: number;
  readonly standardError: number;
  readonly df: number;
  readonly level?: number | undefined;
  readonly method?: string | undefined;
}): Interval {
  const level = facts.level ?? 0.95;
  const reach = studentTQuantile(1 - (1 - level) / 2, facts.df) * facts.standardError;
  return { low: facts.estimate - reach, high: facts.estimate + reach, level, method: facts.method ?? 't' };
}

/** Student's t interval of a mean, or null for fewer than two values. */
export function meanInterval(values: ArrayLike<number>, level = 0.95): Interval | null {
  const standardError = standardErrorOfMean(values);
  if (standardError === null) return null;
  return tInterval({ estimate: mean(values)!, standardError, df: values.length - 1, level });
}
