// The toy model: proper probabilities, a context that matters, and a file that says what it is.
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../core/digest.ts';
import { memorySource } from './byte-source.ts';
import { ggufFacts } from './gguf-facts.ts';
import { readGguf } from './gguf-reader.ts';
import { toyDecode, toyEncode, toyExpectation } from './toy-expectation.ts';
import { byteTokenTexts, toyModelBytes, toyTokens } from './toy-model.ts';

describe.each(['bigram', 'context'] as const)('toy model, %s', (variant) => {
  it('is a small complete llama GGUF, equal each time', async () => {
    const bytes = toyModelBytes(undefined, variant);
    expect(bytes.length).toBeLessThan(4_000_000);
    const facts = ggufFacts([await readGguf(memorySource(bytes), { keepArray: () => true })]);
    expect(facts).toMatchObject({ kind: 'model', architecture: 'llama', vocabularySize: 260, trainedContext: 8192 });
    expect(facts.chatTemplate).toContain('<|im_start|>');
    expect(sha256Hex(toyModelBytes('abc', variant))).toBe(sha256Hex(toyModelBytes('abc', variant)));
  });

  it('has probabilities that sum to one', () => {
    const expectation = toyExpectation(undefined, variant);
    for (const text of ['', 'Q', 'The answer is', 'é']) {
      const total = expectation.logProbabilities(toyEncode(text)).reduce((sum, value) => sum + Math.exp(value), 0);
      expect(total).toBeCloseTo(1, 6);
    }
  });
});

describe('toyExpectation', () => {
  it('counts a bigram by hand', () => {
    // After "a" the text has "b" twice and the end once; smoothing adds 0.05 (1 + id / 260) to each of 260 tokens.
    const smoothing = Array.from({ length: 260 }, (_, id) => 0.05 * (1 + id / 260));
    const total = 3 + smoothing.reduce((sum, value) => sum + value, 0);
    const { score, greedy } = toyExpectation('ab\naba');
    expect(score('a', 'b').logprob).toBeCloseTo(Math.log((2 + smoothing[98]!) / total), 6);
    expect(score('a', 'b')).toMatchObject({ tokens: 1, greedy: true });
    expect(toyDecode(greedy(toyEncode('xa'), 1))).toBe('b');
  });

  it('sees the whole context in the context variant only', () => {
    const long = 'zzzz The answer is ';
    const short = 'The answer is ';
    const bigram = toyExpectation(undefined, 'bigram');
    const context = toyExpectation(undefined, 'context');
    expect(bigram.score(long, 'z').logprob).toBe(bigram.score(short, 'z').logprob);
    expect(context.score(long, 'z').logprob).toBeGreaterThan(context.score(short, 'z').logprob + 0.1);
  });

  it('encodes bytes and knows the stand-ins of the byte vocabulary', () => {
    expect(toyEncode('é')).toEqual([toyTokens.bos, 0xc3, 0xa9]);
    const texts = byteTokenTexts();
    expect(new Set(texts).size).toBe(256);
    expect([texts[32], texts[10], texts[65], texts[255]]).toEqual(['Ġ', 'Ċ', 'A', 'ÿ']);
  });
});
