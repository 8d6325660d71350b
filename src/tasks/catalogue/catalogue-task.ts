// A task of the catalogue as plain data: nothing is parsed until the task is used, so that listing is quick.
import type { TaskDefinitionInput } from '../task-definition.ts';

export type CatalogueTask = TaskDefinitionInput &
  Required<Pick<TaskDefinitionInput, 'version' | 'licence' | 'groups' | 'alsoKnownAs' | 'variants'>>;

export function catalogueTask(task: TaskDefinitionInput): CatalogueTask {
  return {
    ...task,
    version: task.version ?? '1',
    licence: task.licence ?? 'unknown',
    groups: task.groups ?? [],
    alsoKnownAs: task.alsoKnownAs ?? [],
    variants: task.variants ?? {},
  };
}
