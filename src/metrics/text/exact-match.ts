// Exact match of answers under a named normaliser, and lm-eval's own variant with things to ignore.
import { type Normaliser, normaliseAnswer } from './normalise-answer.ts';
import { asciiPunctuation, caseFold } from './python-text.ts';

export interface ExactMatchOptions {
  /** @default 'native' */
  readonly normaliser?: Normaliser | undefined;
  /** Compare after full case folding (`Straße` = `STRASSE`); `native` always does. @default false */
  readonly caseFold?: boolean | undefined;
}

export function exactMatch(prediction: string, reference: string, options: ExactMatchOptions = {}): boolean {
  const normaliser = options.normaliser ?? 'native';
  const prepare = (text: string) => {
    const normal = normaliseAnswer(text, normaliser);
    return options.caseFold ? caseFold(normal) : normal;
  };
  return prepare(prediction) === prepare(reference);
}

export interface IgnoringOptions {
  /** Patterns whose every hit is deleted on both sides, in this order, before anything else. */
  readonly regexesToIgnore?: readonly RegExp[] | undefined;
  readonly ignoreCase?: boolean | undefined;
  readonly ignorePunctuation?: boolean | undefined;
  readonly ignoreNumbers?: boolean | undefined;
}

/** Exact match as lm-eval defines it (`exact_match` with its keyword arguments): the regexes see the text before lower-casing. */
export function exactMatchIgnoring(prediction: string, reference: string, options: IgnoringOptions): boolean {
  return ignoring(prediction, options) === ignoring(reference, options);
}

function ignoring(text: string, options: IgnoringOptions): string {
  let left = text;
  for (const pattern of options.regexesToIgnore ?? []) left = left.replace(pattern, '');
  if (options.ignoreCase) left = left.toLowerCase();
  if (options.ignorePunctuation) left = left.replace(asciiPunctuation, '');
  if (options.ignoreNumbers) left = left.replace(/[0-9]/g, '');
  return left;
}
