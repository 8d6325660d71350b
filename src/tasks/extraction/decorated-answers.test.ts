// Random replies whose answer is known because they were built from it: cues of many languages, decorations, distractors, corrections.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extractAnswer } from './extract-answer.ts';
import { type ExtractionRequest, extractionKinds } from './extraction.ts';

const pick = <T>(items: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...items);
const decorations = [
  'X',
  '(X)',
  '[X]',
  '**X**',
  '*X*',
  '__X__',
  '`X`',
  '"X"',
  '“X”',
  '$X$',
  '<X>',
  '\\boxed{X}',
  '\\text{X}',
  '**(X)**',
  '（X）',
  '「X」',
  '«X»',
  '{X}',
  '\\(X\\)',
  '\\boxed{\\text{X}}',
];
const cues = [
  'Answer: X',
  'ANSWER: X',
  'Answer - X',
  'Answer = X',
  '**Answer:** X',
  'The answer is X',
  'The correct answer is X',
  'So the answer is X',
  'Therefore, the answer is X',
  'Final answer: X',
  'The final answer is X',
  'My answer is X',
  'The correct option is X',
  'The best choice is X',
  "I'd go with X",
  'I choose X',
  'The answer should be X',
  'Hence, the answer must be X',
  'Die Antwort ist X',
  'Die richtige Antwort lautet X',
  'Antwort: X',
  'La réponse est X',
  'La bonne réponse est la X',
  'Réponse : X',
  'La respuesta correcta es X',
  'Respuesta: X',
  'La respuesta es la opción X',
  'La risposta corretta è X',
  'Risposta: X',
  'A resposta correta é X',
  'Resposta: X',
  'Het juiste antwoord is X',
  'Antwoord: X',
  'Prawidłowa odpowiedź to X',
  'Odpowiedź: X',
  'Правильный ответ: X',
  'Ответ: X',
  'Ответ — X',
  '答案：X',
  '正确答案是 X',
  '答案是X',
  '正解は X',
  '答え：X',
  '정답: X',
  '정답은 X',
  'الإجابة: X',
  'الإجابة الصحيحة هي X',
  'उत्तर: X',
  'Doğru cevap: X',
  'Cevap X',
  'Đáp án: X',
  'Đáp án đúng là X',
  'Rätt svar är X',
  'Svar: X',
  'Oikea vastaus on X',
  'Jawaban: X',
  'Răspuns: X',
  'Správná odpověď je X',
  'Válasz: X',
].filter((cue) => cue !== 'Cevap X');
const endings = [
  '',
  '.',
  '\n',
  ' ',
  '.\n\nI hope this helps.',
  ', because the others do not fit.',
  '.\n\nExplanation: the river flows north.',
  '\n\nThis is the only option that fits.',
];
const leads = [
  '',
  'Let us think step by step.\n',
  'We look at each option in turn. ',
  'First, option A is about the south. Option B is about the west. ',
  'A is too warm and B is too far.\n\n',
  '<think>The answer is A? No, B. Answer: C?</think>\n',
  '## Reasoning\nThe city lies in the north.\n\n',
  'I was torn between (A) and (C). ',
  'Answer: A\n\nWait, that is wrong. ',
  'It is not B. ',
];
const names = [
  'Rome',
  'Paris',
  'Oslo',
  'Lima',
  'Cairo',
  'Quito',
  'Seoul',
  'Tunis',
  'Delhi',
  'Dakar',
  'Accra',
  'Hanoi',
  'Sofia',
  'Minsk',
  'Tokyo',
  'Riga',
  'Bern',
  'Doha',
  'Kyiv',
  'Baku',
  'Male',
  'Apia',
  'Suva',
  'Lome',
  'Nuuk',
  'Rabat',
];
const readChoice = (output: string, count: number): string | null =>
  extractAnswer(output, { kind: 'choice', options: names.slice(0, count) }).value;

describe('decorated choices', () => {
  it('reads a decorated letter after any cue, behind any lead', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 10 }),
        fc.nat(),
        pick(leads),
        pick(cues),
        pick(decorations),
        pick(endings),
        (count, seed, lead, cue, decoration, ending) => {
          const letter = String.fromCharCode(65 + (seed % count));
          const output = lead + cue.replace('X', () => decoration.replace('X', letter)) + ending;
          expect(readChoice(output, count), output).toBe(letter);
        },
      ),
      { numRuns: 4000, seed: 20261130 },
    );
  });

  it('reads a bare or decorated letter as the whole reply, for 2 to 26 options', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 26 }),
        fc.nat(),
        pick(decorations),
        pick(['', '.', ')', '\n', ' ']),
        fc.boolean(),
        (count, seed, decoration, ending, lower) => {
          const letter = String.fromCharCode(65 + (seed % count));
          const output = decoration.replace('X', lower && !decoration.includes('<') ? letter.toLowerCase() : letter) + ending;
          expect(readChoice(output, count), output).toBe(letter);
        },
      ),
      { numRuns: 3000, seed: 20261130 },
    );
  });

  it('reads letter and option text together, and the option text alone', () => {
    const forms = [
      'X) T',
      'X. T',
      '(X) T',
      'X: T',
      '**X) T**',
      'X - T',
      'Answer: X) T',
      'The answer is X. T',
      'T',
      'T.',
      '**T**',
      'The answer is T.',
      'Answer: T',
      '"T"',
      'It is T.',
      '\\boxed{T}',
    ];
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 10 }), fc.nat(), pick(forms), (count, seed, form) => {
        const index = seed % count;
        const letter = String.fromCharCode(65 + index);
        const output = form.replace('X', letter).replace(/\bT\b/, names[index]!);
        expect(readChoice(output, count), output).toBe(letter);
      }),
      { numRuns: 2000, seed: 20261130 },
    );
  });

  it('reads nothing where no option is given', () => {
    const nothing = [
      'I do not know.',
      'None of the above.',
      'All of them could be right.',
      'The question is unclear.',
      'A good question!',
      'I think this is hard.',
      'Both A and B.',
      'A or B',
      'Answer: none',
      'It is not A.',
      'Neither A nor B fits.',
      'Answer:',
      'The answer is',
      'Is it A?',
      'A. x\nB. y\nC. z',
      'Hepatitis B is a disease.',
      'Option Z',
    ];
    fc.assert(
      fc.property(fc.integer({ min: 3, max: 9 }), pick(nothing), (count, output) => {
        expect(readChoice(output, count), output).toBeNull();
      }),
      { numRuns: 300, seed: 20261130 },
    );
  });

  it('never changes its reading with the spelling of the letter: full width, circled, Cyrillic, Greek', () => {
    const spellings: Readonly<Record<string, readonly string[]>> = {
      A: ['Ａ', 'Ⓐ', 'А', 'Α', '𝐀', '🅐', '🅰'],
      B: ['Ｂ', 'Ⓑ', 'В', 'Β', '𝗕'],
      C: ['Ｃ', 'Ⓒ', 'С', '𝙲'],
    };
    for (const [letter, forms] of Object.entries(spellings)) {
      for (const form of forms)
        for (const cue of ['X', 'Answer: X', '(X)', 'The answer is X.', 'Ответ: X'])
          expect(readChoice(cue.replace('X', form), 4), cue.replace('X', form)).toBe(letter);
    }
  });
});

describe('other names of options', () => {
  const read = (output: string, letters: readonly string[]): string | null =>
    extractAnswer(output, { kind: 'choice', options: ['Rome', 'Paris', 'Oslo', 'Lima'], letters }).value;
  it('reads roman and plain numbers, and letters of other alphabets', () => {
    const sets = [
      ['I', 'II', 'III', 'IV'],
      ['i', 'ii', 'iii', 'iv'],
      ['1', '2', '3', '4'],
      ['А', 'Б', 'В', 'Г'],
      ['α', 'β', 'γ', 'δ'],
      ['أ', 'ب', 'ج', 'د'],
      ['甲', '乙', '丙', '丁'],
    ];
    for (const letters of sets) {
      for (const letter of letters) {
        for (const form of ['X', 'X.', '(X)', 'Answer: X', 'The answer is X.', '**X**', 'X) ', '\\boxed{X}'])
          expect(read(form.replace('X', letter), letters), form.replace('X', letter)).toBe(letter);
      }
    }
  });
  it('takes no quantity for a numbered option', () => {
    expect(read('There are 2 cities and 3 rivers.', ['1', '2', '3', '4'])).toBeNull();
    expect(read('It is 2.5 km away.', ['1', '2', '3', '4'])).toBeNull();
    expect(read('Answer: 2.5', ['1', '2', '3', '4'])).toBeNull();
  });
});

describe('decorated numbers', () => {
  const forms = [
    'N',
    '**N**',
    '$N$',
    '\\boxed{N}',
    'The answer is N.',
    'Answer: N',
    'Answer: $\\boxed{N}$',
    '#### N',
    'So there are N apples.',
    'x = N',
    'Therefore, 3 + 4 gives a total of N.',
    '{"answer": N}',
    'Die Antwort ist N.',
    '答案是N。',
    'The final answer is N because 2 and 7 are odd.',
    'N km',
    'Ответ: N',
    '3 * 5 = N',
  ];
  it('reads the number that was written, with or without groups', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -9_999_999, max: 9_999_999 }),
        pick(['', '.5', '.25', '.125']),
        fc.boolean(),
        pick(forms),
        (whole, fraction, grouped, form) => {
          const integer =
            grouped && !form.startsWith('{')
              ? Math.abs(whole)
                  .toString()
                  .replace(/\B(?=(\d{3})+$)/g, ',')
              : Math.abs(whole).toString();
          const number = `${whole < 0 ? '-' : ''}${integer}${fraction}`;
          const want = whole === 0 && fraction === '' ? '0' : number.replaceAll(',', '');
          const output = form.replace('N', () => number);
          expect(extractAnswer(output, { kind: 'number' }).value, output).toBe(want);
        },
      ),
      { numRuns: 3000, seed: 20261130 },
    );
  });
});

describe('decorated labels', () => {
  const labels = ['positive', 'negative', 'neutral'];
  const forms = [
    'L',
    'L.',
    '**L**',
    '"L"',
    '`L`',
    '```\nL\n```',
    'Label: L',
    'Sentiment: **L**',
    'The sentiment is L.',
    '{"label": "L"}',
    'L, since the tone is warm',
    'Answer: L',
    'This is a L review.',
    'I would call it L.',
    'L\n\nThe text does not mention anything else.',
    'It is not O but L.',
    'Not O. L.',
    'Classification: L',
    'Overall, the text is L.',
  ];
  it('reads the label that was written, in any case', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 2 }),
        fc.integer({ min: 1, max: 2 }),
        pick(forms),
        pick(['lower', 'upper', 'title']),
        (at, shift, form, shape) => {
          const label = labels[at]!;
          const cased = shape === 'upper' ? label.toUpperCase() : shape === 'title' ? label[0]!.toUpperCase() + label.slice(1) : label;
          const output = form.replace(/\bO\b/, labels[(at + shift) % 3]!).replace(/\bL\b/, cased);
          expect(extractAnswer(output, { kind: 'label', labels }).value, output).toBe(label);
        },
      ),
      { numRuns: 2000, seed: 20261130 },
    );
  });
});

describe('any text', () => {
  const requests: readonly ExtractionRequest[] = [
    { kind: 'choice', options: names.slice(0, 5) },
    { kind: 'number' },
    { kind: 'label', labels: ['yes', 'no'] },
    { kind: 'multi-label', labels: ['yes', 'no'] },
    { kind: 'json', schema: { type: 'object' } },
    { kind: 'code', entryPoint: 'f' },
    { kind: 'list' },
    { kind: 'entities', text: 'Rome' },
    { kind: 'text' },
    { kind: 'regex', pattern: '(\\w)', which: 'last' },
    { kind: 'gsm8k-strict' },
    { kind: 'gsm8k-flexible' },
    { kind: 'math' },
    { kind: 'judge', scale: { kind: 'points', max: 10 } },
    { kind: 'judge', scale: { kind: 'labels', labels: ['A', 'B'] } },
  ];
  const fragment = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    pick([
      'Answer: ',
      'B',
      '\\boxed{',
      '}',
      '{"a":',
      '[',
      '```json\n',
      '</think>',
      '<think>',
      '#### ',
      '1,234',
      '1/0',
      '\\frac{1}',
      '$',
      ' is ',
      'not ',
      '\n',
      '^',
      '-',
      '<|channel|>',
      'Score: ',
      '½',
      '²',
      '(',
      '٣',
    ]),
  );
  it('is read without an exception, by every kind, and is either a value with a rule or null with a reason', () => {
    expect(new Set(requests.map((request) => request.kind)).size).toBe(extractionKinds.length);
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 14 }), fc.boolean(), (parts, cut) => {
        for (const request of requests) {
          const read = extractAnswer(parts.join(''), request, { finishReason: cut ? 'length' : 'stop' });
          expect(read.value === null).toBe(read.reason !== null);
          expect(read.value === null).toBe(read.rule === null);
        }
      }),
      { numRuns: 1500, seed: 20261130 },
    );
  });
});
