// Numbers written as English words, where they are certain: "twelve", "forty-two", "three hundred and five", "negative six".
import { type Rational, rational } from './rational.ts';

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const small = new Map<string, number>([
  ...units.map((word, at) => [word, at] as const),
  ...tens.map((word, at) => [word, 20 + 10 * at] as const),
]);
const large = new Map<string, bigint>([
  ['thousand', 1000n],
  ['million', 1_000_000n],
  ['billion', 1_000_000_000n],
]);

export interface WordNumber {
  readonly start: number;
  readonly end: number;
  readonly value: Rational;
}

const wordPattern = /[A-Za-z]+/g;

/** Runs of number words that form one well-formed number each. */
export function scanNumberWords(text: string): WordNumber[] {
  const found: WordNumber[] = [];
  let run: { text: string; start: number; end: number }[] = [];
  const flush = (): void => {
    while (run.length > 0 && run.at(-1)!.text === 'and') run.pop();
    if (run.length > 0) {
      const value = composed(run.map((word) => word.text));
      if (value !== null) found.push({ start: run[0]!.start, end: run.at(-1)!.end, value });
    }
    run = [];
  };
  for (const match of text.matchAll(wordPattern)) {
    const word = match[0].length > 10 ? '' : match[0].toLowerCase();
    const start = match.index;
    const known =
      small.has(word) ||
      large.has(word) ||
      word === 'hundred' ||
      word === 'dozen' ||
      (word === 'and' && run.length > 0) ||
      ((word === 'minus' || word === 'negative') && run.length === 0);
    const gap = run.length === 0 ? '' : text.slice(run.at(-1)!.end, start);
    if (run.length > 0 && (!known || !/^(?: {1,2}|-)$/.test(gap))) flush();
    if (
      small.has(word) ||
      large.has(word) ||
      word === 'hundred' ||
      word === 'dozen' ||
      (word === 'and' && run.length > 0) ||
      ((word === 'minus' || word === 'negative') && run.length === 0)
    ) {
      run.push({ text: word, start, end: start + match[0].length });
    }
  }
  flush();
  return found;
}

function composed(words: readonly string[]): Rational | null {
  const negative = words[0] === 'minus' || words[0] === 'negative';
  let total = 0n;
  let group = 0n;
  let last = 'none';
  let lowest = 10n ** 12n;
  for (const word of negative ? words.slice(1) : words) {
    const value = small.get(word);
    const scale = large.get(word);
    if (word === 'and') {
      if (last !== 'hundred' && last !== 'large') return null;
    } else if (value !== undefined) {
      if (last === 'unit' || last === 'dozen' || (last === 'ten' && (value >= 10 || value === 0))) return null;
      group += BigInt(value);
      last = value >= 20 ? 'ten' : 'unit';
    } else if (word === 'hundred') {
      if ((last !== 'unit' && last !== 'none' && last !== 'large') || group >= 100n) return null;
      group = (group === 0n ? 1n : group) * 100n;
      last = 'hundred';
    } else if (word === 'dozen') {
      if (last !== 'unit' && last !== 'ten') return null;
      group *= 12n;
      last = 'dozen';
    } else if (scale !== undefined) {
      if (last === 'none' || scale >= lowest) return null;
      total += (group === 0n ? 1n : group) * scale;
      group = 0n;
      lowest = scale;
      last = 'large';
    }
  }
  if (last === 'none') return null;
  const value = total + group;
  return rational(negative ? -value : value);
}
