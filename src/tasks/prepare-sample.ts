// Turns one row into the request that a backend gets and the facts that its prediction row starts with.
import type { Row } from '../core/dataset.ts';
import { sha256Hex } from '../core/digest.ts';
import { defaultGenerationSettings, type GenerationSettings, type ScoreChoice } from '../core/generation.ts';
import type { Prompt } from '../core/prompt.ts';
import type { ModelRequest, PreparedSample, PromptContext, SampleFacts } from '../core/task.ts';
import { renderTemplate } from '../templating/render-template.ts';
import { buildTurns, contextsOf, continuationOf, scoredTexts, type TurnRules, userText } from './build-turns.ts';
import { documentOf, extraOf, optionalText, questionText, referencesOf, type TaskDocument } from './document.ts';
import { textSize } from './read-rolling.ts';
import { optionLetters, variablesOf } from './row-values.ts';
import type { TaskBody, TaskDefinition } from './task-definition.ts';
import { chatPrompt, completionPrompt, type Turn } from './turns.ts';

/** @param flat in chat, all shots in one user message */
export function prepareSample(
  definition: TaskDefinition,
  rules: TurnRules,
  row: Row,
  shots: readonly Row[],
  context: PromptContext,
  flat: boolean,
): PreparedSample {
  const document = documentOf(row, rules);
  if (rules.kind === 'perplexity') return prepareRolling(definition, rules, document, context);
  const toPrompt = (turns: readonly Turn[]): Prompt => (context.chat ? chatPrompt(turns, flat) : completionPrompt(turns));
  const question = userText(rules, document, context);
  const withTurns = (text: string): Prompt => toPrompt(buildTurns(rules, document, shots, context, text));
  const facts = factsOf(definition, rules, document, question);
  if (rules.kind === 'choose') return { facts, request: scoreRequest(rules, document, context, question, withTurns) };
  const prompt = withTurns(question);
  const settings = settingsOf(rules.body, context);
  const schema = rules.body.parser.kind === 'json' ? rules.body.parser.schema : undefined;
  return {
    facts,
    request: { kind: 'generate', request: schema === undefined ? { prompt, settings } : { prompt, settings, jsonSchema: schema } },
  };
}

function settingsOf(body: TaskBody, context: PromptContext): GenerationSettings {
  const stop = context.generation.stop ?? body.stop;
  const given = Object.fromEntries(Object.entries(context.generation).filter(([, value]) => value !== undefined));
  return { ...defaultGenerationSettings, ...body.generation, ...given, stop: [...stop] };
}

function scoreRequest(
  rules: TurnRules,
  document: TaskDocument,
  context: PromptContext,
  question: string,
  withTurns: (text: string) => Prompt,
): ModelRequest {
  const { body } = rules;
  // With a chat template the answer opens its own turn, so no delimiter precedes it.
  const delimiter = context.chat ? '' : body.targetDelimiter;
  if (body.contexts !== undefined) {
    const continuation = delimiter + continuationOf(document, body);
    const choices = contextsOf(document, body).map(
      (text): ScoreChoice => ({
        continuation,
        prompt: withTurns(text),
      }),
    );
    return { kind: 'score', request: { prompt: choices[0]?.prompt ?? { kind: 'text', text: '' }, choices } };
  }
  const choices = scoredTexts(document, body).map((text): ScoreChoice => ({ continuation: delimiter + text }));
  const request = { prompt: withTurns(question), choices };
  const usesPrior = body.metrics.some((use) => (typeof use === 'string' ? use : use.name) === 'acc_mutual_info');
  if (!usesPrior) return { kind: 'score', request };
  return { kind: 'score', request, unconditional: { prompt: { kind: 'text', text: '' }, choices } };
}

function prepareRolling(definition: TaskDefinition, rules: TurnRules, document: TaskDocument, context: PromptContext): PreparedSample {
  const { body } = rules;
  const text = questionText(document, body.prompt);
  // Denominators rest on the original text, which the scored one may have changed.
  const original = body.target === undefined ? text : renderTemplate(body.target, variablesOf(document.fields));
  const facts: SampleFacts = {
    ...placeOf(definition, document),
    instruction: text,
    label: null,
    extra: { ...textSize(original, context.protocol) },
  };
  return { facts, request: { kind: 'rolling', request: { text, windowing: 'lm-eval' } } };
}

/** A shared passage is named by its digest, so that no row repeats it. */
const longestClusterName = 60;

function placeOf(
  definition: TaskDefinition,
  document: TaskDocument,
): { readonly id: string; readonly category?: string; readonly cluster?: string } {
  const category = optionalText(document, definition.category);
  const cluster = optionalText(document, definition.cluster);
  return {
    id: document.row.id,
    ...(category === undefined ? {} : { category }),
    ...(cluster === undefined ? {} : { cluster: cluster.length > longestClusterName ? sha256Hex(cluster).slice(0, 16) : cluster }),
  };
}

function factsOf(definition: TaskDefinition, rules: TurnRules, document: TaskDocument, instruction: string): SampleFacts {
  const { body } = rules;
  const references = referencesOf(document, body);
  const named = document.gold.map((index) => namesOf(rules, document)[index] ?? '');
  const label = named[0] ?? references[0] ?? null;
  const extra = extraOf(document, body);
  // One right option is the label itself; references are for texts and for several right options.
  const accepted = named.length > 1 ? named : named.length === 1 ? [] : references;
  return {
    ...placeOf(definition, document),
    instruction,
    label,
    ...(accepted.length > 0 ? { references: [...accepted] } : {}),
    ...(document.gold.length > 0 || body.choices !== undefined ? { gold: [...document.gold] } : {}),
    ...(Object.keys(extra).length > 0 ? { extra } : {}),
  };
}

/** Names under which options or labels appear as label and prediction. */
export function namesOf(rules: TurnRules, document: TaskDocument): readonly string[] {
  if (rules.kind === 'choose-letter' || rules.body.parser.kind === 'choice') return optionLetters.slice(0, document.options.length);
  return rules.kind === 'choose' ? scoredTexts(document, rules.body) : document.options;
}
