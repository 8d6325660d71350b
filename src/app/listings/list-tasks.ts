// The tasks table with licences, protocols and groups.
import { dash } from '../../report/format-values.ts';
import { groups, listTasks, taskAliases } from '../../tasks/catalogue/task-list.ts';
import { column, type Listing } from './listing.ts';

export function listTaskTable(verbose: boolean): Listing {
  const aliasesOf = (name: string) =>
    Object.entries(taskAliases).flatMap(([alias, target]) => (target.task === name && alias !== name ? [alias] : []));
  const tasks = listTasks();
  const rows = tasks.map((task) => [
    [task.name, ...task.alsoKnownAs, ...aliasesOf(task.name)].join(', '),
    task.title,
    task.kind,
    task.primaryMetric,
    task.variants.lmEval === undefined ? 'native' : 'native, lm-eval',
    task.licence,
    ...(verbose ? [task.groups.join(' '), `${task.dataset.name} ${task.dataset.split}`, task.description] : []),
  ]);
  const groupRows = groups.map((group) => [
    group.name,
    `group of ${group.tasks.length}: ${group.tasks.slice(0, 6).join(', ')}${group.tasks.length > 6 ? ', ...' : ''}`,
    'group',
    dash,
    `by ${group.weighting}`,
    dash,
    ...(verbose ? ['', '', group.description] : []),
  ]);
  const columns = [
    column('name (-d)'),
    column('title'),
    column('request'),
    column('metric'),
    column('protocols'),
    column('licence'),
    ...(verbose ? [column('groups'), column('data'), column('about')] : []),
  ];
  return { name: 'tasks', title: 'Tasks (-d)', columns, rows: [...rows, ...groupRows], json: { tasks, groups } };
}
