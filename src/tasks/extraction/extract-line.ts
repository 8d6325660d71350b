// One line of `slmbench extract`: an output and what to read in it, as a user writes them in JSONL.
import { z } from 'zod';
import { ToolError } from '../../core/errors.ts';
import { finishReasons } from '../../core/generation.ts';
import { suggestName } from '../../core/names.ts';
import type { InvalidReason } from '../../core/outcome.ts';
import { extractAnswer } from './extract-answer.ts';
import { type ExtractionRequest, extractionKinds, type JudgeScale } from './extraction.ts';

const strings = z.array(z.string()).min(1);

/** Only the fields that reading needs; other columns of the line are left alone. */
const lineSchema = z.object({
  output: z.string().nullish(),
  prediction: z.string().nullish(),
  raw: z.string().nullish(),
  options: z.union([strings, z.record(z.string(), z.string())]).optional(),
  letters: strings.optional(),
  labels: strings.optional(),
  aliases: z.record(z.string(), z.array(z.string())).optional(),
  schema: z.unknown().optional(),
  language: z.string().optional(),
  entryPoint: z.string().optional(),
  text: z.string().optional(),
  pattern: z.string().optional(),
  group: z.union([z.number().int().nonnegative(), z.string()]).optional(),
  which: z.enum(['first', 'last']).optional(),
  decimal: z.enum(['.', ',']).optional(),
  percentAsFraction: z.boolean().optional(),
  scale: z.union([z.number().positive(), strings]).optional(),
  finishReason: z.enum(finishReasons).nullish(),
  reasoning: z.string().nullish(),
});
export type ExtractLine = z.infer<typeof lineSchema>;

export interface ExtractLineDefaults extends Partial<Omit<ExtractLine, 'output'>> {
  readonly kind: string;
}

export interface ExtractedLine {
  readonly value: string | null;
  readonly values?: readonly string[];
  readonly rule: string | null;
  readonly reason: InvalidReason | null;
  readonly detail?: string;
}

/**
 * Reads one parsed JSONL line; fields of the line win over the defaults of the command line.
 * @throws ToolError `data` for a line without output or options, `usage` for an unknown kind
 */
export function extractLine(json: unknown, defaults: ExtractLineDefaults): ExtractedLine {
  const parsed = lineSchema.safeParse(json);
  if (!parsed.success)
    throw new ToolError('data', `not an extraction line: ${z.prettifyError(parsed.error)}`, {
      hint: 'expected {"output": "...", "options": [...]}',
    });
  const line: ExtractLine = { ...defaults, ...withoutUndefined(parsed.data) };
  // A null output is an answer that never came; an absent one is a mistake of the file.
  const output = line.output ?? line.raw ?? line.prediction ?? line.output;
  if (output === undefined)
    throw new ToolError('data', 'the line has no "output"', {
      hint: `its keys: ${
        Object.keys(json as object)
          .slice(0, 10)
          .join(', ') || 'none'
      }`,
    });
  const read = extractAnswer(output ?? '', requestOf(defaults.kind, line), { finishReason: line.finishReason, reasoning: line.reasoning });
  const { value, values, rule, reason, detail } = read;
  return { value, ...(values === undefined ? {} : { values }), rule, reason, ...(detail === undefined ? {} : { detail }) };
}

function withoutUndefined<T extends object>(record: T): T {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

function need<T>(value: T | undefined, name: string, kind: string): T {
  if (value === undefined)
    throw new ToolError('data', `kind "${kind}" needs "${name}"`, { hint: `put "${name}" into each line or on the command line` });
  return value;
}

function requestOf(kind: string, line: ExtractLine): ExtractionRequest {
  switch (kind) {
    case 'choice':
      return choiceOf(line);
    case 'number':
      return { kind, decimal: line.decimal, percentAsFraction: line.percentAsFraction };
    case 'label':
    case 'multi-label':
      return { kind, labels: need(line.labels, 'labels', kind), aliases: line.aliases };
    case 'json':
      return { kind, schema: line.schema };
    case 'code':
      return { kind, language: line.language, entryPoint: line.entryPoint };
    case 'entities':
      return { kind, text: line.text };
    case 'regex':
      return { kind, pattern: need(line.pattern, 'pattern', kind), group: line.group, which: line.which ?? 'last' };
    case 'judge':
      return { kind, scale: scaleOf(need(line.scale, 'scale', kind)) };
    case 'list':
    case 'text':
    case 'gsm8k-strict':
    case 'gsm8k-flexible':
    case 'math':
      return { kind };
    default:
      throw new ToolError('usage', `unknown kind "${kind}"`, { hint: suggestName(kind, extractionKinds) });
  }
}

/** Options as a list, or as an object of letters and texts. */
function choiceOf(line: ExtractLine): ExtractionRequest {
  const options = need(line.options, 'options', 'choice');
  if (Array.isArray(options)) return { kind: 'choice', options, letters: line.letters };
  return { kind: 'choice', options: Object.values(options), letters: line.letters ?? Object.keys(options) };
}

function scaleOf(scale: number | readonly string[]): JudgeScale {
  return typeof scale === 'number' ? { kind: 'points', max: scale } : { kind: 'labels', labels: scale };
}
