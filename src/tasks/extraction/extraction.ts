// What an answer reader is asked and what it returns: the contract of the extraction folder.
import type { FinishReason } from '../../core/generation.ts';
import type { InvalidReason } from '../../core/outcome.ts';

export const extractionKinds = [
  'choice',
  'number',
  'label',
  'multi-label',
  'json',
  'code',
  'list',
  'entities',
  'text',
  'regex',
  'gsm8k-strict',
  'gsm8k-flexible',
  'math',
  'judge',
] as const;

/** One ordered cleaning rule of the `text` kind: a regular expression and its replacement. */
export interface TextRule {
  readonly pattern: string;
  readonly flags?: string | undefined;
  readonly replacement: string;
}

export interface NumberReading {
  /** Absolute tolerance of the comparison; the reading itself does not depend on it. */
  readonly tolerance?: number | undefined;
  /** The declared decimal mark. Undeclared, `1.000` is one and `1,000` is a thousand. */
  readonly decimal?: '.' | ',' | undefined;
  /** True: `50%` is 0.5. @default false: `50%` is 50 */
  readonly percentAsFraction?: boolean | undefined;
}

export interface LabelReading {
  readonly labels: readonly string[];
  /** Other spellings of a label: label -> spellings. */
  readonly aliases?: Readonly<Record<string, readonly string[]>> | undefined;
}

export type ExtractionRequest =
  | {
      readonly kind: 'choice';
      /** Option texts in the order shown. */
      readonly options: readonly string[];
      /** What the prompt called the options. @default A, B, C... */
      readonly letters?: readonly string[] | undefined;
    }
  | ({ readonly kind: 'number' } & NumberReading)
  | ({ readonly kind: 'label' } & LabelReading)
  | ({ readonly kind: 'multi-label' } & LabelReading)
  | { readonly kind: 'json'; readonly schema?: unknown }
  | { readonly kind: 'code'; readonly language?: string | undefined; readonly entryPoint?: string | undefined }
  | { readonly kind: 'list' }
  | { readonly kind: 'entities' /** The text that spans must occur in. */; readonly text?: string | undefined }
  | { readonly kind: 'text'; readonly rules?: readonly TextRule[] | undefined }
  | {
      readonly kind: 'regex';
      readonly pattern: string;
      readonly flags?: string | undefined;
      readonly group?: number | string | undefined;
      readonly which: 'first' | 'last';
    }
  | { readonly kind: 'gsm8k-strict' }
  | { readonly kind: 'gsm8k-flexible' }
  | { readonly kind: 'math' }
  | { readonly kind: 'judge'; readonly scale: JudgeScale };

/** `points`: a score out of `max` (from `min`, default 0). `labels`: verdict words, best first (`['yes', 'no']`). */
export type JudgeScale =
  | { readonly kind: 'points'; readonly max: number; readonly min?: number | undefined }
  | { readonly kind: 'labels'; readonly labels: readonly string[] };

/** What is known beside the text. */
export interface ExtractionFacts {
  readonly finishReason?: FinishReason | null | undefined;
  /** Reasoning that arrived on a channel of its own; it is never graded. */
  readonly reasoning?: string | null | undefined;
  /** Opening and closing reasoning marks of this model, beside the known ones. */
  readonly thinkTags?: readonly [string, string] | undefined;
}

export interface Extraction {
  /** The answer in canonical form, or null where a person could not tell. */
  readonly value: string | null;
  /** Several values: list items, labels, entities as JSON. */
  readonly values?: readonly string[];
  /** Index of the chosen option or label. */
  readonly index?: number;
  /** Name of the rule that fired. */
  readonly rule: string | null;
  readonly reason: InvalidReason | null;
  readonly detail?: string;
  readonly reasoning: string | null;
  /** The output without reasoning and control tokens. */
  readonly cleaned: string;
}

/** What the reader of one kind returns: an `Extraction` without the parts that are common to all. */
export type Reading = Omit<Extraction, 'reasoning' | 'cleaned'>;

export function unread(reason: InvalidReason, detail?: string): Reading {
  return detail === undefined ? { value: null, rule: null, reason } : { value: null, rule: null, reason, detail };
}
