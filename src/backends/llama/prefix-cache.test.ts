// Which prefixes are kept: what requests share, once it has been seen to be shared; never more than four.
import { describe, expect, it } from 'vitest';
import { createPrefixCache, trunkCount } from './prefix-cache.ts';

/** Stands in for the KV cache: only which sequence holds how many tokens. */
function fakeMemory() {
  const held = new Map<number, number>();
  const llama = {
    memory_seq_rm: (_: unknown, sequence: number) => held.delete(sequence),
    memory_seq_cp: (_: unknown, _source: number, target: number, _from: number, to: number) => held.set(target, to),
  };
  const cache = createPrefixCache({ native: { llama }, memory: null } as unknown as Parameters<typeof createPrefixCache>[0]);
  return { held, cache };
}
const header = Array.from({ length: 50 }, (_, index) => index);
const question = (id: number) => [...header, ...Array.from({ length: 20 }, (_, index) => 1000 * id + index)];
const context = (tokens: readonly number[], sequence = 9) => ({ tokens, sequence });

describe('prefix cache', () => {
  it('keeps what the requests of one batch share', () => {
    const { cache, held } = fakeMemory();
    cache.learn([context(question(1)), context(question(2)), context(question(3))]);
    expect(cache.match(question(4), 69)).toMatchObject({ length: 50 });
    expect([...held.values()]).toEqual([50]);
  });

  it('keeps a lone request until the next shows what of it is shared', () => {
    const { cache } = fakeMemory();
    cache.learn([context(question(1))]);
    expect(cache.match(question(2), 69)?.length).toBe(50);
    cache.learn([context(question(2))]);
    cache.learn([context([7, 8, 9, 7, 8, 9, 7, 8, 9, 7])]);
    expect(cache.match(question(3), 69)?.length).toBe(50);
  });

  it('leaves out the token whose logits are needed', () => {
    const { cache } = fakeMemory();
    cache.learn([context(question(1))]);
    expect(cache.match(question(1), 69)?.length).toBe(69);
  });

  it('keeps two interleaved headers', () => {
    const { cache } = fakeMemory();
    const other = (id: number) => question(id).map((token) => token + 5);
    cache.learn([context(question(1)), context(other(1)), context(question(2)), context(other(2))]);
    expect(cache.match(question(3), 69)?.length).toBe(50);
    expect(cache.match(other(3), 69)?.length).toBe(50);
  });

  it('holds at most four prefixes and frees the oldest', () => {
    const { cache, held } = fakeMemory();
    for (let family = 0; family < 9; family++) {
      const shifted = (id: number) => question(id).map((token) => token + 100_000 * family);
      cache.learn([context(shifted(1)), context(shifted(2))]);
      expect(held.size).toBeLessThanOrEqual(trunkCount);
    }
    expect(cache.match(question(3), 69)).toBeNull();
    cache.shrinkTo(120);
    expect(cache.cells).toBeLessThanOrEqual(120);
    cache.shrinkTo(0);
    expect([cache.cells, held.size]).toEqual([0, 0]);
  });
});
