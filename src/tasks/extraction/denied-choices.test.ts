// What a reply denies, doubts, strikes out or takes back is not its choice; what it then moves to is.
import { describe, expect, it } from 'vitest';
import { extractAnswer } from './extract-answer.ts';

const choice = { kind: 'choice', options: ['Rome', 'London', 'Oslo', 'Lima'] } as const;
const read = (text: string): string | null => extractAnswer(text, choice).value;

describe('an option that the clause denies or doubts is not chosen', () => {
  it.each([
    "I don't think the answer is A",
    'I do not think the answer is (C).',
    "I don't think B is the answer.",
    "I don't believe it's B",
    'I am not convinced it is B.',
    "I can't say that it is C",
    "I don't think the answer is London",
    'Ich glaube nicht, dass es B ist.',
    'Je ne pense pas que la réponse soit B',
    'It is false that the answer is B',
    'It is false that the answer is London.',
    "It's unlikely that the answer is B.",
    'I doubt it is B',
    "I'd be surprised if it were B",
    "It isn't the case that the answer is B",
    'I disagree that the answer is B',
    "No way it's B",
    'Nobody would choose B',
    'The answer cannot possibly be B',
    'B is the least likely',
    'Anything but B',
    'Anything but London',
    'The answer is anything but B',
    'Any option other than B',
    'B is far from correct',
    'B is anything but correct.',
    'B is hardly the right answer',
    'The wrong answer is B',
    'The wrong answer is London',
    'The least likely answer is B',
    'B) London is a false option.',
    'B) London is not correct.',
    'B (incorrect)',
  ])('%j chooses none', (text) => {
    const { value, reason } = extractAnswer(text, choice);
    expect([value, reason === 'out-of-set' || reason === 'refused']).toEqual([null, true]);
  });

  it.each([
    ["I don't think it's A, so B.", 'B'],
    ["I don't think it is A but C.", 'C'],
    ["I don't think A is right. B is.", 'B'],
    ["I'm not sure, but I think B.", 'B'],
    ['There is no doubt that the answer is B', 'B'],
    ['I do not doubt that B is correct.', 'B'],
    ['It is not true that A is right; the answer is C.', 'C'],
    ['A common wrong answer is B, but the correct answer is C.', 'C'],
    ['The most likely answer is B', 'B'],
    ["The answer must be B; I don't believe any other.", 'B'],
  ])('%j still chooses %s', (text, letter) => expect(read(text)).toBe(letter));
});

describe('an aside rejects what it names, not what stands before it', () => {
  it.each([
    ['Answer: A (incorrect: B)', 'A'],
    ['The answer is A (not B)', 'A'],
    ['Answer: B (wrong: A, C)', 'B'],
    ['Answer: B (A is wrong)', 'B'],
  ])('%j is %s', (text, letter) => expect(read(text)).toBe(letter));
});

describe('struck-out text is withdrawn', () => {
  it.each([
    ['The answer is ~~B~~ C', 'C'],
    ['~~A~~ B', 'B'],
    ['The answer is <del>B</del> C', 'C'],
    ['\\cancel{A} D', 'D'],
  ])('%j is %s', (text, letter) => expect(read(text)).toBe(letter));
  it('in labels and numbers as well', () => {
    expect(extractAnswer('~~positive~~ negative', { kind: 'label', labels: ['positive', 'negative'] }).value).toBe('negative');
    expect(extractAnswer('The answer is ~~5~~ 6', { kind: 'number' }).value).toBe('6');
  });
});

describe('a reply that takes its answer back', () => {
  it.each([
    ["I think the answer is A. But wait, it's B.", 'B'],
    ['The answer is A. Hmm, let me reconsider. It should be B.', 'B'],
    ['I said A. Oh wait, C.', 'C'],
    ['The answer is A. On reflection, it is D.', 'D'],
    ['The answer is A. Let me reconsider B. B is wrong.', 'A'],
    ['The answer is A. Wait, B is tempting but wrong. So A.', 'A'],
  ])('%j is %s', (text, letter) => expect(read(text)).toBe(letter));
});

describe('labels that are only listed', () => {
  it.each([
    ['Answer (A/B/C/D): C', 'C'],
    ['Answer [A|B|C|D]: D', 'D'],
    ['Answer (A, B, C or D): D', 'D'],
    ['Answer (choose one of A, B, C or D): B', 'B'],
    ['Please choose A, B, C or D.', null],
    ['Select one of A, B, C, D.', null],
    ['Students should pick A or B.', null],
    ['A (10%), B (70%)', null],
    ['A (10%), B (20%), C (70%)', null],
  ])('%j is %s', (text, letter) => expect(read(text)).toBe(letter));
});

describe('options judged line by line', () => {
  it.each([
    ['A: False\nB: False\nC: True\nD: False', 'C'],
    ['(A) wrong\n(B) wrong\n(C) right\n(D) wrong', 'C'],
    ['A. Rome: No\nB. London: Yes\nC. Oslo: No\nD. Lima: No', 'B'],
    ['| A | False |\n| B | True |\n| C | False |\n| D | False |', 'B'],
    ['A: ❌\nB: ✅\nC: ❌\nD: ❌', 'B'],
    ['A: False\nB: True\nC: True\nD: False', null],
    ['A: False\nB: True\nC: False\nD: False\n\nAnswer: D', 'D'],
  ])('%j is %s', (text, letter) => expect(read(text)).toBe(letter));
  it('is a list of the options where they are such words themselves', () =>
    expect(extractAnswer('A: True\nB: False', { kind: 'choice', options: ['True', 'False'] }).value).toBeNull());
});
