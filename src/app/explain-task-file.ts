// Checks a task file, with positions, and tries it on the first rows of its data.
import { loadConfigFile } from '../config/load-config-file.ts';
import { formatLocation, messageOf, ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { loadDataset } from '../datasets/registry.ts';
import { applySteps, type DatasetStep } from '../datasets/steps.ts';
import { listMetrics } from '../metrics/registry.ts';
import { bindTask } from '../tasks/bind-task.ts';
import { explainTaskDefinition, type TaskProblem } from '../tasks/parse-task-definition.ts';
import type { TaskDefinition } from '../tasks/task-definition.ts';
import { openWorkspace } from './workspace.ts';

const triedRows = 3;

async function tryRows(definition: TaskDefinition, offline: boolean): Promise<string[]> {
  const workspace = await openWorkspace({ offline });
  const dataset = await loadDataset(definition.dataset.name, { offline: workspace.offline, cacheDirectory: workspace.cacheDirectory });
  const split = await dataset.split(definition.dataset.split);
  const { steps } = definition.dataset;
  const rows = steps === undefined ? split.rows : applySteps(split.rows, steps as unknown as readonly DatasetStep[]).rows;
  const bound = bindTask(definition, { rows, protocol: 'native', seed: 42, shots: 0, classNames: split.classNames });
  const lines = bound.rows.slice(0, triedRows).map((row) => {
    const { facts } = bound.prepare(row, { protocol: 'native', chat: false, generation: {} });
    return `  row ${row.id}: gold ${JSON.stringify(facts.label)}, prompt ${JSON.stringify(facts.instruction.slice(0, 100))}`;
  });
  return [`data: ${split.rows.length} rows in ${dataset.info.name} ${split.name}`, ...lines];
}

/** A metric that is not built in must be the user's own: most often it is a slip of the pen. */
function metricNotes(definition: TaskDefinition): string[] {
  const known = listMetrics().map((metric) => metric.name);
  const names = definition.metrics.map((use) => (typeof use === 'string' ? use : use.name));
  return names
    .filter((name) => !known.includes(name) && name !== 'ifeval')
    .map(
      (name) =>
        `note: metric "${name}" is not built in (${suggestName(name, known)}); a recipe's metricFiles or the project file must bring it`,
    );
}

/** @throws ToolError `config` that lists every mistake with file, line and column */
export async function explainTaskFile(file: string, offline: boolean): Promise<string> {
  const document = await loadConfigFile(file);
  const check = explainTaskDefinition(document.value);
  const place = ({ path }: TaskProblem) =>
    formatLocation(
      document.locate(path === '' ? [] : path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)), { key: true }),
    );
  const line = (problem: TaskProblem) =>
    `${place(problem)}: ${problem.path === '' ? 'the task' : `"${problem.path}"`} ${problem.message}${problem.hint === undefined ? '' : ` (${problem.hint})`}`;
  if (check.kind === 'invalid') throw new ToolError('config', `${file} is not a valid task:\n  ${check.problems.map(line).join('\n  ')}`);
  const { definition } = check;
  const lines = [
    `${file}: valid task "${definition.name}", ${definition.type}, asked by ${definition.kind}, metric ${definition.primaryMetric}`,
    ...check.notes.map((note) => `note: ${line(note)}`),
    ...metricNotes(definition),
  ];
  try {
    lines.push(...(await tryRows(definition, offline)));
  } catch (thrown) {
    if (!ToolError.isInstance(thrown) || thrown.code !== 'unavailable') throw thrown;
    lines.push(`data not tried: ${messageOf(thrown)}`);
  }
  return `${lines.join('\n')}\n`;
}
