// The script of a scripted backend: which prompt gets which answer, delay or failure. Plain data, read from JSON or JSON Lines.
import { z } from 'zod';
import { type SourceLocation, ToolError } from '../../core/errors.ts';
import { finishReasons } from '../../core/generation.ts';
import { suggestName } from '../../core/names.ts';
import { lineAt, lineOfElement } from './json-lines.ts';

const failureCodes = ['backend', 'transport', 'timeout', 'context-overflow'] as const;
const milliseconds = z.number().min(0).max(3_600_000);

/** What is answered. `text` may be empty; `echo` answers with the prompt. */
const answerShape = {
  text: z.string().optional(),
  echo: z.boolean().optional(),
  /** Reasoning on a channel of its own. */
  reasoning: z.string().optional(),
  /** Overrides `stop`; `length` makes a truncated answer. */
  finishReason: z.enum(finishReasons).optional(),
  /** Time to the first part and to the last, from hand-over. */
  ttftMs: milliseconds.optional(),
  latencyMs: milliseconds.optional(),
  usage: z
    .strictObject({
      promptTokens: z.number().int().nonnegative().optional(),
      cachedTokens: z.number().int().nonnegative().optional(),
      completionTokens: z.number().int().nonnegative().optional(),
      reasoningTokens: z.number().int().nonnegative().optional(),
    })
    .optional(),
  /** Log-probabilities: by continuation, in the order of the choices, or a rule (`hash`: fixed pseudo-random, `length`: minus the length). */
  scores: z.union([z.record(z.string(), z.number().max(0)), z.array(z.number().max(0)).min(1), z.enum(['hash', 'length'])]).optional(),
  /** Reject instead of answering. */
  fail: z.strictObject({ code: z.enum(failureCodes), message: z.string().optional() }).optional(),
  /** Behave as an engine process that died during the call and was started again. */
  crash: z.boolean().optional(),
};

/** A rule: at most one way to match the instruction (last user turn, or the text prompt), or the number of the call. */
export const ruleSchema = z.strictObject({
  ...answerShape,
  equals: z.string().optional(),
  contains: z.string().optional(),
  /** Regular expression, `u` flag. */
  pattern: z.string().optional(),
  /** sha256 of the instruction. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** The n-th call of any kind, from 1. */
  call: z.number().int().positive().optional(),
});
export type ScriptRule = z.infer<typeof ruleSchema>;

const headerShape = {
  name: z.string().optional(),
  contextTokens: z.number().int().positive().optional(),
  /** Merged under every rule. */
  defaults: z.strictObject({ ttftMs: milliseconds.optional(), latencyMs: milliseconds.optional() }).optional(),
};
export const scriptSchema = z.strictObject({ ...headerShape, rules: z.array(ruleSchema) });
const headerLineSchema = z.strictObject({ script: z.strictObject(headerShape) });

export interface Script {
  readonly name: string | null;
  readonly contextTokens: number | null;
  readonly rules: readonly ScriptRule[];
}

const matchers = ['equals', 'contains', 'pattern', 'sha256', 'call'] as const;

/**
 * Parses a script file. A name ending in `.jsonl` holds one rule a line, the first line optionally `{"script": {...}}`.
 * @throws ToolError `config` with file and line
 */
export function parseScript(text: string, file: string): Script {
  const script = /\.(?:jsonl|ndjson)$/iu.test(file) ? parseLines(text, file) : parseWhole(text, file);
  if (script.rules.length === 0) throw complain('the script has no rules', { file });
  return script;
}

function parseWhole(text: string, file: string): Script {
  const value = parseJson(text, file, 1);
  if (typeof value !== 'object' || value === null || !Array.isArray((value as { rules?: unknown }).rules)) {
    throw complain('expected an object with a list "rules"', { file, line: 1 });
  }
  const { rules, ...header } = value as { rules: readonly unknown[] };
  const head = check(scriptSchema.omit({ rules: true }), header, { file, line: 1 });
  const checked = rules.map((rule, index) => checkRule(rule, { file, line: lineOfElement(text, 'rules', index) }));
  return scriptOf(head, checked);
}

function parseLines(text: string, file: string): Script {
  const rules: ScriptRule[] = [];
  let header: z.infer<typeof headerLineSchema>['script'] = {};
  let first = true;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const location = { file, line: index + 1 };
    const value = parseJson(line, file, location.line);
    if (first && typeof value === 'object' && value !== null && 'script' in value) header = check(headerLineSchema, value, location).script;
    else rules.push(checkRule(value, location));
    first = false;
  }
  return scriptOf(header, rules);
}

function scriptOf(header: z.infer<typeof headerLineSchema>['script'], rules: readonly ScriptRule[]): Script {
  const merged = header.defaults === undefined ? rules : rules.map((rule) => ({ ...header.defaults, ...rule }));
  return { name: header.name ?? null, contextTokens: header.contextTokens ?? null, rules: merged };
}

function parseJson(text: string, file: string, firstLine: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const position = /position (\d+)/u.exec(String(cause))?.[1];
    const line = firstLine + (position === undefined ? 0 : lineAt(text, Number(position)) - 1);
    throw complain(`not valid JSON: ${String(cause).replace(/^SyntaxError: /u, '')}`, { file, line }, cause);
  }
}

function checkRule(value: unknown, location: SourceLocation): ScriptRule {
  const rule = check(ruleSchema, value, location);
  const used = matchers.filter((name) => rule[name] !== undefined);
  if (used.length > 1) throw complain(`a rule matches in one way only, not by ${used.join(' and ')}`, location);
  const answers = [rule.text !== undefined, rule.echo === true, rule.fail !== undefined, rule.crash === true].filter(Boolean).length;
  if (answers > 1) throw complain('a rule has one of text, echo, fail and crash', location);
  if (answers === 0 && rule.scores === undefined)
    throw complain('the rule answers nothing: give it text, echo, scores, fail or crash', location);
  if (rule.pattern !== undefined) {
    try {
      new RegExp(rule.pattern, 'u');
    } catch (cause) {
      throw complain(`"pattern" is not a regular expression: ${rule.pattern}`, location, cause);
    }
  }
  return rule;
}

function check<T>(schema: z.ZodType<T>, value: unknown, location: SourceLocation): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const where = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    throw new ToolError('config', `${where}unknown key "${key}" in the script`, {
      location,
      hint: suggestName(key, Object.keys(ruleSchema.shape)),
    });
  }
  throw complain(`${where}${issue.message}`, location);
}

function complain(message: string, location: SourceLocation, cause?: unknown): ToolError {
  return new ToolError('config', `script: ${message}`, { location, cause });
}
