// Cases for extract-line: what each form is read as, and what it must not be read as.
import { describe, expect, it } from 'vitest';
import { extractLine } from './extract-line.ts';

describe('extractLine', () => {
  it('reads a line of each kind with its own fields or the defaults', () => {
    expect(extractLine({ output: 'The answer is (B).', options: ['Rome', 'Paris'] }, { kind: 'choice' })).toEqual({
      value: 'B',
      rule: 'answer-cue',
      reason: null,
    });
    expect(extractLine({ output: 'B', options: { A: 'Rome', B: 'Paris' } }, { kind: 'choice' })).toMatchObject({ value: 'B' });
    expect(extractLine({ output: '2', options: { 1: 'Rome', 2: 'Paris' } }, { kind: 'choice' })).toMatchObject({ value: '2' });
    expect(extractLine({ output: 'Negative!' }, { kind: 'label', labels: ['positive', 'negative'] })).toMatchObject({ value: 'negative' });
    expect(extractLine({ output: 'x', labels: ['x'] }, { kind: 'label', labels: ['y'] })).toMatchObject({ value: 'x' });
    expect(extractLine({ prediction: '$5' }, { kind: 'number' })).toMatchObject({ value: '5' });
    expect(extractLine({ output: '1. a\n2. b' }, { kind: 'list' })).toMatchObject({ values: ['a', 'b'] });
    expect(extractLine({ output: 'Score: 4', scale: 5 }, { kind: 'judge' })).toMatchObject({ value: '0.8' });
    expect(extractLine({ output: null, finishReason: 'length' }, { kind: 'number' })).toMatchObject({ value: null, reason: 'truncated' });
  });
  it('says what is wrong with a line', () => {
    expect(() => extractLine({ text: 'B' }, { kind: 'number' })).toThrow(/no "output"/);
    expect(() => extractLine({ output: 'B' }, { kind: 'choice' })).toThrow(/needs "options"/);
    expect(() => extractLine({ output: 5 }, { kind: 'number' })).toThrow(/not an extraction line/);
    expect(() => extractLine('B', { kind: 'number' })).toThrow(/not an extraction line/);
    expect(() => extractLine({ output: 'B' }, { kind: 'chioce' })).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining('choice') }),
    );
    expect(() => extractLine({ output: 'B', pattern: '(' }, { kind: 'regex' })).toThrow(/no regular expression/);
  });
});
