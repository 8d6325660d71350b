// Cases for separate-reasoning: what each form is read as, and what it must not be read as.
import { describe, expect, it } from 'vitest';
import { reasoningMarks, separateReasoning } from './separate-reasoning.ts';

describe('separateReasoning', () => {
  for (const [open, close] of reasoningMarks) {
    it(`takes off ${open}`, () => {
      expect(separateReasoning(`${open}Draft A${close}\nB`)).toMatchObject({ answer: 'B', reasoning: 'Draft A', thinkingOnly: false });
      expect(separateReasoning(`Draft A${close} B`)).toMatchObject({ answer: 'B', reasoning: 'Draft A' });
      expect(separateReasoning(`  ${open}Draft A`)).toMatchObject({ answer: '', reasoning: 'Draft A', thinkingOnly: true });
      expect(separateReasoning(`${open}one${close} two ${open}three${close} four`).answer).toBe('four');
      expect(separateReasoning(`${open}${close}B`)).toMatchObject({ answer: 'B', reasoning: null });
      expect(separateReasoning(`${open}only${close}`)).toMatchObject({ answer: '', thinkingOnly: true });
    });
  }
  it('leaves a mark in the middle of an answer alone', () => {
    expect(separateReasoning('The tag <think> is used by some. D').answer).toBe('The tag <think> is used by some. D');
  });
  it('reads marks of any case and those a model declares', () => {
    expect(separateReasoning('<THINK>a</THINK>b').answer).toBe('b');
    expect(separateReasoning('~a~~b', { thinkTags: ['~', '~~'] }).answer).toBe('b');
  });
  it('takes the final channel and nothing else', () => {
    const channels =
      '<|channel|>analysis<|message|>maybe A<|end|><|start|>assistant<|channel|>commentary<|message|>call<|end|><|start|>assistant<|channel|>final<|message|>B<|return|>';
    expect(separateReasoning(channels)).toMatchObject({ answer: 'B' });
    expect(separateReasoning(channels).reasoning).toContain('maybe A');
    expect(separateReasoning('<|channel|>analysis<|message|>maybe A')).toMatchObject({ answer: '', thinkingOnly: true });
    expect(separateReasoning('analysisMaybe A.assistantfinalB').answer).toBe('B');
    expect(separateReasoning('analysis of the text: B').answer).toBe('analysis of the text: B');
  });
  it('keeps a channel of its own apart and never as the answer', () => {
    expect(separateReasoning('', { reasoning: 'The answer is B' })).toMatchObject({
      answer: '',
      reasoning: 'The answer is B',
      thinkingOnly: true,
    });
    expect(separateReasoning('C', { reasoning: 'B' })).toMatchObject({ answer: 'C', reasoning: 'B', thinkingOnly: false });
  });
  it('ends the answer at an end-of-turn mark and keeps the indentation of code', () => {
    expect(separateReasoning('B<|im_end|>\n<|im_start|>user').answer).toBe('B');
    expect(separateReasoning('    return 1').indented).toBe('    return 1');
  });
});
