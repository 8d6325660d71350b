// The text metrics of slmbench, in the order of `slmbench list metrics`.
import type { Metric } from '../../core/metric.ts';
import { containsMetric, exactMatchMetric, regexMetric, tokenF1Metric } from './answer-metrics.ts';
import { jsonMetrics } from './json-metrics.ts';
import { listMetrics } from './list-metrics.ts';
import { numberMetrics } from './number-metrics.ts';
import { rougeMetrics } from './rouge-metrics.ts';
import { translationMetrics } from './translation-metrics.ts';

export const textMetrics: readonly Metric[] = [
  exactMatchMetric,
  containsMetric,
  regexMetric,
  tokenF1Metric,
  ...rougeMetrics,
  ...translationMetrics,
  ...numberMetrics,
  ...jsonMetrics,
  ...listMetrics,
];
