// Draws equal to CPython's, in one sequence, so that both sampling methods and their change-over are covered.
import { expect, test } from 'vitest';
import vectors from '../../test/golden/tasks/python-random.json' with { type: 'json' };
import { PythonRandom } from './python-random.ts';

test('first outputs of each seed equal CPython', () => {
  for (const { seed, words, later } of vectors.outputs) {
    const random = new PythonRandom(seed);
    expect(words.map(() => random.next32())).toEqual(words);
    expect(Array.from({ length: 700 }, () => random.next32()).slice(-2)).toEqual(later);
  }
});

test('a run of samples from one generator equals random.sample', () => {
  const random = new PythonRandom(1234);
  for (const { population, count, drawn } of vectors.samples) expect(random.sample(population, count)).toEqual(drawn);
});

test('more than there are cannot be drawn', () => {
  expect(() => new PythonRandom(1).sample(2, 3)).toThrow('cannot draw 3 of 2');
});
