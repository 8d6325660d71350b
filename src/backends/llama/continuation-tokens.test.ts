// The seam between context and continuation: white space, merged tokens, empty contexts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePair, moveTrailingSpace } from './continuation-tokens.ts';
import type { TextPart } from './engine-protocol.ts';
import type { Vocabulary } from './vocabulary.ts';

const bos = 1000;

/** One token a character, but "ab" is one token (7), as byte-pair vocabularies merge. */
function fakeVocabulary(changes: Partial<Vocabulary> = {}): Vocabulary {
  const encode = (parts: readonly TextPart[]) =>
    [
      ...parts
        .map(({ text }) => text)
        .join('')
        .matchAll(/ab|./gsu),
    ].map(([piece]) => (piece === 'ab' ? 7 : piece.codePointAt(0)!));
  return {
    size: 2000,
    bos,
    eos: null,
    addsBos: true,
    bosText: '<s>',
    eosText: '',
    controlTokens: [],
    isEndOfGeneration: () => false,
    encode,
    encodePrompt: (parts) => [bos, ...encode(parts)],
    bytesOf: () => Buffer.alloc(0),
    ...changes,
  };
}
const data = (text: string): TextPart[] => [{ kind: 'data', text }];
const codes = (text: string) => [...text].map((character) => character.codePointAt(0)!);

describe('encodePair', () => {
  it('joins to the tokens of the whole where no seam merges', () => {
    const text = fc.string({ unit: fc.constantFrom('x', 'y', ' ', '\n', 'é'), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(text, text, (context, continuation) => {
        const pair = encodePair(fakeVocabulary(), data(context), continuation);
        if (context.trim() !== '') expect([...pair.context, ...pair.continuation]).toEqual([bos, ...codes(context + continuation)]);
        expect(pair.continuation.length).toBeGreaterThan(0);
      }),
    );
  });

  it('moves white space at the end of the context, by the Python rule', () => {
    expect(encodePair(fakeVocabulary(), data('xy  '), ' z').continuation).toEqual(codes('   z'));
    expect(moveTrailingSpace(data('x\u0085\u001c'), 'y').moved).toBe('\u0085\u001cy');
    expect(moveTrailingSpace(data('x\ufeff'), 'y').moved).toBe('y');
    const template: TextPart[] = [{ kind: 'template', text: '<|assistant|>\n' }];
    expect(moveTrailingSpace(template, 'y')).toEqual({ prompt: template, moved: 'y' });
  });

  it('cuts by the count of context tokens where the seam merges', () => {
    // "xa" is 2 tokens, "xab!" is x, ab, !: the continuation is what comes after two tokens.
    expect(encodePair(fakeVocabulary(), data('xa'), 'b!')).toEqual({ context: [bos, ...codes('xa')], continuation: codes('!') });
    expect(() => encodePair(fakeVocabulary(), data('xa'), 'b')).toThrow(/no token of its own/u);
  });

  it('scores after BOS, or EOS, where there is no context', () => {
    expect(encodePair(fakeVocabulary(), data(''), 'xy')).toEqual({ context: [bos], continuation: codes('xy') });
    expect(encodePair(fakeVocabulary({ bos: null, eos: 5 }), data('  '), 'x')).toEqual({ context: [5], continuation: codes('  x') });
    expect(() => encodePair(fakeVocabulary({ bos: null, eos: null }), data(''), 'x')).toThrow(/neither/u);
    expect(() => encodePair(fakeVocabulary(), data('x'), '')).toThrow(/empty continuation/u);
  });
});
