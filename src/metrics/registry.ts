// Every metric by name.
import { ToolError } from '../core/errors.ts';
import type { Metric } from '../core/metric.ts';
import { suggestName } from '../core/names.ts';
import { accuracyMetrics } from './accuracy.ts';
import { calibrationMetrics } from './calibration.ts';
import { choiceMetrics } from './choice.ts';
import { classificationMetrics } from './classification.ts';
import { gradedMetrics } from './graded.ts';
import { judgeAgreementMetric } from './judge-agreement.ts';
import { multiLabelMetrics } from './multi-label.ts';
import { perplexityMetrics } from './perplexity.ts';
import { regressionMetrics } from './regression.ts';
import { textMetrics } from './text/text-metrics.ts';

const builtin: ReadonlyMap<string, Metric> = new Map(
  [
    ...accuracyMetrics,
    ...classificationMetrics,
    ...choiceMetrics,
    ...calibrationMetrics,
    ...perplexityMetrics,
    ...gradedMetrics,
    judgeAgreementMetric,
    ...multiLabelMetrics,
    ...regressionMetrics,
    ...textMetrics,
  ].map((metric) => [metric.name, metric]),
);

/** All built-in metrics, in the order of their families. */
export function listMetrics(): readonly Metric[] {
  return [...builtin.values()];
}

/**
 * The metric of that name; the user's own metrics win over built-in ones of the same name.
 * @throws ToolError `not-found` with the nearest known name
 */
export function findMetric(name: string, userMetrics: readonly Metric[] = []): Metric {
  const metric = userMetrics.find((one) => one.name === name) ?? builtin.get(name);
  if (metric !== undefined) return metric;
  const known = [...userMetrics.map((one) => one.name), ...builtin.keys()];
  throw new ToolError('not-found', `unknown metric "${name}"`, { hint: suggestName(name, known) });
}
