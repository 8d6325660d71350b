// Options of one use of a metric, from a task file: unknown keys and wrong values are errors with the nearest right name.
import { z } from 'zod';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';

/**
 * Reads `use` with a strict schema; throws a config error that names the metric, the key and what was expected.
 * `protocol` is a fact of the run that callers may pass to every metric; those that do not ask for it ignore it.
 */
export function readUseOptions<Shape extends z.ZodRawShape>(
  metric: string,
  use: Readonly<Record<string, unknown>>,
  shape: Shape,
): z.infer<z.ZodObject<Shape>> {
  const known = Object.keys(shape);
  for (const key of Object.keys(use)) {
    if (known.includes(key) || key === 'protocol') continue;
    throw new ToolError('config', `metric "${metric}" has no option "${key}"`, {
      hint: known.length === 0 ? 'it takes no options' : suggestName(key, known),
    });
  }
  const parsed = z.object(shape).safeParse(use);
  if (parsed.success) return parsed.data as z.infer<z.ZodObject<Shape>>;
  const issue = parsed.error.issues[0]!;
  throw new ToolError('config', `metric "${metric}", option "${issue.path.join('.')}": ${issue.message}`);
}
