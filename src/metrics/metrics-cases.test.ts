// Known right values of the metrics room: label sets, ties, NaN, perplexity units, repeats, groups, failures.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { metricDetailsSchema, metricValueSchema } from '../core/metric.ts';
import { invalid } from '../core/outcome.ts';
import type { PredictedChoice, PredictionRow } from '../core/prediction.ts';
import { classificationReport } from './classification-report.ts';
import { type ComputeMetricsOptions, computeMetrics } from './compute-metrics.ts';
import { defineMetric } from './define-metric.ts';
import { selectMetricValue } from './metric-value.ts';
import { predictionRow } from './prediction-row.ts';
import { findMetric, listMetrics } from './registry.ts';

function compute(rows: readonly PredictionRow[], names: readonly string[], options: Partial<ComputeMetricsOptions> = {}) {
  return computeMetrics(
    rows,
    names.map((name) => ({ name })),
    { seed: 1, ...options },
  );
}

function value(rows: readonly PredictionRow[], name: string, options: Partial<ComputeMetricsOptions> = {}) {
  return selectMetricValue(compute(rows, [name.split(':')[0]!], options).values, name)!;
}

/** Metrics that work without options. */
const plainMetrics = listMetrics().filter((metric) => {
  try {
    metric.create({ seed: 1, labels: ['a'], use: {} });
    return true;
  } catch {
    return false;
  }
});

function labelled(gold: readonly string[], predicted: readonly (string | null)[]): PredictionRow[] {
  return gold.map((label, index) => {
    const prediction = predicted[index]!;
    return predictionRow({ id: `${index}`, label, prediction, ...(prediction === null ? { outcome: invalid('empty') } : {}) });
  });
}

describe('labels', () => {
  test('rates that divide by zero are 0 and named, so that they can be told from real zeros', () => {
    const report = classificationReport(['0', '1', '0', '3'], ['0', '1', '2', '2'], { labels: ['0', '1', '2', '3'] });
    expect(report.undefinedFor).toEqual({ precision: ['3'], recall: ['2'] });
    expect(report.perClass.map(({ precision }) => precision)).toEqual([1, 1, 0, 0]);
    expect(report.perClass.map(({ recall }) => recall)).toEqual([0.5, 1, 0, 0]);
  });

  test('undefined rates are null on request, and F1 is what its own definition gives', () => {
    const options = { labels: ['0', '1', '2', '3'], zeroDivision: 'nan' } as const;
    const report = classificationReport(['0', '1', '0', '3'], ['0', '1', '2', '2'], options);
    expect(report.perClass.map(({ precision }) => precision)).toEqual([1, 1, 0, null]);
    expect(report.perClass.map(({ recall }) => recall)).toEqual([0.5, 1, null, 0]);
    expect(report.perClass[0]!.f1).toBeCloseTo(0.666667, 6);
    expect(report.perClass.slice(1).map(({ f1 }) => f1)).toEqual([1, 0, 0]);
    expect(report.averages.macro!.precision).toBeCloseTo(2 / 3, 12);
    const absent = classificationReport(['0', '1', '0', '1', '2'], ['0', '0', '0', '0', '0'], options);
    expect(absent.averages.macro!.f1).toBeCloseTo(0.190476, 6);
  });

  test('a free-text answer adds no class; the compatibility mode takes all labels that occur', () => {
    const gold = ['high', 'low', 'high', 'low', 'low'];
    const predicted = ['high', 'low', 'low', 'archive', 'low'];
    const declared = classificationReport(gold, predicted, { labels: ['high', 'low'] });
    expect(declared.accuracy).toBeCloseTo(0.6, 12);
    expect(declared.invalid).toBe(1);
    expect(declared.averages.macro!.precision).toBeCloseTo(0.833333, 6);
    expect(declared.averages.macro!.recall).toBeCloseTo(0.583333, 6);
    expect(declared.averages.macro!.f1).toBeCloseTo(0.666667, 6);
    expect(declared.averages.micro!.precision).toBeCloseTo(0.75, 12);
    expect(declared.averages.micro!.recall).toBeCloseTo(0.6, 12);
    expect(declared.averages.weighted!.precision).toBeCloseTo(0.8, 12);
    const union = classificationReport(gold, predicted, { labels: 'union' });
    expect(union.averages.macro!.f1).toBeCloseTo(0.444444, 6);
    expect(union.averages.micro!.f1).toBeCloseTo(0.6, 12);
  });

  test('classes without rows or predictions: macro over the declared ones, present-only under its own name', () => {
    const report = classificationReport(['0', '1', '0', '1', '2'], ['0', '0', '0', '0', '0'], { labels: ['0', '1', '2', '3'] });
    expect(report.perClass.map((one) => one.support)).toEqual([2, 2, 1, 0]);
    expect(report.averages.macro!.f1).toBeCloseTo(0.142857, 6);
    expect(report.averages['macro-present']!.f1).toBeCloseTo(0.190476, 6);
    expect(report.averages.weighted!.f1).toBeCloseTo(0.228571, 6);
    const perfect = classificationReport(['x', 'x'], ['x', 'x'], { labels: ['x', 'y'] });
    expect(perfect.averages.macro!.f1).toBe(0.5);
    expect(perfect.averages['macro-present']!.f1).toBe(1);
  });

  test('a positive class and nothing right give 0, not NaN', () => {
    const rows = labelled(['pos', 'neg', 'pos'], ['neg', 'neg', 'neg']);
    const { values } = computeMetrics(rows, [{ name: 'f1', options: { positive: 'pos' } }], { seed: 1, labels: ['pos', 'neg'] });
    expect(selectMetricValue(values, 'f1:positive')!.value).toBe(0);
  });

  test('everything invalid is 0 of n; nothing at all is null of 0', () => {
    const rows = labelled(['a', 'b'], [null, null]);
    expect(value(rows, 'accuracy')).toMatchObject({ value: 0, n: 2 });
    expect(value(rows, 'f1:macro', { labels: ['a', 'b'] })).toMatchObject({ value: 0, n: 2 });
    for (const metric of plainMetrics) {
      for (const one of compute([], [metric.name], { labels: ['a'] }).values) {
        expect(one, `${metric.name}`).toMatchObject({ value: null, n: 0, interval: null, standardError: null });
      }
    }
  });

  test('equality is exact: case and spaces count, aliases are declared', () => {
    const rows = labelled(['pos', 'pos'], [' pos', 'Positive']);
    expect(value(rows, 'accuracy').value).toBe(0);
    const { values } = computeMetrics(rows, [{ name: 'accuracy', options: { aliases: { Positive: 'pos' } } }], { seed: 1 });
    expect(values[0]!.value).toBe(0.5);
  });

  test('labels named like object members are ordinary labels', () => {
    const names = ['constructor', '__proto__', 'toString'];
    const report = classificationReport(names, names, { labels: names });
    expect(report.averages.macro!.f1).toBe(1);
    const rows = labelled(names, names);
    expect(computeMetrics(rows, [{ name: 'accuracy', options: { aliases: {} } }], { seed: 1 }).values[0]!.value).toBe(1);
    const f1 = computeMetrics(rows, [{ name: 'f1', options: { aliases: {} } }], { seed: 1, labels: names });
    expect(f1.details.f1!.perClass!.map((one) => one.truePositives)).toEqual([1, 1, 1]);
  });

  test('columns of different length are refused', () => {
    expect(() => classificationReport(['a'], [])).toThrow(RangeError);
  });

  test('micro recall equals accuracy whenever all gold labels are declared', () => {
    const label = fc.constantFrom('a', 'b', 'c');
    fc.assert(
      fc.property(fc.array(fc.tuple(label, fc.option(fc.constantFrom('a', 'b', 'c', 'zzz'))), { minLength: 1, maxLength: 40 }), (pairs) => {
        const report = classificationReport(
          pairs.map(([gold]) => gold),
          pairs.map(([, predicted]) => predicted),
          { labels: ['a', 'b', 'c'] },
        );
        expect(report.averages.micro!.recall).toBeCloseTo(report.accuracy!, 12);
        const cells = report.confusion.counts.flat().reduce((left, right) => left + right, 0);
        expect(cells).toBe(pairs.length);
        expect(report.confusion.counts.reduce((sum, row) => sum + row[3]!, 0)).toBe(report.invalid);
      }),
    );
  });
});

function choices(...logprobs: number[]): PredictedChoice[] {
  return logprobs.map((logprob, index) => ({ text: `choice ${index}`, logprob, tokens: 1, greedy: false }));
}

describe('choices', () => {
  const tie = predictionRow({ id: 'a', gold: [1], choices: choices(-1, -1, -2, -3) });
  const flat = predictionRow({ id: 'b', gold: [3], choices: choices(-1, -1, -1, -1) });
  test('ties share the credit natively, the first one counts under lm-eval; both are counted', () => {
    const native = compute([tie, flat], ['acc']);
    expect(native.values[0]!.value).toBeCloseTo((0.5 + 0.25) / 2, 12);
    expect(native.details.acc!.ties).toBe(2);
    const compatible = computeMetrics([tie, flat], [{ name: 'acc', options: { ties: 'first' } }], { seed: 1 });
    expect(computeMetrics([tie, flat], [{ name: 'acc', options: { protocol: 'lm-eval' } }], { seed: 1 }).values).toEqual(compatible.values);
    expect(compatible.values[0]!.value).toBe(0);
    expect(compatible.details.acc!.ties).toBe(2);
  });
  test('-Infinity is the lowest score, NaN is no prediction', () => {
    const impossible = predictionRow({ id: 'c', gold: [1], choices: choices(Number.NEGATIVE_INFINITY, -2, -3, -4) });
    expect(value([impossible], 'acc')).toMatchObject({ value: 1, n: 1 });
    const broken = predictionRow({ id: 'd', gold: [0], choices: choices(-3, Number.NaN, -1) });
    const result = compute([broken, impossible], ['acc', 'brier', 'mc2']);
    for (const one of result.values) expect(one.n).toBe(1);
    expect(result.details.acc!.notes!.join(' ')).toContain('1 rows');
  });
  test('characters are code points, bytes are UTF-8, an empty choice cannot be normalised', () => {
    const row = predictionRow({
      id: 'e',
      gold: [0],
      choices: [
        { text: '😀😀', logprob: -4, tokens: 2, greedy: false },
        { text: 'abc', logprob: -4.5, tokens: 3, greedy: false },
      ],
    });
    // Per code point -2 against -1.5; per UTF-16 unit the emoji would win (-1 against -1.5), per byte it does (-0.5 against -1.5).
    expect(value([row], 'acc_norm').value).toBe(0);
    expect(value([row], 'acc_bytes').value).toBe(1);
    const empty = predictionRow({ id: 'f', gold: [0], choices: [{ text: '', logprob: -1, tokens: 0, greedy: false }] });
    expect(value([empty], 'acc_norm')).toMatchObject({ value: null, n: 0 });
  });
  test('mutual information needs the unconditional score', () => {
    const row = predictionRow({
      id: 'g',
      gold: [1],
      choices: [
        { text: 'a', logprob: -1, tokens: 1, greedy: true, unconditionalLogprob: -0.5 },
        { text: 'b', logprob: -2, tokens: 1, greedy: false, unconditionalLogprob: -4 },
      ],
    });
    expect(value([row], 'acc_mutual_info').value).toBe(1);
    expect(value([tie], 'acc_mutual_info')).toMatchObject({ value: null, n: 0 });
  });
  test('mc2 survives scores that underflow, brier is 0 for certainty and right', () => {
    const tiny = predictionRow({ id: 'h', gold: [0, 1], choices: choices(-2000, -2000, -2000, -2000) });
    expect(value([tiny], 'mc2').value).toBeCloseTo(0.5, 12);
    const sure = predictionRow({ id: 'i', gold: [0], choices: choices(0, -800) });
    expect(value([sure], 'brier').value).toBeCloseTo(0, 12);
    expect(value([flat], 'brier').value).toBeCloseTo(0.75 ** 2 + 3 * 0.25 ** 2, 12);
  });
  test('calibration: right half of the time at 50 % is perfect', () => {
    const rows = [0, 1].map((gold) =>
      predictionRow({ id: `${gold}`, gold: [gold], choices: choices(Math.log(0.5000001), Math.log(0.4999999)) }),
    );
    const { values, details } = compute(rows, ['ece']);
    expect(values[0]!.value).toBeCloseTo(0, 6);
    expect(details.ece!.reliability!.reduce((sum, bin) => sum + bin.n, 0)).toBe(2);
    expect(details.ece!.reliability![0]).toMatchObject({ n: 0, confidence: null, accuracy: null });
  });
  test('letter tasks score the picked index', () => {
    const rows = [
      predictionRow({ id: '1', gold: [2], predictedIndex: 2, prediction: 'C', label: 'C' }),
      predictionRow({ id: '2', gold: [2], label: 'C', outcome: invalid('ambiguous') }),
    ];
    expect(value(rows, 'accuracy')).toMatchObject({ value: 0.5, n: 2 });
    expect(value(rows, 'acc')).toMatchObject({ value: 0.5, n: 2 });
  });
});

describe('perplexity', () => {
  const rolling = (id: string, logprob: number, tokens: number, words: number, bytes: number) =>
    predictionRow({ id, rolling: { logprob, tokens, words, bytes } });
  test('pooled, in nats, with the denominator that was named', () => {
    const rows = [rolling('a', -2, 2, 1, 8), rolling('b', -30, 10, 7, 40)];
    expect(value(rows, 'token_perplexity').value).toBeCloseTo(14.391916, 6);
    expect(value(rows, 'word_perplexity').value).toBeCloseTo(Math.exp(4), 9);
    expect(value([rolling('x', -20, 10, 5, 40)], 'bits_per_byte').value).toBeCloseTo(0.721348, 6);
    expect(value([rolling('y', -15, 5, 5, 40)], 'bits_per_byte').value).toBeCloseTo(0.541011, 6);
    expect(value([rolling('x', -20, 10, 5, 40)], 'token_perplexity').value).toBeCloseTo(7.389056, 6);
  });
  test('nothing scored is null; one document has no interval', () => {
    expect(value([rolling('a', 0, 0, 0, 0)], 'token_perplexity')).toMatchObject({ value: null, n: 0 });
    expect(value([rolling('a', -5, 2, 1, 8)], 'token_perplexity').interval).toBeNull();
  });
});

describe('repeats and clusters', () => {
  test('repeats of an item are one item', () => {
    const rows = [
      [1, 1, 0],
      [0, 0, 0],
    ].flatMap((scores, item) =>
      scores.map((score, repeat) => predictionRow({ id: `${item}`, repeat, label: 'x', prediction: score === 1 ? 'x' : 'y' })),
    );
    const accuracy = value(rows, 'accuracy');
    expect(accuracy).toMatchObject({ n: 2 });
    expect(accuracy.value).toBeCloseTo(1 / 3, 12);
    expect(accuracy.interval!.method).toBe('clustered-wilson');
  });
  test('no score of 0 or 100 % has an error bar of width 0', () => {
    for (const right of [0, 1]) {
      const rows = Array.from({ length: 25 }, (_, index) =>
        predictionRow({
          id: `${index}`,
          label: 'x',
          prediction: right === 1 ? 'x' : 'y',
          references: ['x'],
          predictions: right === 1 ? ['x'] : ['y'],
          gold: [0],
          choices: right === 1 ? choices(0, -900) : choices(-900, 0),
          grades: [{ grader: 'g', score: right }],
        }),
      );
      for (const metric of plainMetrics) {
        for (const one of compute(rows, [metric.name], { labels: ['x', 'y'] }).values) {
          if (one.interval !== null) expect(one.interval.high - one.interval.low, `${one.name} ${one.average}`).toBeGreaterThan(0.001);
        }
      }
      for (const name of ['accuracy', 'acc', 'graded', 'mc2', 'pass@k', 'subset_accuracy']) {
        const interval = compute(rows, [name], { labels: ['x', 'y'] }).values[0]!.interval!;
        expect(right === 1 ? 1 - interval.low : interval.high, name).toBeGreaterThan(0.1);
      }
    }
  });
  test('shared passages widen the interval', () => {
    const rows = (passages: boolean) =>
      Array.from({ length: 80 }, (_, index) => {
        const passage = Math.floor(index / 8);
        return predictionRow({
          id: `${index}`,
          label: 'x',
          prediction: passage % 2 === 0 ? 'x' : 'y',
          ...(passages ? { cluster: `p${passage}` } : {}),
        });
      });
    for (const name of ['accuracy', 'f1:macro']) {
      const plain = value(rows(false), name, { labels: ['x', 'y'] }).interval!;
      const clustered = value(rows(true), name, { labels: ['x', 'y'] }).interval!;
      expect(clustered.high - clustered.low, name).toBeGreaterThan(1.8 * (plain.high - plain.low));
    }
  });
  test('pass@k over repeats; ungraded is never 0', () => {
    const graded = (id: string, scores: readonly (number | null)[]) =>
      scores.map((score, repeat) => predictionRow({ id, repeat, grades: [{ grader: 'code', score }] }));
    const rows = [...graded('a', [1, 0, 0, 0]), ...graded('b', [1, 1, 1, 1]), ...graded('c', [null, null, null, null])];
    const { values } = computeMetrics(rows, [{ name: 'pass@k', options: { k: [1, 2] } }, { name: 'graded' }], { seed: 1 });
    expect(selectMetricValue(values, 'pass@k:k=1')).toMatchObject({ value: 0.625, n: 2 });
    expect(selectMetricValue(values, 'pass@k:k=2')!.value).toBeCloseTo((0.5 + 1) / 2, 12);
    expect(selectMetricValue(values, 'graded')).toMatchObject({ value: 0.625, n: 2 });
  });
});

describe('categories and failures', () => {
  test('per-category means stand beside the overall one', () => {
    const rows = labelled(['x', 'x', 'y', 'y'], ['x', 'y', 'y', 'y']).map((row, index) => ({
      ...row,
      category: index < 2 ? 'format' : 'facts',
    }));
    const { categories, values } = compute(rows, ['accuracy']);
    expect(categories.map(({ category, n, values: [one] }) => [category, n, one!.value])).toEqual([
      ['format', 2, 0.5],
      ['facts', 2, 1],
    ]);
    expect(values[0]!.value).toBe(0.75);
  });
  test('errors and skipped rows never enter a score', () => {
    const rows = [
      ...labelled(['x', 'x'], ['x', 'y']),
      predictionRow({ id: 'e', label: 'x', outcome: { kind: 'error', class: 'timeout', message: 'no answer' } }),
      predictionRow({ id: 's', label: 'x', outcome: { kind: 'skipped', reason: 'policy' } }),
    ];
    expect(value(rows, 'accuracy')).toMatchObject({ value: 0.5, n: 2 });
  });
});

describe('names, options, own metrics', () => {
  test('a mistyped metric or option is an error that names the right one', () => {
    expect(() => findMetric('acuracy')).toThrowError(expect.objectContaining({ code: 'not-found', hint: 'did you mean "accuracy"?' }));
    expect(() => computeMetrics([], [{ name: 'f1', options: { positiv: 'x' } }], { seed: 1 })).toThrowError(
      expect.objectContaining({ code: 'config', hint: 'did you mean "positive"?' }),
    );
    expect(() => computeMetrics([], [{ name: 'ece', options: { bins: 0 } }], { seed: 1 })).toThrowError(/bins/);
    expect(() => computeMetrics(labelled(['a'], ['a']), [{ name: 'f1', options: { positive: 'b' } }], { seed: 1 })).toThrowError(
      /not among/,
    );
  });
  test('every metric accepts the protocol of the run', () => {
    for (const metric of plainMetrics) {
      findMetric(metric.name).create({ seed: 1, labels: ['a'], use: { protocol: 'native' } });
      findMetric(metric.name).create({ seed: 1, labels: ['a'], use: { protocol: 'lm-eval' } });
    }
  });
  test('own metrics: mean, own aggregate, named interval', () => {
    const short = defineMetric({ name: 'short', interval: 'wilson', score: (row) => ((row.cleaned ?? '').length < 3 ? 1 : 0) });
    const longest = defineMetric({
      name: 'longest',
      score: (row) => (row.cleaned ?? '').length,
      aggregate: (scores) => Math.max(...scores),
    });
    const rows = labelled(['a', 'a', 'a'], ['ab', 'abcd', 'abcdef']);
    const { values } = computeMetrics(rows, [{ name: 'short' }, { name: 'longest' }], { seed: 1, userMetrics: [short, longest] });
    expect(values[0]).toMatchObject({ n: 3, interval: { method: 'wilson' } });
    expect(values[0]!.value).toBeCloseTo(1 / 3, 12);
    expect(values[1]).toMatchObject({ value: 6, interval: { method: 'bootstrap-percentile' } });
    expect(() => defineMetric({ name: 'a b', score: () => 1 })).toThrow(/cannot name/);
    expect(() => defineMetric({ name: 'x', score: () => 1, aggregate: () => 1, interval: 't' })).toThrow(/own aggregate/);
  });
  test('every metric survives every odd row and gives valid JSON numbers, the same ones again', () => {
    const odd: PredictionRow[] = [
      predictionRow({ id: '1' }),
      predictionRow({ id: '2', label: '', prediction: '' }),
      predictionRow({ id: '3', label: '7', prediction: 'NaN', gold: [9], choices: choices(-1, -2) }),
      predictionRow({ id: '4', label: 'a', gold: [], choices: [] }),
      predictionRow({ id: '5', label: 'a', references: [], predictions: ['a', 'a'], outcome: invalid('truncated') }),
      predictionRow({ id: '6', label: '1e3', prediction: '1000', grades: [{ grader: 'g', score: null }], category: 'c', cluster: 'k' }),
      predictionRow({ id: '6', repeat: 1, label: '1e3', prediction: '-5.5', category: 'c', cluster: 'k' }),
    ];
    expect(plainMetrics.length).toBeGreaterThan(30);
    for (const metric of plainMetrics) {
      const first = compute(odd, [metric.name]);
      for (const one of first.values) metricValueSchema.parse(one);
      for (const one of Object.values(first.details)) metricDetailsSchema.parse(one);
      expect(JSON.stringify(first)).not.toMatch(/NaN|Infinity/);
      expect(compute(odd, [metric.name])).toEqual(first);
    }
  });
});
