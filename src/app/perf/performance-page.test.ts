// docs/performance.md defines every figure and every reason that a run can show.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadRates } from './load-rates.ts';
import { defaultRatings } from './ratings.ts';
import { requestMetrics } from './request-metrics.ts';
import { parseSlo } from './slo.ts';

const page = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8');

test('every metric and rate is defined', () => {
  const names = [...Object.keys(requestMetrics([], defaultRatings)), ...Object.keys(loadRates([], parseSlo('ttft=1s')))];
  expect(names.length).toBeGreaterThan(18);
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('every reason of a verdict is explained', () => {
  const source = readFileSync(new URL('perf-validity.ts', import.meta.url), 'utf8');
  const codes = [...new Set([...source.matchAll(/(?:doubt|fatal)\(\s*'([a-z-]+)'/g)].map((match) => match[1]!))];
  expect(codes.length).toBeGreaterThan(13);
  expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
