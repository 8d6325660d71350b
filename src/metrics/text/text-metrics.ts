// The text metrics of slmbench, in the order of `slmbench list metrics`.
import type { Metric } from '../../core/metric.ts';
import { containsMetric, exactMatchMetric, regexMetric, tokenF1Metric } from './answer-metrics.ts';
import { rougeMetrics } from './rouge-metrics.ts';

export const textMetrics: readonly Metric[] = [exactMatchMetric, containsMetric, regexMetric, tokenF1Metric, ...rougeMetrics];
