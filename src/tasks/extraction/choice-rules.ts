// The ordered rules that read a choice. The first rule that decides wins; its name is stored with the sample.
import type { ChoiceContext } from './choice-context.ts';
import { conclusion, onlyLetter, onlyText } from './choice-mentions.ts';
import { leadingLetter, leadingText, wholeLetter } from './choice-opening.ts';
import { exactOption, jsonKey, lastExplicit } from './choice-statements.ts';
import { truthList } from './choice-truth-list.ts';
import type { ChoiceVerdict } from './choice-verdict.ts';

export interface ChoiceRule {
  readonly name: string;
  readonly read: (context: ChoiceContext) => ChoiceVerdict | undefined;
}

export const choiceRules: readonly ChoiceRule[] = [
  { name: 'whole-text', read: exactOption },
  { name: 'json-key', read: jsonKey },
  { name: 'answer-cue', read: lastExplicit },
  { name: 'truth-list', read: truthList },
  { name: 'whole', read: wholeLetter },
  { name: 'leading', read: leadingLetter },
  { name: 'leading-text', read: leadingText },
  { name: 'conclusion', read: conclusion },
  { name: 'only-text', read: onlyText },
  { name: 'only-letter', read: onlyLetter },
];
