// Every figure of a load point that follows from its requests: computed once when it is measured, and again when a run is verified.
import { countSlo, loadRates, type WindowOfRepetition } from './load-rates.ts';
import type { LoadPoint } from './perf-schema.ts';
import type { Ratings } from './ratings.ts';
import { requestMetrics } from './request-metrics.ts';
import { describeSlo, type Slo } from './slo.ts';

export type PointFigures = Pick<LoadPoint, 'requests' | 'metrics' | 'rates' | 'errorClasses' | 'finishReasons' | 'slo'>;

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

export function pointFigures(phases: readonly WindowOfRepetition[], ratings: Ratings, slo: Slo | null): PointFigures {
  const all = phases.flatMap((phase) => [...phase.all]);
  const steady = phases.flatMap((phase) => [...phase.window.results]);
  const counts = slo === null ? null : countSlo(steady, slo);
  return {
    requests: {
      sent: all.length,
      steady: steady.length,
      failed: all.filter((result) => result.error !== null).length,
      empty: all.filter((result) => result.error === null && result.ttftMs === null).length,
    },
    metrics: requestMetrics(steady, ratings),
    rates: loadRates(phases, slo),
    errorClasses: countBy(all.flatMap((result) => (result.error === null ? [] : [result.error.class]))),
    finishReasons: countBy(all.flatMap((result) => (result.error === null ? [result.finish] : []))),
    slo:
      counts === null
        ? null
        : {
            objective: describeSlo(slo!),
            ...counts,
            attained: steady.length > 0 && counts.good / steady.length >= slo!.percentile / 100,
          },
  };
}
