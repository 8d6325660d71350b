// Rules that read how a reply begins: it is one letter, or opens with a letter or an option text.
import type { ChoiceContext } from './choice-context.ts';
import { ambiguous, type ChoiceVerdict, chosen, contradicts, joins } from './choice-verdict.ts';
import { optionWords } from './cue-words.ts';
import { nextVisible, type OptionLetter } from './option-letters.ts';
import { optionEqualTo, optionStartingAt, optionsMentioned } from './option-texts.ts';
import type { Word } from './words.ts';

/** The reply is one letter, however decorated, perhaps with its own option text. */
export function wholeLetter(context: ChoiceContext): ChoiceVerdict | undefined {
  const { words, letterAt, text } = context;
  if (words.length === 0 || words.length > 4) return undefined;
  const real = words.filter((word, at) => !isTrimming(context, word, at));
  if (real.length !== 1) return undefined;
  const at = words.indexOf(real[0]!);
  const letter = letterAt.get(at);
  if (letter === undefined || context.negated.has(at) || /\?\s*$/.test(text)) return undefined;
  return chosen(letter.index);
}

/** LaTeX commands, option words and a running number before the letter add nothing to it. */
function isTrimming({ text, letterAt, labels }: ChoiceContext, word: Word, at: number): boolean {
  if (text[word.start - 1] === '\\' || optionWords.has(word.text)) return true;
  if (letterAt.has(at)) return false;
  return (
    /^(?:the|it|s|is|b)$/.test(word.text) ||
    (at === 0 && !labels.numeric && /^q?\d{1,3}$/.test(word.text) && ').:'.includes(text[word.end] ?? '-'))
  );
}

/** `B)`, `(B)`, `b.`, `**B:**` at the start, or a first line that is one letter; not where the reply goes on to list the options. */
export function leadingLetter(context: ChoiceContext): ChoiceVerdict | undefined {
  const { text, words, letterAt } = context;
  let first = 0;
  while (words[first] !== undefined && optionWords.has(words[first]!.text) && first < 1) first += 1;
  const letter = letterAt.get(first);
  if (letter === undefined || context.negated.has(first)) return undefined;
  const prefix = text.slice(0, words[0]!.start);
  if (prefix.length > 0 && !/^[\s*_`$#>([{<"'“”‘’«»「」『』【】《》\\-]*$/.test(prefix)) return undefined;
  const after = nextVisible(text, letter.end);
  const mark = text[after] ?? '\n';
  const opened = /[([{<【]\s*[*_]*$/.test(text.slice(Math.max(0, letter.start - 4), letter.start));
  const line = /[*_`$\s]*/.test(mark) && text.slice(letter.end).match(/^[*_`$ \t]*(?:\r?\n|$)/);
  if (
    !('.):,]}>】、-–—'.includes(mark) || mark === ':' || opened || line) ||
    (context.labels.numeric && /[,.]/.test(mark) && /\d/.test(text[after + 1] ?? ''))
  )
    return undefined;
  if ((mark === '-' || mark === '–' || mark === '—') && !/\s/.test(text[after + 1] ?? ' ')) return undefined;
  if (mark === ',' && (letterAt.has(first + 1) || /^(?:b|and|or)$/.test(words[first + 1]?.text ?? ''))) return undefined;
  if (listsOptions(context, letter)) return undefined;
  if (contradicts(context, letter)) return ambiguous('the letter and the option text differ');
  return chosen(letter.index);
}

/** Other labels stand at the start of further lines (`A) ...`, `B) ...`) or are joined to the first ("A, B"). */
function listsOptions({ text, letters, words, negated }: ChoiceContext, first: OptionLetter): boolean {
  for (const letter of letters) {
    // A list of the options begins with the first of them; a reply that opens with a later one names its answer.
    if (letter.index <= first.index || letter.start < first.start) {
      if (letter.index < first.index) return false;
      continue;
    }
    const before = words[letter.word - 1]!;
    const named = optionWords.has(before.text) ? before.start : letter.start;
    let back = named - 1;
    while (back >= 0 && ' \t*_`#>([-'.includes(text[back]!)) back -= 1;
    const mark = text[nextVisible(text, letter.end)] ?? '';
    if (text[back] === '\n' && '.):'.includes(mark) && mark !== '' && !negated.has(letter.word)) return true;
    if (text[back] === '.' && mark === ':') return true;
    if (letter.word === first.word + 2 && joins.has(words[first.word + 1]!.text)) return true;
  }
  return false;
}

/** The reply opens with an option text that punctuation or a line end closes: "Paris, because...", "No. There is...". */
export function leadingText(context: ChoiceContext): ChoiceVerdict | undefined {
  const { text, options } = context;
  const starting = optionStartingAt(text.slice(0, 700), options);
  if (starting === undefined) return undefined;
  const rest = text.slice(starting.end);
  if (!/^[*_"'”»)\]]*\s*(?:[.,:;!(–—-]|\r?\n|$|because\b|since\b|rather than\b|not\b|instead of\b)/.test(rest)) return undefined;
  if (/^[^.\n]*\b(?:is|are|was) (?:wrong|incorrect|not)\b/i.test(rest.slice(0, 80))) return undefined;
  if (/^\s*,?\s*(?:not|rather than|instead of)\s/.test(rest)) return chosen(starting.index);
  const others = optionsMentioned(text.slice(0, 300), options);
  if (/^\s*,?\s*(?:or|and)\b/.test(rest) || (others !== null && others.length > 1 && /^[*_"']*\s*[,/]/.test(rest))) return undefined;
  const lines = rest.split('\n', 40).slice(1);
  if (lines.some((line) => typeof optionEqualTo(line, options) === 'number' && optionEqualTo(line, options) !== starting.index))
    return ambiguous('lists several options');
  return chosen(starting.index);
}
