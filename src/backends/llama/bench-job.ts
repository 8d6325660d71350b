// Raw speed of the engine, measured as llama-bench does (random tokens, one warm-up, nothing sampled), so the figures compare.
import type { BenchRequest, BenchResult } from '../../core/ports/backend.ts';
import type { LoadedModel } from './open-model.ts';

export function runBench(model: LoadedModel, request: BenchRequest): BenchResult {
  const { promptTokens, generatedTokens, depth, repetitions } = request;
  const prefillTokensPerSecond: number[] = [];
  const decodeTokensPerSecond: number[] = [];
  const token = randomTokens(model);
  const fresh = () => model.native.llama.memory_clear(model.memory, false);
  fresh();
  if (promptTokens > 0) feed(model, token, 0, promptTokens);
  if (generatedTokens > 0) generate(model, token, promptTokens, 1);
  for (let repetition = 0; repetition < repetitions; repetition++) {
    if (promptTokens > 0) {
      fresh();
      feed(model, token, 0, depth);
      const started = performance.now();
      feed(model, token, depth, promptTokens);
      prefillTokensPerSecond.push((promptTokens / (performance.now() - started)) * 1000);
    }
    if (generatedTokens > 0) {
      fresh();
      feed(model, token, 0, depth);
      const started = performance.now();
      generate(model, token, depth, generatedTokens);
      decodeTokensPerSecond.push((generatedTokens / (performance.now() - started)) * 1000);
    }
  }
  fresh();
  return { prefillTokensPerSecond, decodeTokensPerSecond };
}

function feed(model: LoadedModel, token: (position: number) => number, from: number, count: number): void {
  for (let done = 0; done < count; ) {
    const size = Math.min(count - done, model.batch.capacity);
    for (let index = 0; index < size; index++) {
      model.batch.add(token(from + done + index), from + done + index, [0], index === size - 1);
    }
    model.decode();
    done += size;
  }
}

function generate(model: LoadedModel, token: (position: number) => number, from: number, count: number): void {
  for (let index = 0; index < count; index++) {
    model.batch.add(token(from + index), from + index, [0], true);
    model.decode();
  }
}

/** A fixed pseudo-random walk over the vocabulary (multiplicative congruential generator, Park and Miller 1988), BOS first where the model wants one. */
function randomTokens({ vocabulary }: LoadedModel): (position: number) => number {
  let state = 42;
  return (position) => {
    state = (state * 48_271) % 2_147_483_647;
    return position === 0 && vocabulary.addsBos ? vocabulary.bos! : state % vocabulary.size;
  };
}
