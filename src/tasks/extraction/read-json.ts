// Reads a JSON document as a value, checked against a schema where the task gives one.
import { checkSchema } from './check-schema.ts';
import { type Reading, unread } from './extraction.ts';
import { findJson } from './find-json.ts';
import { refuses } from './refusal.ts';

/** `value` is the document as compact JSON; `rule` tells where it stood and whether it was repaired or cut. */
export function readJson(answer: string, schema: unknown, truncated: boolean): Reading {
  const found = findJson(answer, (value) => schema === undefined || checkSchema(value, schema) === null);
  if (found === undefined) return unread(truncated ? 'truncated' : refuses(answer) ? 'refused' : 'unparseable', 'no JSON document');
  const state = found.truncated ? '-truncated' : found.repaired ? '-repaired' : '';
  const problem = schema === undefined ? null : checkSchema(found.value, schema);
  if (problem !== null) return unread(found.truncated ? 'truncated' : 'out-of-set', `schema: ${problem}`);
  return { value: JSON.stringify(found.value), rule: `${found.rule}${state}`, reason: null };
}
