// Readers by pattern: the user's own regular expression, the two GSM8K filters of lm-eval, and cleaned text.
import { ToolError } from '../../core/errors.ts';
import { type Reading, type TextRule, unread } from './extraction.ts';

const compiled = new Map<string, RegExp>();

/** A pattern written by the user. A pattern that is no regular expression is the user's mistake, told as such. */
function compile(pattern: string, flags: string): RegExp {
  const key = `${flags}/${pattern}`;
  let expression = compiled.get(key);
  if (expression === undefined) {
    try {
      expression = new RegExp(pattern, flags);
    } catch (cause) {
      throw new ToolError('config', `"${pattern}" is no regular expression: ${(cause as Error).message}`, {
        hint: 'patterns are JavaScript regular expressions',
        cause,
      });
    }
    if (compiled.size > 500) compiled.clear();
    compiled.set(key, expression);
  }
  return expression;
}

export interface PatternRequest {
  readonly pattern: string;
  readonly flags?: string | undefined;
  readonly group?: number | string | undefined;
  readonly which: 'first' | 'last';
}

/** The group of the first or last match; without `group`, the first group that took part, else the whole match. */
export function readPattern(answer: string, request: PatternRequest, truncated: boolean): Reading {
  const flags = [...new Set(`${request.flags ?? ''}g`)].join('').replace('y', '');
  let match: RegExpMatchArray | undefined;
  for (const one of answer.matchAll(compile(request.pattern, flags))) {
    match = one;
    if (request.which === 'first') break;
  }
  if (match === undefined) return unread(truncated ? 'truncated' : 'unparseable', 'the pattern does not match');
  const value = groupOf(match, request.group);
  return value === undefined
    ? unread('unparseable', 'the group took no part in the match')
    : { value: value.trim(), rule: `regex-${request.which}`, reason: null };
}

function groupOf(match: RegExpMatchArray, group: number | string | undefined): string | undefined {
  if (typeof group === 'number') return match[group];
  if (typeof group === 'string') return match.groups?.[group];
  return match.slice(1).find((one) => one !== undefined && one !== '') ?? match[0];
}

const strict = /#### (-?[0-9.,]+)/;
const flexible = /(-?[$0-9.,]{2,})|(-?[0-9]+)/g;

/** lm-eval's `strict-match` of GSM8K 3.0: the first `#### n`. */
export function readGsm8kStrict(answer: string): Reading {
  const hit = strict.exec(answer)?.[1];
  return hit === undefined ? unread('unparseable', '[invalid]') : { value: hit.trim(), rule: 'gsm8k-strict', reason: null };
}

/** lm-eval's `flexible-extract` of GSM8K 3.0: the last run of digits and marks, `...` included. */
export function readGsm8kFlexible(answer: string): Reading {
  let hit: string | undefined;
  for (const match of answer.slice(lastRuns(answer)).matchAll(flexible)) hit = match[1] ?? match[2];
  return hit === undefined ? unread('unparseable', '[invalid]') : { value: hit.trim(), rule: 'gsm8k-flexible', reason: null };
}

/** Where the last 2,000 characters begin, moved back so as not to cut a run; 0 where they hold no digit. */
function lastRuns(text: string): number {
  let from = Math.max(0, text.length - 2000);
  while (from > 0 && '$0123456789.,-'.includes(text[from - 1]!)) from -= 1;
  return /[0-9]/.test(text.slice(from)) ? from : 0;
}

/** Both sides as lm-eval compares them: without commas, dollar signs, the text through the last `#### `, a final full stop; lower case. */
export function normaliseGsm8k(text: string): string {
  const plain = text.replaceAll(',', '').replaceAll('$', '');
  const at = plain.lastIndexOf('#### ');
  return (at < 0 ? plain : plain.slice(at + 5)).replace(/\.$/, '').toLowerCase();
}

/** Free text after the ordered rules of the task. */
export function readText(answer: string, rules: readonly TextRule[] = []): Reading {
  let text = answer;
  for (const rule of rules) text = text.replace(compile(rule.pattern, rule.flags ?? 'g'), rule.replacement);
  const value = text.trim();
  return value === ''
    ? unread('empty', 'nothing is left after the cleaning rules')
    : { value, rule: rules.length === 0 ? 'text' : 'cleaned', reason: null };
}
