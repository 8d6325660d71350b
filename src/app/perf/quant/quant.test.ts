import { expect, test } from 'vitest';
import { divergenceOf } from '../../../backends/llama/fidelity-job.ts';
import type { GgufFacts } from '../../../formats/gguf-facts.ts';
import { summariseFidelity } from './fidelity-summary.ts';
import { tensorFallbacks } from './tensor-fallbacks.ts';

function normaliser(logits: Float32Array): number {
  const top = Math.max(...logits);
  return top + Math.log(logits.reduce((sum, value) => sum + Math.exp(value - top), 0));
}

test('KL divergence of two small distributions equals the sum by hand', () => {
  const p = Float32Array.from([2, 1, 0, -100]);
  const q = Float32Array.from([1, 2, 0.5, -90]);
  const probabilities = (logits: Float32Array) => [...logits].map((value) => Math.exp(value - normaliser(logits)));
  const [pp, qq] = [probabilities(p), probabilities(q)];
  const byHand = pp.reduce((sum, value, index) => sum + (value > 1e-30 ? value * Math.log(value / qq[index]!) : 0), 0);
  expect(divergenceOf(p, normaliser(p), q, normaliser(q))).toBeCloseTo(byHand, 12);
  expect(divergenceOf(p, normaliser(p), p, normaliser(p))).toBe(0);
});

test('the summary keeps mean, spread, tails and agreement; the ratio has its paired error', () => {
  const summary = summariseFidelity({
    referenceNll: Float64Array.from([1, 2, 3, 4]),
    candidateNll: Float64Array.from([1.1, 2.1, 3.3, 4.1]),
    divergence: Float64Array.from([0.01, 0.02, 0.03, 0.1]),
    sameTop: Uint8Array.from([1, 1, 0, 1]),
  })!;
  expect(summary).toMatchObject({ tokens: 4, klMax: 0.1, klMedian: 0.025, topAgreement: 0.75 });
  expect(summary.logRatio).toBeCloseTo(0.15, 12);
  // Differences 0.1 0.1 0.3 0.1: sd 0.1, error 0.05.
  expect(summary.logRatioError).toBeCloseTo(0.05, 12);
  expect(summary.perplexity / summary.referencePerplexity).toBeCloseTo(Math.exp(0.15), 10);
  expect(summary.topAgreementInterval!.low).toBeLessThan(0.75);
  const none = new Float64Array(0);
  expect(summariseFidelity({ referenceNll: none, candidateNll: none, divergence: none, sameTop: new Uint8Array(0) })).toBeNull();
});

test('weights that fell back to other types are named; a file as its name says is quiet', () => {
  const facts = (types: Readonly<Record<string, number>>) =>
    ({
      quantisation: 'Q4_K_M',
      parameters: Object.values(types).reduce((sum, value) => sum + value, 0),
      tensorTypes: Object.fromEntries(
        Object.entries(types).map(([type, elements]) => [type, { tensors: 3, elements, sizeBytes: elements }]),
      ),
    }) as unknown as GgufFacts;
  expect(tensorFallbacks(facts({ Q4_K: 900, Q6_K: 90, F32: 10 }))).toEqual([]);
  expect(tensorFallbacks(facts({ Q5_0: 900, Q8_0: 90, F32: 10 }))).toEqual([
    '90.0 % of the weights (3 tensors) are Q5_0: their width does not fit the blocks of Q4_K_M',
    '9.0 % of the weights (3 tensors) are Q8_0: their width does not fit the blocks of Q4_K_M',
  ]);
});
