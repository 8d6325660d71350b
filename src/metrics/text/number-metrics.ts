// Metrics for numeric and mathematical answers.
import { z } from 'zod';
import type { Metric } from '../../core/metric.ts';
import { bestOverReferences } from './answer-metrics.ts';
import { mathEqual } from './math-equal.ts';
import { defineMeanMetric } from './mean-metric.ts';
import { parseNumber } from './number-text.ts';

/** |a - b| within the absolute tolerance, or within the relative one of the reference. */
export function isWithin(value: number, reference: number, absolute: number, relative: number): boolean {
  return Math.abs(value - reference) <= Math.max(absolute, relative * Math.abs(reference));
}

const numericMetric = defineMeanMetric({
  name: 'numeric',
  version: '1',
  title: 'Numeric match',
  description:
    'Share of answers that state the reference number within `absolute` or `relative` tolerance (default: exactly, up to rounding of the last binary digits). ' +
    '`50%` is 50; `1.000` is one unless `decimalMark: comma`.',
  options: z.strictObject({
    absolute: z.number().nonnegative().default(0),
    relative: z.number().nonnegative().default(1e-12),
    decimalMark: z.enum(['point', 'comma']).default('point'),
  }),
  prepare: ({ absolute, relative, decimalMark }) => ({
    score: (row) =>
      bestOverReferences(row, (prediction, reference) => {
        const value = parseNumber(prediction, decimalMark);
        const expected = parseNumber(reference, decimalMark);
        return Number(value !== null && expected !== null && isWithin(value, expected, absolute, relative));
      }),
    signature: `abs:${absolute}|rel:${relative}|mark:${decimalMark}`,
  }),
});

const mathEqualMetric = defineMeanMetric({
  name: 'math_equal',
  version: '1',
  title: 'Mathematical equality',
  description:
    'Share of answers equal to the reference as mathematics: numbers, fractions, roots, powers, tuples, intervals and sets in LaTeX or plain text. Algebra with variables is compared as text.',
  options: z.strictObject({}),
  prepare: () => ({ score: (row) => bestOverReferences(row, (prediction, reference) => Number(mathEqual(prediction, reference))) }),
});

export const numberMetrics: readonly Metric[] = [numericMetric, mathEqualMetric];
