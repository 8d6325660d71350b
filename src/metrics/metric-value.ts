// Makes one printed number: finite or null, with what it rests on.
import type { Interval, MetricValue } from '../core/metric.ts';

export interface MetricFacts {
  readonly name: string;
  readonly version: string;
  readonly higherIsBetter: boolean;
  /** `fraction`, `score`, `nats`, `bits/byte`... */
  readonly unit: string;
}

/** A metric value; a number that is not finite, or no rows, becomes null, and so do the interval and error that would not be finite. */
export function metricValue(
  facts: MetricFacts,
  result: {
    readonly value: number | null;
    readonly n: number;
    readonly average?: string | null | undefined;
    readonly interval?: Interval | null | undefined;
    readonly standardError?: number | null | undefined;
  },
): MetricValue {
  const value = result.n > 0 && result.value !== null && Number.isFinite(result.value) ? result.value : null;
  const interval = result.interval ?? null;
  // An interval of width 0 claims endless precision (all rows alike): it is left out.
  const bounded =
    value !== null && interval !== null && Number.isFinite(interval.low) && Number.isFinite(interval.high) && interval.low < interval.high;
  const error = result.standardError ?? null;
  return {
    name: facts.name,
    average: result.average ?? null,
    value,
    n: result.n,
    interval: bounded ? interval : null,
    standardError: value !== null && error !== null && Number.isFinite(error) ? error : null,
    higherIsBetter: facts.higherIsBetter,
    unit: facts.unit,
    version: facts.version,
  };
}

/**
 * The value that a reference such as `f1:macro`, `f1` or `acc_norm` names. Without an average: the plain one, else macro, else the first.
 */
export function selectMetricValue(values: readonly MetricValue[], reference: string): MetricValue | undefined {
  const exact = values.find((value) => value.name === reference);
  const cut = reference.lastIndexOf(':');
  if (exact === undefined && cut > 0) {
    const name = reference.slice(0, cut);
    const average = reference.slice(cut + 1);
    return values.find((value) => value.name === name && value.average === average);
  }
  const sameName = values.filter((value) => value.name === reference);
  return sameName.find((value) => value.average === null) ?? sameName.find((value) => value.average === 'macro') ?? sameName[0];
}
