// Reads the options that a task file gives to a metric; a mistyped one is an error that names the nearest valid one.
import type { z } from 'zod';
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';

/**
 * `protocol` is a fact of the run that callers may pass to every metric; those that do not ask for it ignore it.
 * @throws ToolError `config` for unknown keys and wrong values
 */
export function readMetricOptions<Schema extends z.ZodObject>(
  metric: string,
  schema: Schema,
  use: Readonly<Record<string, unknown>>,
): z.infer<Schema> {
  const { protocol, ...own } = use;
  const result = schema.safeParse('protocol' in schema.shape ? { ...own, protocol } : own);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  const known = Object.keys(schema.shape);
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const hint = known.length === 0 ? `${metric} takes no options` : suggestName(key, known);
    throw new ToolError('config', `metric ${metric}: unknown option "${key}"`, { hint });
  }
  throw new ToolError('config', `metric ${metric}: option "${issue.path.join('.')}": ${issue.message}`, {
    hint: known.length === 0 ? undefined : `options of ${metric}: ${known.join(', ')}`,
  });
}
