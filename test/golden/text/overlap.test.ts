import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript, shared with the benchmark
import { compareOverlap } from '../../../bench/metrics/text-overlap-check.mjs';

test('ROUGE, BLEU, chrF and their signatures equal rouge-score 0.1.2 and sacreBLEU 2.6.0 on fuzzed pairs', () => {
  const golden = JSON.parse(readFileSync(new URL('./overlap.json', import.meta.url), 'utf8'));
  const { compared, failures } = compareOverlap(golden);
  expect(failures).toEqual([]);
  expect(compared).toBe(400 * (2 * 4 * 3 + 10 + 5) + 15);
});
