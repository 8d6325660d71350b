// Intervals of records at the level that a gate asks for.
import type { Interval } from '../../core/metric.ts';
import { normalQuantile } from '../../stats/distributions.ts';

/** The interval of a record, widened or narrowed to another level as a normal one would be. */
export function atLevel(interval: Interval | null, value: number, level: number): Interval | null {
  if (interval === null) return null;
  const scale = normalQuantile(1 - (1 - level) / 2) / normalQuantile(1 - (1 - interval.level) / 2);
  return {
    low: value - (value - interval.low) * scale,
    high: value + (interval.high - value) * scale,
    level,
    method: interval.method,
  };
}
