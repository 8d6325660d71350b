// Makes a task from an object in code, with the defaults filled in and the types checked by the editor.

import { parseTaskDefinition } from './parse-task-definition.ts';
import type { TaskDefinition, TaskDefinitionInput } from './task-definition.ts';

/**
 * A checked task definition.
 * @throws ToolError `config` naming every mistake
 * @example defineTask({ name: 'capitals', title: 'Capitals', description: '...', type: 'qa', dataset: { name: './capitals.jsonl', split: 'all' },
 *   kind: 'generate', prompt: 'Capital of {{ country }}?', target: '{{ capital }}', metrics: ['exact_match'], primaryMetric: 'exact_match' })
 */
export function defineTask(task: TaskDefinitionInput): TaskDefinition {
  return parseTaskDefinition(task);
}
