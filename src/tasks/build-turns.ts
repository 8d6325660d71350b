// Builds the conversation of one row: system text, worked examples, question. Both protocols share it.
import type { Row } from '../core/dataset.ts';
import type { PromptContext } from '../core/task.ts';
import { renderTemplate } from '../templating/render-template.ts';
import { type DocumentRules, documentOf, questionText, referencesOf, type TaskDocument } from './document.ts';
import { letterPrompt } from './letter-prompt.ts';
import { optionLetters, textOf, valueAt, variablesOf } from './row-values.ts';
import type { TaskBody } from './task-definition.ts';
import { joinTexts, shotTurns, type Turn } from './turns.ts';

export interface TurnRules extends DocumentRules {
  readonly kind: TaskBody['kind'];
}

/** All turns; the last one is the user's question: `userText`, or the own context of an option. */
export function buildTurns(
  rules: TurnRules,
  document: TaskDocument,
  shots: readonly Row[],
  context: PromptContext,
  question: string,
): Turn[] {
  const { body } = rules;
  return [
    ...systemTurn(body, document, context),
    ...shots.flatMap((shot) => turnsOfShot(rules, shot, context)),
    { role: 'user', content: question, after: '' },
  ];
}

/** The question as the user's turn says it. */
export function userText(rules: TurnRules, document: TaskDocument, context: PromptContext): string {
  if (rules.kind === 'choose-letter') return letterPrompt(document, rules.body, context.chat);
  return questionText(document, rules.body.prompt);
}

function systemTurn(body: TaskBody, document: TaskDocument, context: PromptContext): readonly Turn[] {
  const preamble = body.preamble === undefined ? undefined : renderTemplate(body.preamble, variablesOf(document.fields));
  const system = body.system === undefined ? undefined : renderTemplate(body.system, variablesOf(document.fields));
  const content = joinTexts(context.system ?? system, preamble, body.fewShot.delimiter);
  if (content === '') return [];
  // lm-eval puts nothing between a bare system text and the question.
  const needsGap = context.protocol === 'native' && !/\s$/u.test(content);
  return [{ role: 'system', content, after: needsGap ? '\n\n' : '' }];
}

const cache = new WeakMap<TurnRules, Map<string, readonly Turn[]>>();

/** Turns of one shot. Fixed shots recur in every prompt, so they are built once for each form. */
function turnsOfShot(rules: TurnRules, shot: Row, context: PromptContext): readonly Turn[] {
  const known = cache.get(rules) ?? new Map<string, readonly Turn[]>();
  cache.set(rules, known);
  const key = `${context.chat ? 'chat' : 'text'}:${shot.id}`;
  const turns = known.get(key) ?? buildShot(rules, shot, context);
  known.set(key, turns);
  return turns;
}

function buildShot(rules: TurnRules, shot: Row, context: PromptContext): readonly Turn[] {
  const { body } = rules;
  const document = documentOf(shot, rules);
  const question = shotQuestion(rules, document, context);
  return shotTurns(question, shotAnswer(rules, document), body.targetDelimiter, body.fewShot.delimiter);
}

function shotQuestion(rules: TurnRules, document: TaskDocument, context: PromptContext): string {
  const { body, kind } = rules;
  if (body.contexts !== undefined && kind === 'choose') return contextsOf(document, body)[document.gold[0] ?? 0] ?? '';
  if (body.fewShot.prompt !== undefined && kind !== 'choose-letter') return questionText(document, body.fewShot.prompt);
  return userText(rules, document, context);
}

function shotAnswer(rules: TurnRules, document: TaskDocument): string {
  const { body, kind } = rules;
  const gold = document.gold[0];
  if (kind === 'choose-letter') return gold === undefined ? '' : optionLetters[gold]!;
  if (body.contexts !== undefined && kind === 'choose') return continuationOf(document, body);
  if (body.fewShot.target !== undefined) return renderTemplate(body.fewShot.target, variablesOf(document.fields));
  if (kind === 'generate' && body.target !== undefined) return renderTemplate(body.target, variablesOf(document.fields));
  if (gold !== undefined) return scoredTexts(document, body)[gold]!;
  return referencesOf(document, body)[0] ?? '';
}

/** What is scored for each option, without its delimiter. */
export function scoredTexts(document: TaskDocument, body: TaskBody): readonly string[] {
  return body.score === 'letter' ? optionLetters.slice(0, document.options.length) : document.options;
}

/** Own context of each option. */
export function contextsOf(document: TaskDocument, body: TaskBody): readonly string[] {
  const value = body.contexts === undefined ? undefined : valueAt(document.fields, body.contexts);
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** The continuation that follows every option's own context. */
export function continuationOf(document: TaskDocument, body: TaskBody): string {
  return body.continuation === undefined ? '' : renderTemplate(body.continuation, variablesOf(document.fields));
}
