import { expect, test } from 'vitest';
import { predictionRow } from '../prediction-row.ts';
import { textMetrics } from './text-metrics.ts';

const size = 60_000;
const inputs: Readonly<Record<string, string>> = {
  spaces: `${' '.repeat(size)}x`,
  digits: `${'1'.repeat(size)}x`,
  groups: `${'1,'.repeat(size / 2)}x`,
  brackets: '['.repeat(size),
  braces: '\\frac{'.repeat(size / 6),
  quotes: '"'.repeat(size),
  surrogates: '\ud800'.repeat(size / 10),
  combining: `a${'\u0301'.repeat(size / 10)}`,
};

test.each(Object.keys(inputs))('no metric hangs or breaks on a long run of %s', (kind) => {
  const slow: string[] = [];
  for (const metric of textMetrics) {
    const use = metric.name === 'regex' ? { pattern: 'x' } : metric.name === 'json_schema' ? { schema: {} } : {};
    const accumulator = metric.create({ seed: 1, use });
    const started = performance.now();
    const score = accumulator.add(predictionRow({ id: 'a', prediction: inputs[kind]!, label: 'the answer is 42' }));
    if (performance.now() - started > 1000) slow.push(metric.name);
    expect(score === null || Number.isFinite(score)).toBe(true);
  }
  expect(slow).toEqual([]);
});
