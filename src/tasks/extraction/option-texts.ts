// Finds option texts in an output: as the whole of it, at a given place, or anywhere as whole words.
import type { OptionTexts } from './choice-context.ts';
import { negators, rejectors, wrongPredicates } from './cue-words.ts';
import { bareText, caseFold, comparable, isDigit } from './fold-text.ts';
import { numbersEqual } from './numbers-equal.ts';
import { splitWords, type Word, wordClass } from './words.ts';

/** The one option whose text equals this text, `several` for duplicates, undefined for none. */
export function optionEqualTo(text: string, options: OptionTexts): number | 'several' | undefined {
  if (text.length > 2000) return undefined;
  const exact = only(options.comparable, comparable(text));
  if (typeof exact === 'number') return exact;
  const bare = bareText(text);
  if (bare === '') return exact;
  const same = only(options.bare, bare);
  if (same !== undefined) return same;
  const withoutArticle = bare.replace(articles, '');
  const loose = options.bare.filter((option) => option.replace(articles, '') === withoutArticle);
  if (loose.length === 1) return options.bare.indexOf(loose[0]!);
  return equalNumber(bare, options);
}

const articles = /^(?:the|a|an) /;

function only(texts: readonly string[], wanted: string): number | 'several' | undefined {
  const first = texts.indexOf(wanted);
  if (first < 0 || wanted === '') return undefined;
  return texts.indexOf(wanted, first + 1) < 0 ? first : 'several';
}

function equalNumber(text: string, options: OptionTexts): number | undefined {
  if (!/\d/.test(text) || text.length > 40) return undefined;
  const equal = options.bare.flatMap((option, index) => (/\d/.test(option) && numbersEqual(text, option) ? [index] : []));
  return equal.length === 1 ? equal[0] : undefined;
}

/** The longest option text that begins at this place and ends at a word boundary. */
export function optionStartingAt(text: string, options: OptionTexts): { readonly index: number; readonly end: number } | undefined {
  const skipped = text.length - text.replace(/^[\s*_`"'“”«»$([{<>:=-]+/, '').length;
  const minus = text[skipped - 1] === '-' && isDigit(text.charCodeAt(skipped)) ? 1 : 0;
  const start = skipped - minus;
  const line = text.slice(start, start + 600);
  const folded = caseFold(line);
  if (folded.length !== line.length) return undefined;
  const rest = folded.replace(/[ \t\n]/g, ' ');
  let best: { index: number; end: number } | undefined;
  for (const [index, option] of options.bare.entries()) {
    for (const candidate of [option, option.replace(articles, '')]) {
      const at = candidate === '' ? -1 : rest.startsWith(candidate) ? 0 : rest.startsWith(`the ${candidate}`) ? 4 : -1;
      if (at < 0 || !endsWord(rest, at + candidate.length)) continue;
      const end = start + at + candidate.length;
      if (best === undefined || end > best.end) best = { index, end };
    }
  }
  if (best === undefined) return undefined;
  return options.bare.filter((option) => option === options.bare[best.index]).length > 1 ? undefined : best;
}

function endsWord(text: string, end: number): boolean {
  if (end >= text.length) return true;
  const code = text.charCodeAt(end);
  const last = text.charCodeAt(end - 1);
  if (wordClass(code) !== 0 && wordClass(code) === wordClass(last)) return false;
  if (!isDigit(last)) return true;
  return !/^(?:[.,/:^%°-]\d|[%°^/]| \d|\s?(?:million|billion|thousand))/.test(text.slice(end, end + 12));
}

/** The options whose texts occur as whole words, those inside a longer found one left out; null where a negation makes it unsure. */
export function optionsMentioned(text: string, options: OptionTexts): readonly number[] | null {
  if (text.length > 4000) return [];
  const folded = caseFold(text).replace(/\s+/g, ' ');
  const spans: { index: number; start: number; end: number }[] = [];
  for (const [index, option] of options.bare.entries()) {
    if (option.length < 3 || !/\p{L}{2}/u.test(option)) continue;
    for (let at = folded.indexOf(option); at >= 0; at = folded.indexOf(option, at + 1)) {
      if (startsWord(folded, at) && endsWord(folded, at + option.length)) spans.push({ index, start: at, end: at + option.length });
    }
  }
  const outer = spans.filter(
    (span) =>
      !spans.some(
        (other) =>
          other !== span &&
          other.index !== span.index &&
          other.start <= span.start &&
          other.end >= span.end &&
          other.end - other.start > span.end - span.start,
      ),
  );
  const indices = [...new Set(outer.map((span) => span.index))];
  if (indices.length === 1 && rejects(splitWords(folded), outer[0]!)) return null;
  return indices;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || wordClass(text.charCodeAt(at - 1)) === 0 || wordClass(text.charCodeAt(at - 1)) !== wordClass(text.charCodeAt(at));
}

function rejects(words: readonly Word[], span: { readonly start: number; readonly end: number }): boolean {
  return words.some((word) => {
    const outside = word.end <= span.start || word.start >= span.end;
    return outside && (negators.has(word.text) || rejectors.has(word.text) || wrongPredicates.has(word.text) || hedges.has(word.text));
  });
}

const hedges = new Set([
  'if',
  'maybe',
  'unsure',
  'either',
  'whether',
  'sure',
  'unclear',
  'unknown',
  'depends',
  'but',
  'although',
  'though',
  'however',
  'different',
  'similar',
]);
