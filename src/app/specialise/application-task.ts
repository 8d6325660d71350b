// The task of a recipe without gold answers: what an application asks, through the same prompts and parsers as the benchmark.
import { memberOf } from '../../core/count-names.ts';
import { ToolError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { suggestName } from '../../core/names.ts';
import { type BoundTask, bindTask } from '../../tasks/bind-task.ts';
import { parseTaskDefinition } from '../../tasks/parse-task-definition.ts';
import type { TaskDefinition } from '../../tasks/task-definition.ts';
import { rowsInCode } from '../prepare-tasks.ts';
import { inputColumns } from './tool-schema.ts';

/** The definition with the gold answer taken out: prompts and reading stay the same. */
export function withoutGold(definition: TaskDefinition): TaskDefinition {
  const { gold: _, target: __, references: ___, extra: ____, category: _____, cluster: ______, ...rest } = definition;
  return parseTaskDefinition({
    ...rest,
    extra: {},
    ...(definition.kind === 'choose' ? { gold: { fixed: 0 } } : {}),
    // Binding wants an answer in every row; reading never looks at it.
    ...(definition.labels === undefined ? { references: ['unknown'] } : {}),
  });
}

export type TaskInput = string | JsonObject;

/** Input by column; a text serves where the task reads one column only. @throws ToolError `usage` naming what is missing or unknown */
export function fieldsOf(definition: TaskDefinition, input: TaskInput): JsonObject {
  const columns = inputColumns(definition);
  if (typeof input === 'string') {
    if (columns.length !== 1)
      throw new ToolError('usage', `task "${definition.name}" reads ${columns.length} inputs: ${columns.join(', ')}`, {
        hint: 'name each of them',
      });
    return { [columns[0]!]: input };
  }
  const missing = columns.find((name) => memberOf(input, name) === undefined);
  if (missing !== undefined)
    throw new ToolError('usage', `input "${missing}" is missing`, { hint: `task "${definition.name}" reads ${columns.join(', ')}` });
  const unknown = Object.keys(input).find((name) => !columns.includes(name));
  if (unknown !== undefined) throw new ToolError('usage', `unknown input "${unknown}"`, { hint: suggestName(unknown, columns) });
  return input;
}

export interface BoundInput {
  readonly task: BoundTask;
  readonly row: BoundTask['rows'][number];
}

export function bindInput(definition: TaskDefinition, input: TaskInput, seed: number): BoundInput {
  const [row] = rowsInCode([fieldsOf(definition, input)]);
  return { task: bindTask(definition, { rows: [row!], protocol: 'native', shots: 0, seed }), row: row! };
}
