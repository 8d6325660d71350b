// User metrics: a function per row, a way to put the rows together, and an interval, typed and checked.
import { ToolError } from '../core/errors.ts';
import type { Metric, MetricOptions } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { bootstrap } from '../stats/bootstrap.ts';
import { createItemMeans } from './item-means.ts';
import { meanMetric } from './mean-metric.ts';
import { metricValue } from './metric-value.ts';

export interface MetricDefinition {
  /** Name in recipes: letters, digits and `_ - @ .`. */
  readonly name: string;
  /** Change it whenever the same rows would give another number. @default '1' */
  readonly version?: string | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** @default true */
  readonly higherIsBetter?: boolean | undefined;
  /** @default 'score' */
  readonly unit?: string | undefined;
  /** Score of one row; null leaves the row out. Rows whose output was invalid come too: look at `row.outcome`. */
  readonly score: (row: PredictionRow, options: MetricOptions) => number | null;
  /** How item scores become one number. A function gets one score per item. @default 'mean' */
  readonly aggregate?: 'mean' | ((scores: readonly number[]) => number) | undefined;
  /** `wilson` for right or wrong, `t` for means, `bootstrap` for own aggregates. @default 't', or 'bootstrap' with an own aggregate */
  readonly interval?: 'wilson' | 't' | 'bootstrap' | 'none' | undefined;
}

function checked(definition: MetricDefinition): void {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}_.@-]*$/u.test(definition.name)) {
    throw new ToolError('config', `"${definition.name}" cannot name a metric`, { hint: 'use letters, digits and _ - . @, no spaces' });
  }
  const own = typeof definition.aggregate === 'function';
  if (own && (definition.interval === 'wilson' || definition.interval === 't')) {
    throw new ToolError(
      'config',
      `metric "${definition.name}": a ${definition.interval} interval belongs to a mean, not to an own aggregate`,
      {
        hint: 'use interval "bootstrap" or "none"',
      },
    );
  }
}

/**
 * Makes a metric from a scoring function.
 * @example defineMetric({ name: 'short_enough', interval: 'wilson', score: (row) => ((row.cleaned ?? '').length <= 200 ? 1 : 0) })
 */
export function defineMetric(definition: MetricDefinition): Metric {
  checked(definition);
  const facts = {
    name: definition.name,
    version: definition.version ?? '1',
    title: definition.title ?? definition.name,
    description: definition.description ?? 'user metric',
    higherIsBetter: definition.higherIsBetter ?? true,
    unit: definition.unit ?? 'score',
  };
  const aggregate = definition.aggregate;
  if (
    typeof aggregate !== 'function' &&
    (definition.interval === undefined || definition.interval === 'wilson' || definition.interval === 't')
  ) {
    const scale = definition.interval === 'wilson' ? 'proportion' : 'mean';
    return meanMetric({ ...facts, scale, prepare: (options) => ({ score: (row) => definition.score(row, options) }) });
  }
  const combine =
    typeof aggregate === 'function' ? aggregate : (scores: readonly number[]) => scores.reduce((a, b) => a + b, 0) / scores.length;
  return aggregateMetric(facts, definition, combine);
}

function aggregateMetric(
  facts: Pick<Metric, 'name' | 'version' | 'title' | 'description' | 'higherIsBetter'> & { readonly unit: string },
  definition: MetricDefinition,
  combine: (scores: readonly number[]) => number,
): Metric {
  return {
    ...facts,
    create: (options) => {
      const means = createItemMeans();
      return {
        add: (row) => {
          const score = definition.score(row, options);
          if (score === null || !Number.isFinite(score)) return null;
          means.add(row, score);
          return score;
        },
        finish: () => {
          const scores = [...means.scores()];
          const n = scores.length;
          if (n === 0 || definition.interval === 'none') {
            return { values: [metricValue(facts, { value: n === 0 ? null : combine(scores), n })] };
          }
          const result = bootstrap(
            { size: n, statistic: (items) => combine(Array.from(items, (item) => scores[item]!)) },
            { seed: options.seed, resamples: Math.max(200, Math.min(2000, Math.floor(2e7 / n))), level: options.level },
          );
          return {
            values: [metricValue(facts, { value: result.estimate, n, interval: result.interval, standardError: result.standardError })],
          };
        },
      };
    },
  };
}
