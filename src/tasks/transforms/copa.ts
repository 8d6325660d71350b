// COPA as a sentence to continue: premise, connective, alternative.
import { ToolError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { strip } from '../../metrics/text/python-text.ts';
import { textOf } from '../row-values.ts';

const connectives: Readonly<Record<string, string>> = { cause: 'because', effect: 'therefore' };

function lowerFirst(text: string): string {
  const first = [...text][0] ?? '';
  return first.toLowerCase() + text.slice(first.length);
}

function build(fields: JsonObject, lead: string): JsonObject {
  const connective = connectives[textOf(fields['question'])];
  if (connective === undefined) {
    throw new ToolError('data', `COPA question is "${textOf(fields['question'])}"`, { hint: 'expected "cause" or "effect"' });
  }
  const premise = [...strip(textOf(fields['premise']))].slice(0, -1).join('');
  return { query: `${premise} ${connective}`, choices: ['choice1', 'choice2'].map((name) => lead + lowerFirst(textOf(fields[name]))) };
}

/** Adds `query` and `choices`. */
export function copa(fields: JsonObject): JsonObject {
  return build(fields, '');
}

/** As lm-eval: each choice begins with a space, so that two follow the connective. */
export function copaLmEval(fields: JsonObject): JsonObject {
  return build(fields, ' ');
}
