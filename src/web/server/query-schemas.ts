// What the viewer's addresses accept; an unknown or wrong parameter is told, never ignored.
import { z } from 'zod';
import { ToolError } from '../../core/errors.ts';

const text = z.string().max(500);
const choice = text.optional();
const count = (most: number) => z.coerce.number().int().min(0).max(most);

export const runsQuery = z.strictObject({
  text: choice,
  state: choice,
  model: choice,
  task: choice,
  tag: choice,
  sort: z.enum(['newest', 'oldest', 'name']).optional(),
  offset: count(1e7).default(0),
  limit: count(200).default(50),
});

export const samplesQuery = z.strictObject({
  model: choice,
  task: choice,
  outcome: z.enum(['right', 'wrong', 'partial', 'scored', 'invalid', 'error', 'skipped']).optional(),
  category: choice,
  flip: choice,
  text: choice,
  sort: z.enum(['plan', 'slowest', 'fastest', 'lowest']).optional(),
  offset: count(1e9).default(0),
  limit: count(200).default(100),
});

export const compareQuery = z.strictObject({
  runs: z
    .string()
    .max(4000)
    .transform((list) => list.split(',').filter((id) => id !== '')),
  baseline: choice,
});

export const flipsQuery = z.strictObject({
  task: text,
  leftRun: text,
  leftModel: text,
  rightRun: text,
  rightModel: text,
  direction: z.enum(['gained', 'lost', 'both']).default('both'),
  offset: count(1e7).default(0),
  limit: count(200).default(50),
});

export const notesChange = z.strictObject({ name: z.string().nullable().optional(), tags: z.array(z.string()).optional() });
export const slotParameter = count(1e9);

/** @throws ToolError `usage` naming the parameter */
export function readInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new ToolError('usage', `${issue.path.join('.') || 'request'}: ${issue.message}`);
}
