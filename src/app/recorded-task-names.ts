// Names of tasks as records hold them: `sentiment` was run as `sst2`, or as its built-in sample.
import type { RunRecord } from '../core/record.ts';
import { findTasks, isTaskName } from '../tasks/registry.ts';

type Recorded = { readonly tasks: readonly Pick<RunRecord['tasks'][number], 'name'>[] };

/**
 * Each wish as `run -d` would take it: an alias becomes the real task where a record has it. Other wishes stay as they are: a
 * record may hold tasks of the user's own, groups and task types.
 */
export function recordedTaskNames(wishes: readonly string[], records: readonly Recorded[]): readonly string[] {
  const recorded = new Set(records.flatMap((record) => record.tasks.map((task) => task.name)));
  return wishes.map((wish) => {
    if (recorded.has(wish) || !isTaskName(wish)) return wish;
    const found = findTasks(wish);
    if (found.length !== 1) return wish;
    const { definition, category, fallback } = found[0]!;
    const [real, sample] = [definition.name, fallback?.name].map((name) =>
      name === undefined || !recorded.has(name) ? undefined : category === undefined ? name : `${name}:${category}`,
    );
    return real ?? sample ?? wish;
  });
}
