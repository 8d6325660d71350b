// The firm rules: the whole reply is an option, a JSON key names one, or the last explicit statement or box does.
import { boxedContents, lastBoxed } from './boxed.ts';
import type { ChoiceContext } from './choice-context.ts';
import { corrected } from './choice-corrections.ts';
import { type ExplicitCue, explicitCues } from './choice-cues.ts';
import { ambiguous, type ChoiceVerdict, chosen, contradicts, joinedLetters } from './choice-verdict.ts';
import { isDoubted } from './doubting-clauses.ts';
import { answerOfJson } from './json-answer.ts';
import { optionEqualTo, optionStartingAt, optionsMentioned } from './option-texts.ts';

/** The whole reply is an option text. A reply that is a bare letter is left to the letter rules unless it is also its own option. */
export function exactOption({ text, options, labels }: ChoiceContext): ChoiceVerdict | undefined {
  if (text.length > 400) return undefined;
  const same = optionEqualTo(text, options);
  if (same === undefined) return undefined;
  const label = labels.index.get(text.trim().toLowerCase());
  if (label !== undefined && label !== same)
    return labels.letters ? ambiguous('both a label and the text of another option') : chosen(typeof same === 'number' ? same : label);
  return same === 'several' ? ambiguous('two options have this text') : chosen(same);
}

export function jsonKey({ text, options, labels }: ChoiceContext): ChoiceVerdict | undefined {
  const answer = answerOfJson(text);
  if (answer === undefined) return undefined;
  const label = labels.index.get(
    answer
      .trim()
      .toLowerCase()
      .replace(/^[\s("']+|[\s).:"']+$/g, ''),
  );
  if (label !== undefined) return chosen(label);
  const same = optionEqualTo(answer, options);
  if (typeof same === 'number') return chosen(same);
  const labelled = answer.trim().match(/^\(?([\p{L}\p{N}]{1,4})\s*[).:-]\s*(.+)$/su);
  const named = labelled ? labels.index.get(labelled[1]!.toLowerCase()) : undefined;
  return named === undefined ? undefined : chosen(named);
}

/** Cues that decide nothing after which the search is given up. */
const maxCues = 40;

/** The last explicit cue or box, with what corrects it. */
export function lastExplicit(context: ChoiceContext): ChoiceVerdict | undefined {
  const box = boxedChoice(context);
  let tried = 0;
  for (const cue of explicitCues(context)) {
    if (box !== undefined && box.cue.at > cue.at) return corrected(context, box.cue, box.verdict);
    const verdict = readCue(context, cue);
    if (verdict !== undefined) {
      const stated = cue.rule === 'correct-cue' ? statedBefore(context, cue) : undefined;
      return stated === undefined ? corrected(context, cue, verdict) : corrected(context, stated.cue, stated.verdict);
    }
    if (++tried > maxCues) break;
  }
  if (box !== undefined) return corrected(context, box.cue, box.verdict);
  return corrected(context, undefined, undefined);
}

/** "Answer: B ... A is correct in summer": a stated answer outweighs a later remark, unless the text corrects itself. */
function statedBefore(
  context: ChoiceContext,
  remark: ExplicitCue,
): { readonly cue: ExplicitCue; readonly verdict: ChoiceVerdict } | undefined {
  let tried = 0;
  for (const cue of explicitCues(context)) {
    if (cue.at >= remark.at || cue.rule !== 'answer-cue' || cue.colon !== true) continue;
    const verdict = readCue(context, cue);
    if (verdict !== undefined) return { cue, verdict };
    if (++tried > maxCues) break;
  }
  return undefined;
}

function readCue(context: ChoiceContext, cue: ExplicitCue): ChoiceVerdict | undefined {
  const { letter } = cue;
  const { options, text } = context;
  if (letter === undefined) return readCuedText(context, cue);
  if (context.labels.numeric) {
    const line = text.slice(letter.start, letter.start + 80).split('\n', 1)[0]!;
    const same = optionEqualTo(line, options);
    if (typeof same === 'number') return chosen(same, 'cue-text');
    const starting = optionStartingAt(line, options);
    if (starting !== undefined) return chosen(starting.index, 'cue-text');
  }
  if (context.negated.has(letter.word)) return undefined;
  const joined = joinedLetters(context, letter);
  if (joined > 1) return joined === context.labels.count && joined > 2 ? undefined : ambiguous('several options after the cue');
  if (contradicts(context, letter)) return ambiguous('the letter and the option text differ');
  return chosen(letter.index, cue.rule);
}

const refusals =
  /^(?:none|neither|unknown|i (?:don't|do not|cannot|can't|am not)|don't|unclear|undetermined|cannot|can't|not (?:sure|possible|given)|n\/a|no (?:answer|correct|option)|keine|aucune|ninguna|nessuna|nenhuma|insufficient|all of|both)\b/;

/** Text after a cue: an option text, a refusal, or prose that decides nothing. */
function readCuedText(context: ChoiceContext, cue: ExplicitCue): ChoiceVerdict | undefined {
  const { text, options, labels } = context;
  if (isDoubted(text, cue.rest!)) return undefined;
  let from = cue.rest!;
  while (from > 0 && '-+.$€£([{"\'*'.includes(text[from - 1]!)) from -= 1;
  const tail = text.slice(from, from + 600).replace(/^[\s*_"'`]+/, '');
  const line = tail.split('\n', 1)[0]!;
  const sentence = line.replace(/(?<=[^\d\s]{2})[.;!](?:\s.*)?$/, '');
  const same = optionEqualTo(line, options) ?? optionEqualTo(sentence, options);
  if (same === 'several') return ambiguous('two options have this text');
  if (same !== undefined) return chosen(same, 'cue-text');
  const starting = optionStartingAt(tail, options);
  if (starting !== undefined) {
    const rest = tail.slice(starting.end).split('\n', 1)[0]!;
    const others = optionsMentioned(rest, options);
    return /^\s*(?:or|and|oder|ou|o|y|und|et|\/|,)\s/i.test(rest) && others?.some((index) => index !== starting.index)
      ? ambiguous('several options after the cue')
      : chosen(starting.index, 'cue-text');
  }
  const boxed = lastBoxed(tail.slice(0, 200));
  if (boxed !== undefined) {
    const inBox = optionEqualTo(boxed, options);
    if (typeof inBox === 'number') return chosen(inBox, 'boxed');
  }
  if (cue.colon !== true && !/^(?:none|neither|unknown|unclear|both)\b/i.test(sentence)) return foreignLabel(tail, labels.letters);
  if (refusals.test(tail.toLowerCase())) return { kind: 'stop', reason: 'out-of-set', detail: 'no option is named after the cue' };
  return foreignLabel(tail, labels.letters);
}

/** "The answer is E" with options A to D. */
function foreignLabel(tail: string, letters: boolean): ChoiceVerdict | undefined {
  return letters && /^\(?[A-Z][).\s]*(?:$|\n)/.test(tail.slice(0, 12)) && tail.length < 12
    ? { kind: 'stop', reason: 'out-of-set', detail: 'a letter that is no option' }
    : undefined;
}

/** A box counts only if its content is exactly a label, an option text, or both. */
function boxedChoice(context: ChoiceContext): { readonly cue: ExplicitCue; readonly verdict: ChoiceVerdict } | undefined {
  if (!context.text.includes('\\boxed') && !context.text.includes('\\fbox')) return undefined;
  for (const box of boxedContents(context.text).reverse()) {
    const content = box.content
      .replace(/\\(?:text|textbf|mathrm|mathbf|mathsf|textit|operatorname)\s*\{([^{}]*)\}/g, '$1')
      .replace(/[{}$\\]/g, ' ')
      .trim();
    const label = context.labels.index.get(content.toLowerCase().replace(/^[\s(["']+|[\s)\].:"']+$/g, ''));
    const same = optionEqualTo(content, context.options);
    const labelled = content.match(/^\(?([\p{L}\p{N}]{1,4})\s*[).:]\s*(.+)$/su);
    const named = labelled ? context.labels.index.get(labelled[1]!.toLowerCase()) : undefined;
    const index = context.labels.numeric && typeof same === 'number' ? same : (label ?? (typeof same === 'number' ? same : named));
    if (index !== undefined) return { cue: { rule: 'boxed', at: box.start }, verdict: chosen(index, 'boxed') };
    const several = content.split(/\s*(?:,|and|or|\/|;)\s*/).map((part) => context.labels.index.get(part.toLowerCase()));
    if (several.length > 1 && several.every((part) => part !== undefined))
      return { cue: { rule: 'boxed', at: box.start }, verdict: ambiguous('several options in the box') };
  }
  return undefined;
}
