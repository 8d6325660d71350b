// Reads which option a reply chooses, by the ordered rules; null where a person could not tell.
import { choiceContext } from './choice-context.ts';
import { choiceRules } from './choice-rules.ts';
import { type Reading, unread } from './extraction.ts';
import { refuses } from './refusal.ts';
import { cutAtNextQuestion } from './run-on.ts';

export function readChoice(
  answer: string,
  options: readonly string[],
  letters: readonly string[] | undefined,
  truncated: boolean,
): Reading {
  const context = choiceContext(cutAtNextQuestion(answer), options, letters);
  for (const rule of choiceRules) {
    if (truncated && weakRules.has(rule.name)) break;
    const verdict = rule.read(context);
    if (verdict === undefined) continue;
    if (verdict.kind === 'stop') return unread(verdict.reason, verdict.detail);
    return { value: labelOf(verdict.index, letters), index: verdict.index, rule: verdict.rule ?? rule.name, reason: null };
  }
  if (truncated) return unread('truncated', 'the output ends before it gives an answer');
  if (refuses(answer)) return unread('refused');
  return unread('out-of-set', 'no option is chosen');
}

/** Rules that read the drift of a whole text; a cut text may have been about to go elsewhere. */
const weakRules = new Set(['conclusion', 'only-text', 'only-letter']);

function labelOf(index: number, letters: readonly string[] | undefined): string {
  return letters?.[index] ?? String.fromCharCode(65 + index);
}
