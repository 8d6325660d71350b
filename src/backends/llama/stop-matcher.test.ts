import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStopMatcher } from './stop-matcher.ts';

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é', '😀'), maxLength: 40 });
const stops = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é'), minLength: 1, maxLength: 4 }), { maxLength: 3 });

function cutAtFirst(whole: string, list: readonly string[]): string {
  const places = list.map((stop) => whole.indexOf(stop)).filter((index) => index >= 0);
  return places.length === 0 ? whole : whole.slice(0, Math.min(...places));
}

describe('stop matcher', () => {
  it('gives the same text however the output is cut into pieces, and never shows a stop string', () => {
    fc.assert(
      fc.property(text, stops, fc.array(fc.nat(5), { maxLength: 60 }), (whole, list, cuts) => {
        const matcher = createStopMatcher(list);
        let shown = '';
        let from = 0;
        for (const length of [...cuts, whole.length]) {
          shown += matcher.push(whole.slice(from, from + length));
          from += length;
        }
        shown += matcher.flush();
        expect(shown).toBe(cutAtFirst(whole, list));
        expect(matcher.found === null).toBe(!list.some((stop) => whole.includes(stop)));
      }),
    );
  });

  it('holds back only what could still begin a stop string', () => {
    const matcher = createStopMatcher(['\n\nQuestion:']);
    expect(matcher.push('Paris.\n')).toBe('Paris.');
    expect(matcher.push('France')).toBe('\nFrance');
    expect(matcher.push('\n\nQuest')).toBe('');
    expect(matcher.push('ion: next')).toBe('');
    expect(matcher.found).toBe('\n\nQuestion:');
    expect(matcher.flush()).toBe('');
  });
});
