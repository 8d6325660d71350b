// The Markdown report of a run: comparison first, then one block per task, the environment, and how to repeat it.
import type { RunRecord } from '../../core/record.ts';
import { dash, formatBytes, formatDuration, formatFixed, formatMetric, formatParameters, formatPercent } from '../format-values.ts';
import { buildReportView, type ReportView, type ViewResult, type ViewTask } from '../view-model.ts';
import { markdownCell, markdownCode, markdownTable } from './escape-markdown.ts';
import { resultBlock } from './result-block.ts';

function section(title: string, ...parts: readonly (string | null)[]): string {
  const body = parts.filter((part): part is string => part !== null && part !== '');
  return body.length === 0 ? '' : `## ${title}\n\n${body.join('\n\n')}`;
}

function rights(count: number): 'right'[] {
  return Array.from({ length: count }, () => 'right');
}

/** Share of answered samples that were invalid, failed or truncated. */
function rates({ entry }: ViewResult): string {
  const { total, missing, invalid, error, truncated } = entry.counts;
  const answered = Math.max(1, total - missing);
  return [invalid, error, truncated].map((count) => (count === 0 ? '0' : formatPercent(count / answered))).join(' / ');
}

function comparisonRow(task: ViewTask, result: ViewResult): string[] {
  const { entry } = result;
  const mark = task.best === result.model.key ? ' **best**' : task.overlapsBest.includes(result.model.key) ? ' ≈' : '';
  return [
    markdownCell(task.task.key),
    markdownCell(result.model.key),
    `${formatMetric(entry.primary)}${task.results.length > 1 ? mark : ''}`,
    entry.primary === null
      ? dash
      : `${markdownCell(entry.primary.name)}${entry.primary.average === null ? '' : ` (${entry.primary.average})`}`,
    String(entry.counts.scored + entry.counts.invalid),
    rates(result),
    formatDuration(entry.speed.latencyMs.p50),
    formatFixed(entry.speed.decodeTokensPerSecond, 1),
    formatBytes(result.peakRssBytes),
  ];
}

function comparison(view: ReportView): string {
  const header = [
    'Task',
    'Model',
    'Result [95 % interval]',
    'Metric',
    'n',
    'Invalid / error / truncated',
    'Latency p50',
    'Output tok/s',
    'Peak memory',
  ];
  const rows = view.tasks.flatMap((task) => task.results.map((result) => comparisonRow(task, result)));
  const hasOverlap = view.tasks.some((task) => task.overlapsBest.length > 0);
  return section(
    'Comparison',
    markdownTable(header, ['left', 'left', 'right', 'left', ...rights(5)], rows),
    hasOverlap ? '≈ : the interval overlaps the best one’s; `slmbench compare` gives the paired test on the same items.' : null,
  );
}

function speedTable(task: ViewTask): string {
  const header = ['Model', 'n', 'mean', 'p50', 'p95', 'p99', 'min', 'max', 'sd', 'TTFT p50', 'Prefill tok/s', 'Decode tok/s'];
  const rows = task.results.map(({ model, entry: { speed } }) => [
    markdownCell(model.key),
    String(speed.n),
    ...(['mean', 'p50', 'p95', 'p99', 'min', 'max', 'sd'] as const).map((key) => formatFixed(speed.latencyMs[key], 1)),
    formatFixed(speed.ttftMs.p50, 1),
    formatFixed(speed.prefillTokensPerSecond, 1),
    formatFixed(speed.decodeTokensPerSecond, 1),
  ]);
  return markdownTable(header, ['left', ...rights(11)], rows);
}

function taskSection(view: ViewTask): string {
  const { task } = view;
  const { dataset } = task;
  const facts = [
    `${task.title === '' ? task.name : markdownCell(task.title)} (version ${markdownCell(task.version)}, protocol ${task.protocol}, request ${task.kind})`,
    `Dataset ${markdownCode(dataset.name)} split ${markdownCode(dataset.split)} from ${markdownCode(dataset.source)}: ${task.sampleIds.length} of ${dataset.splitSize} rows (${task.selection}), manifest ${markdownCode(task.manifest.slice(0, 16))}, licence ${markdownCell(dataset.licence)}`,
    ...(task.fewShotIds.length > 0 ? [`Few-shot examples: ${task.fewShotIds.map((id) => markdownCode(id)).join(', ')}`] : []),
    ...dataset.notes.map((note) => `Note: ${markdownCell(note)}`),
  ];
  return section(
    `Task ${markdownCell(task.key)}`,
    facts.map((fact) => `- ${fact}`).join('\n'),
    ...view.results.map(resultBlock),
    '#### Latency per sample (ms; quantiles type 7, sd with n - 1)',
    speedTable(view),
  );
}

function modelsSection(view: ReportView): string {
  const rows = view.models.map(({ model: { key, reference, facts }, loadMs, peakRssBytes }) => [
    markdownCell(key),
    markdownCell(facts.file ?? reference),
    formatParameters(facts.parameters),
    `${facts.quantisation ?? dash}${facts.bitsPerWeight === null ? '' : ` (${facts.bitsPerWeight.toFixed(2)} bpw)`}`,
    formatBytes(facts.sizeBytes),
    formatDuration(loadMs),
    formatBytes(peakRssBytes),
    facts.digest === null ? dash : markdownCode(facts.digest.slice(0, 16)),
  ]);
  const header = ['Model', 'File', 'Parameters', 'Quantisation', 'Size', 'Load', 'Peak memory', 'Digest'];
  return section('Models', markdownTable(header, ['left', 'left', 'right', 'left', 'right', 'right', 'right', 'left'], rows));
}

function environmentSection({ environment, tool, modelRuns }: RunRecord): string {
  const revision = tool.git.commit === null ? '' : ` (${tool.git.describe ?? tool.git.commit}${tool.git.dirty === true ? ', dirty' : ''})`;
  const rows: [string, string][] = [
    ['slmbench', `${tool.version}${revision}`],
    ['OS', environment.os],
    ['Kernel', environment.kernel],
    [
      'CPU',
      `${environment.cpuModel ?? dash} (${environment.physicalCores ?? dash} physical, ${environment.logicalCores ?? dash} logical cores)`,
    ],
    ['CPU features', environment.cpuFeatures.join(' ') || dash],
    ['RAM', formatBytes(environment.ramBytes)],
    ['GPU', environment.gpus.map((gpu) => `${gpu.name} (${formatBytes(gpu.totalMemoryBytes)})`).join(', ') || dash],
    ['Node', environment.node],
    ['Python', environment.python ?? dash],
    ['Load average at start', formatFixed(environment.loadAverage, 2)],
    ...modelRuns.map(({ model, backend }): [string, string] => {
      const settings = Object.entries(backend.settings).map(([name, value]) => `${name}=${value}`);
      return [`Engine of ${model}`, [backend.name, backend.version ?? '', ...settings].join(' ')];
    }),
  ];
  const cells = rows.map(([name, value]) => [markdownCell(name), markdownCell(value)]);
  return section('Environment', markdownTable(['Field', 'Value'], ['left', 'left'], cells));
}

function groupsSection(record: RunRecord): string {
  if (record.groups.length === 0) return '';
  const rows = record.groups.map((group) => [
    markdownCell(group.group),
    markdownCell(group.model),
    formatMetric(group.value),
    group.weighting,
    String(group.tasks.length),
  ]);
  return section(
    'Groups',
    markdownTable(['Group', 'Model', 'Result', 'Weighting', 'Tasks'], ['left', 'left', 'right', 'left', 'right'], rows),
  );
}

/** The report of one record. Every figure comes from the record. */
export function renderMarkdown(record: RunRecord): string {
  const view = buildReportView([record]);
  const parts = [
    `# ${markdownCell(record.name)}`,
    `Run ${markdownCode(record.id)} of ${record.created}, seed ${record.settings.seed}, protocol ${record.settings.protocol}.`,
    record.status === 'complete' ? '' : `**Status: ${record.status}.**`,
    record.smoke ? '**Smoke run: a prefix of the data, not a result to publish.**' : '',
    comparison(view),
    groupsSection(record),
    view.warnings.length === 0 ? '' : section('Warnings', view.warnings.map((warning) => `- ${markdownCell(warning)}`).join('\n')),
    modelsSection(view),
    ...view.tasks.map(taskSection),
    environmentSection(record),
    section(
      'Reproducibility',
      `\`\`\`sh\n${record.command.replace(/`/g, "'")}\n\`\`\``,
      `Plan digest ${markdownCode(record.planDigest)}. \`record.json\` is the machine-readable source of truth; \`slmbench verify ${record.id}\` recomputes every number from the journal.`,
      record.notes.map((note) => `- ${markdownCell(note)}`).join('\n'),
    ),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
