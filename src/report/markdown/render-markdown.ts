// The Markdown report of a run, in the order that readers of task benchmarks know: results, data, testing, environment, how to repeat it.
import type { RunRecord } from '../../core/record.ts';
import { dash, formatBytes, formatDuration, formatFixed, formatMetric, formatPercent } from '../format-values.ts';
import { measurementsOf } from '../perf/measurements.ts';
import { buildReportView, type ReportView, type ViewResult, type ViewTask } from '../view-model.ts';
import { markdownCell, markdownCode, markdownTable } from './escape-markdown.ts';
import { datasetSection, environmentSection, gpuSection, modelsSection, packageSection, testingSection } from './record-facts.ts';
import { resultBlock } from './result-block.ts';
import { rights, section } from './section.ts';

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

/** A single result needs no table beside its own block. */
function comparison(view: ReportView): string {
  const rows = view.tasks.flatMap((task) => task.results.map((result) => comparisonRow(task, result)));
  if (rows.length < 2) return '';
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
  const hasOverlap = view.tasks.some((task) => task.overlapsBest.length > 0);
  return section(
    '### Comparison',
    markdownTable(header, ['left', 'left', 'right', 'left', ...rights(5)], rows),
    hasOverlap ? '≈ : the interval overlaps the best one’s; `slmbench compare` gives the paired test on the same items.' : null,
  );
}

function groups(record: RunRecord): string {
  if (record.groups.length === 0) return '';
  const rows = record.groups.map((group) => [
    markdownCell(group.group),
    markdownCell(group.model),
    formatMetric(group.value),
    group.weighting,
    String(group.tasks.length),
  ]);
  return section(
    '### Groups',
    markdownTable(['Group', 'Model', 'Result', 'Weighting', 'Tasks'], ['left', 'left', 'right', 'left', 'right'], rows),
  );
}

function resultsSection(record: RunRecord, view: ReportView): string {
  const warnings = [...new Set(view.warnings)].map((warning) => `- ${markdownCell(warning)}`).join('\n');
  return section(
    '## Results',
    comparison(view),
    groups(record),
    warnings === '' ? null : section('### Warnings', warnings),
    ...view.tasks.flatMap((task) => task.results.map(resultBlock)),
  );
}

/** Speed under load and quantisations, where the record holds them. */
function measurements(record: RunRecord): string {
  const parts = measurementsOf([record]).map(({ title, tables, doubts, notes }) =>
    section(
      `## ${title}`,
      ...tables.map(({ title: about, columns, rows }) => {
        const cells = rows.map((row) => row.map(markdownCell));
        return `### ${about}\n\n${markdownTable(
          columns.map((column) => column.title),
          columns.map((column) => column.align),
          cells,
        )}`;
      }),
      [...doubts, ...notes].map((line) => `- ${markdownCell(line)}`).join('\n'),
    ),
  );
  return parts.join('\n\n');
}

function reproducibility(record: RunRecord): string {
  return section(
    '## Reproducibility',
    `\`\`\`sh\n${record.command.replace(/`/g, "'")}\n\`\`\``,
    `\`record.json\` is the machine-readable source of truth; every answer is in \`predictions.jsonl\`. Plan digest ${markdownCode(record.planDigest)}; \`slmbench verify ${record.id}\` recomputes every number from the journal.`,
    record.notes.map((note) => `- ${markdownCell(note)}`).join('\n'),
  );
}

/** The report of one record. Every figure comes from the record; sections without content drop out. */
export function renderMarkdown(record: RunRecord): string {
  const view = buildReportView([record]);
  const parts = [
    `# ${markdownCell(record.name)}`,
    `Run ${markdownCode(record.id)} of ${record.created}, seed ${record.settings.seed}, protocol ${record.settings.protocol}.`,
    record.status === 'complete' ? '' : `**Status: ${record.status}.**`,
    record.smoke ? '**Smoke run: a prefix of the data, not a result to publish.**' : '',
    resultsSection(record, view),
    measurements(record),
    datasetSection(view),
    modelsSection(view),
    testingSection(view),
    environmentSection(record),
    gpuSection(record),
    packageSection(record),
    reproducibility(record),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
