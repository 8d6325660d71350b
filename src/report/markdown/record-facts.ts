// The facts part of a run's Markdown report: data, models, testing, environment with GPUs and packages.
import type { MetricDetails } from '../../core/metric.ts';
import type { RunRecord } from '../../core/record.ts';
import { dash, formatBytes, formatDuration, formatFixed, formatParameters } from '../format-values.ts';
import type { ReportView, ViewTask } from '../view-model.ts';
import { markdownCell, markdownCode, markdownTable } from './escape-markdown.ts';
import { rights, section } from './section.ts';

const codeOrDash = (text: string | null): string => (text === null || text === '' ? dash : markdownCode(text));
const textOrDash = (text: string | null): string => (text === null || text === '' ? dash : markdownCell(text));
const yesNo = (value: boolean | null): string => (value === null ? dash : value ? 'yes' : 'no');

function fields(rows: readonly (readonly [string, string])[]): string {
  return markdownTable(
    ['Field', 'Value'],
    ['left', 'left'],
    rows.map(([name, value]) => [markdownCell(name), value]),
  );
}

/** Gold counts of a classification task, as the first model's answers were scored against them. */
function classCounts({ results }: ViewTask): string {
  const all = results.flatMap(({ entry }): readonly MetricDetails[] => Object.values(entry.metrics.details));
  const classes = all.find((details) => details.perClass !== undefined && details.perClass.length > 0)?.perClass ?? [];
  return classes.length === 0 ? dash : classes.map(({ label, support }) => `${markdownCode(label)}=${support}`).join(', ');
}

export function datasetSection({ tasks }: ReportView): string {
  const rows = tasks.map((view) => {
    const { key, dataset, sampleIds, selection } = view.task;
    const of = selection === 'all' ? '' : ` of ${dataset.splitSize} (${selection})`;
    return [markdownCell(key), markdownCode(dataset.name), markdownCell(dataset.split), `${sampleIds.length}${of}`, classCounts(view)];
  });
  if (rows.length === 0) return '';
  const facts = tasks.map(({ task }) => {
    const { dataset } = task;
    const title = task.title === '' ? task.name : task.title;
    const shots = task.fewShotIds.length === 0 ? '' : `; ${task.fewShotIds.length} examples in the prompt`;
    const revision = dataset.revision === null ? '' : `, revision ${markdownCode(dataset.revision)}`;
    const notes = dataset.notes.map((note) => ` ${markdownCell(note)}.`).join('');
    return (
      `- ${markdownCell(task.key)}: ${markdownCell(title)}, version ${markdownCell(task.version)}, protocol ${task.protocol}, request ${task.kind}${shots}. ` +
      `Data from ${markdownCode(dataset.source)}${revision}, licence ${markdownCell(dataset.licence)}, manifest ${markdownCode(task.manifest.slice(0, 16))}.${notes}`
    );
  });
  return section(
    '## Dataset',
    markdownTable(['Task', 'Dataset', 'Split', 'Examples', 'Class counts'], ['left', 'left', 'left', 'right', 'left'], rows),
    facts.join('\n'),
  );
}

export function modelsSection({ models }: ReportView): string {
  if (models.length === 0) return '';
  const rows = models.map(({ model: { key: name, reference, facts }, loadMs, peakRssBytes }) => [
    markdownCell(name),
    markdownCell(facts.file ?? reference),
    formatParameters(facts.parameters),
    `${facts.quantisation ?? dash}${facts.bitsPerWeight === null ? '' : ` (${facts.bitsPerWeight.toFixed(2)} bpw)`}`,
    formatBytes(facts.sizeBytes),
    formatDuration(loadMs),
    formatBytes(peakRssBytes),
    facts.digest === null ? dash : markdownCode(facts.digest.slice(0, 16)),
  ]);
  const header = ['Model', 'File', 'Parameters', 'Quantisation', 'Size', 'Load', 'Peak memory', 'Digest'];
  return section('## Models', markdownTable(header, ['left', 'left', 'right', 'left', 'right', 'right', 'right', 'left'], rows));
}

function runtime(startedAt: string | null, finishedAt: string | null): string {
  return startedAt === null || finishedAt === null ? dash : formatDuration(Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)));
}

function latencyTable({ tasks }: ReportView): string {
  const header = ['Task', 'Model', 'n', 'mean', 'p50', 'p95', 'p99', 'min', 'max', 'sd', 'TTFT p50', 'Prefill tok/s', 'Decode tok/s'];
  const rows = tasks.flatMap(({ task, results }) =>
    results.map(({ model, entry: { speed } }) => [
      markdownCell(task.key),
      markdownCell(model.key),
      String(speed.n),
      ...(['mean', 'p50', 'p95', 'p99', 'min', 'max', 'sd'] as const).map((name) => formatFixed(speed.latencyMs[name], 1)),
      formatFixed(speed.ttftMs.p50, 1),
      formatFixed(speed.prefillTokensPerSecond, 1),
      formatFixed(speed.decodeTokensPerSecond, 1),
    ]),
  );
  return markdownTable(header, ['left', 'left', ...rights(11)], rows);
}

export function testingSection(view: ReportView): string {
  if (view.tasks.length === 0) return '';
  const rows = view.tasks.flatMap(({ task, results }) =>
    results.map(({ model, entry }) => {
      const { total, missing, fresh, cached } = entry.counts;
      return [
        markdownCell(task.key),
        markdownCell(model.key),
        String(total - missing),
        `${fresh} / ${cached}`,
        runtime(entry.startedAt, entry.finishedAt),
        formatBytes(entry.resources?.peakRssBytes ?? null),
        entry.resources?.meanCpuPercent == null ? dash : `${entry.resources.meanCpuPercent.toFixed(0)} %`,
      ];
    }),
  );
  return section(
    '## Testing',
    markdownTable(
      ['Task', 'Model', 'Examples', 'Fresh / cached', 'Runtime', 'Peak memory', 'Mean CPU (100 % is one core)'],
      ['left', 'left', ...rights(5)],
      rows,
    ),
    '### Latency per sample (ms; quantiles type 7, sd with n - 1)',
    latencyTable(view),
  );
}

export function environmentSection({ environment, tool, project, modelRuns }: RunRecord): string {
  const rows: (readonly [string, string])[] = [
    ['slmbench version', markdownCell(tool.version)],
    ['slmbench revision', codeOrDash(tool.git.commit)],
    ['Git describe', codeOrDash(tool.git.describe)],
    ['Dirty working tree', yesNo(tool.git.dirty)],
    ...(project === null
      ? []
      : [['Project revision', codeOrDash(project.commit)] as const, ['Project dirty', yesNo(project.dirty)] as const]),
    ['Node', markdownCell(environment.node)],
    ['Python', textOrDash(environment.python)],
    ['OS', markdownCell(environment.os)],
    ['Kernel', markdownCell(environment.kernel)],
    [
      'CPU',
      `${textOrDash(environment.cpuModel)} (${environment.physicalCores ?? dash} physical, ${environment.logicalCores ?? dash} logical cores)`,
    ],
    ['CPU features', textOrDash(environment.cpuFeatures.join(' '))],
    ['RAM', formatBytes(environment.ramBytes)],
    ['Load average at start', formatFixed(environment.loadAverage, 2)],
    ...modelRuns.map(({ model, backend }) => {
      const settings = Object.entries(backend.settings).map(([name, value]) => `${name}=${value}`);
      return [`Engine of ${model}`, markdownCell([backend.name, backend.version ?? '', ...settings].join(' '))] as const;
    }),
    ['CUDA_VISIBLE_DEVICES', codeOrDash(environment.cudaVisibleDevices)],
    ['CUDA runtime', textOrDash(environment.cudaRuntime)],
    ['NVIDIA driver', textOrDash(environment.nvidiaDriver)],
  ];
  return section('## Environment', fields(rows));
}

export function gpuSection({ environment: { gpus } }: RunRecord): string {
  if (gpus.length === 0) return '';
  return section(
    '### GPUs visible to the benchmark process',
    markdownTable(
      ['Device', 'GPU', 'Memory', 'Peak allocated', 'Peak reserved'],
      ['right', 'left', ...rights(3)],
      gpus.map((gpu) => [
        String(gpu.index),
        markdownCell(gpu.name),
        formatBytes(gpu.totalMemoryBytes),
        formatBytes(gpu.peakAllocatedBytes),
        formatBytes(gpu.peakReservedBytes),
      ]),
    ),
  );
}

export function packageSection({ environment: { packages } }: RunRecord): string {
  const entries = Object.entries(packages);
  if (entries.length === 0) return '';
  return section(
    '### Package versions',
    markdownTable(
      ['Package', 'Version'],
      ['left', 'left'],
      entries.map(([name, version]) => [markdownCell(name), markdownCell(version)]),
    ),
  );
}
