import { expect, test } from 'vitest';
import { comparePaired, pairScores } from '../../stats/compare-paired.ts';
import type { Candidate } from './gather-candidates.ts';
import { defaultWeights, missedConstraints, recommend } from './recommend.ts';

function candidate(model: string, facts: Partial<Candidate>): Candidate {
  return {
    model,
    digest: model,
    licence: 'apache-2.0',
    evidence: [],
    quality: 0.5,
    ttftMs: 100,
    latencyMs: 1000,
    decodeTokensPerSecond: 50,
    memoryBytes: 1e9,
    ...facts,
  };
}

const gathered = (candidates: Candidate[]) => ({ tasks: ['t'], candidates, incomplete: [], leftOut: [] });
const none = () => null;

test('a constraint that was not measured is not met', () => {
  expect(missedConstraints(candidate('a', { memoryBytes: null }), { maxMemoryBytes: 2e9 })).toEqual([
    expect.stringMatching(/peak memory was not measured/),
  ]);
  expect(missedConstraints(candidate('a', {}), { maxMemoryBytes: 2e9, maxTtftMs: 500, licence: 'permissive' })).toEqual([]);
  expect(missedConstraints(candidate('a', { licence: 'gemma' }), { licence: 'permissive' })).toHaveLength(1);
});

test('the better model wins by default, the smaller one when memory weighs', () => {
  const good = candidate('good', { quality: 0.8, memoryBytes: 4e9, decodeTokensPerSecond: 20, latencyMs: 3000 });
  const small = candidate('small', { quality: 0.7, memoryBytes: 0.5e9, decodeTokensPerSecond: 80, latencyMs: 500 });
  const choose = (weights: typeof defaultWeights) =>
    recommend({ gathered: gathered([small, good]), constraints: {}, weights, compare: none }).chosen?.candidate.model;
  expect(choose({ quality: 1, speed: 0, latency: 0, memory: 0 })).toBe('good');
  expect(choose({ quality: 1, speed: 0, latency: 0, memory: 1 })).toBe('small');
});

test('a dominated model is off the front, an unmeasured aspect does not put it there', () => {
  const best = candidate('best', { quality: 0.8 });
  const worse = candidate('worse', { quality: 0.7, ttftMs: null, latencyMs: 1200, decodeTokensPerSecond: 40, memoryBytes: 2e9 });
  const { front } = recommend({ gathered: gathered([best, worse]), constraints: {}, weights: defaultWeights, compare: none });
  expect(front).toEqual(['best']);
});

test('what the data cannot separate is said with the number of items that could', () => {
  const items = (right: (index: number) => boolean) =>
    Array.from({ length: 40 }, (_, index) => ({ id: String(index), score: right(index) ? 1 : 0 }));
  const a = items((index) => index < 22);
  const b = items((index) => index < 20 || index === 39);
  const compare = () => comparePaired(pairScores(b, a), { seed: 1 });
  const { separations } = recommend({
    gathered: gathered([candidate('a', { quality: 0.55 }), candidate('b', { quality: 0.525 })]),
    constraints: {},
    weights: defaultWeights,
    compare,
  });
  expect(separations[0]?.verdict).toBe('no difference seen');
  expect(separations[0]?.itemsNeeded).toBeGreaterThan(40);
});

test('nobody meets the constraints: nothing is chosen and each reason is kept', () => {
  const result = recommend({
    gathered: gathered([candidate('a', {})]),
    constraints: { minQuality: 0.9 },
    weights: defaultWeights,
    compare: none,
  });
  expect(result.chosen).toBeNull();
  expect(result.rejected[0]?.reasons[0]).toMatch(/accuracy 0.500 is below 0.900/);
});
