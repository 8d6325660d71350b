// What is known and what was run, as tables: models, datasets, tasks, runs. Loads no native library and makes no connection.
import { estimateEntryMemoryBytes, instancesThatFit } from '../backends/estimate-memory.ts';
import { modelRegistry } from '../backends/model-registry.ts';
import { listDatasets } from '../datasets/registry.ts';
import { dash, formatBytes } from '../report/format-values.ts';
import { loadFileRunStore } from '../store/registry.ts';
import { groups, listTasks, taskAliases } from '../tasks/registry.ts';
import { openWorkspace, type Workspace } from './workspace.ts';

export interface Listing {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly { readonly title: string; readonly numeric?: boolean }[];
  readonly rows: readonly (readonly string[])[];
  readonly json: unknown;
}

export interface ListOptions {
  readonly verbose: boolean;
  readonly output?: string | undefined;
}

const eightGigabytes = 8 * 1024 ** 3;

function column(title: string, numeric = false) {
  return { title, numeric };
}

function listModels(workspace: Workspace, verbose: boolean): Listing {
  const { entries } = modelRegistry(workspace.userModels);
  const rows = entries.map((entry) => {
    const memory = estimateEntryMemoryBytes(entry);
    const plain = [
      entry.name,
      entry.title,
      entry.provider,
      entry.parameters,
      entry.quantisation,
      String(entry.contextLength),
      formatBytes(entry.sizeBytes ?? memory),
      entry.ollamaTag ?? dash,
      entry.licence + (entry.gated ? ' (gated)' : ''),
    ];
    if (!verbose) return plain;
    return [
      ...plain,
      memory === null ? dash : String(instancesThatFit(memory, eightGigabytes)),
      entry.strengths ?? dash,
      entry.weaknesses ?? dash,
      entry.bestUse ?? dash,
    ];
  });
  const columns = [
    column('name'),
    column('title'),
    column('provider'),
    column('parameters', true),
    column('quantisation'),
    column('context', true),
    column('size', true),
    column('Ollama tag'),
    column('licence'),
  ];
  const more = [column('fit in 8 GB', true), column('strengths'), column('weaknesses'), column('best use')];
  return { name: 'models', title: 'Models (-m)', columns: verbose ? [...columns, ...more] : columns, rows, json: entries };
}

function listDatasetTable(verbose: boolean): Listing {
  const infos = listDatasets();
  const rows = infos.map((info) => [
    info.name,
    info.title,
    info.licence.name,
    ...(verbose ? [info.licence.url ?? dash, info.homepage ?? dash, info.description] : [info.homepage ?? dash]),
  ]);
  const columns = verbose
    ? [column('name'), column('title'), column('licence'), column('licence page'), column('home page'), column('about')]
    : [column('name'), column('title'), column('licence'), column('home page')];
  return { name: 'datasets', title: 'Datasets', columns, rows, json: infos };
}

function listTaskTable(verbose: boolean): Listing {
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

async function listRuns(workspace: Workspace): Promise<Listing> {
  const store = await loadFileRunStore(workspace.runsFolder);
  const runs = await store.list();
  const rows = runs.map((run) => [
    run.runId,
    run.status,
    run.created.slice(0, 19).replace('T', ' '),
    run.models.join(', '),
    run.tasks.join(', '),
  ]);
  return {
    name: 'runs',
    title: `Runs in ${workspace.runsFolder}`,
    columns: [column('run'), column('status'), column('created (UTC)'), column('models'), column('tasks')],
    rows,
    json: runs,
  };
}

/** All listings, or the one that was asked for. */
export async function listEverything(what: string | undefined, options: ListOptions): Promise<readonly Listing[]> {
  const workspace = await openWorkspace({ output: options.output, offline: true });
  const builders: Readonly<Record<string, () => Listing | Promise<Listing>>> = {
    models: () => listModels(workspace, options.verbose),
    datasets: () => listDatasetTable(options.verbose),
    tasks: () => listTaskTable(options.verbose),
    runs: () => listRuns(workspace),
  };
  const chosen = what === undefined ? Object.values(builders) : [builders[what]!];
  return Promise.all(chosen.map((build) => build()));
}
