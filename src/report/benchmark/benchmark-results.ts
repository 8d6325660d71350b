// The results part of the benchmark report: primary metric, averages, baselines, seeds, classes, confusion, invalid answers.
import type { MetricValue } from '../../core/metric.ts';
import type { BenchmarkRecord, ScoreBlock } from '../../core/specialise-record.ts';
import { dash, formatPercent } from '../format-values.ts';
import { markdownTable } from '../markdown/escape-markdown.ts';
import { cell, score, whole } from './benchmark-cells.ts';

/** Order of the reference report; everything else follows in a table of its own. */
const leading = [
  'accuracy',
  ...['micro', 'macro', 'weighted'].flatMap((average) => ['precision', 'recall', 'f1'].map((name) => `${name}:${average}`)),
];
/** From here on the share of invalid answers stands before every score. */
const loudInvalidShare = 0.05;

function keyOf(value: MetricValue): string {
  return value.average === null ? value.name : `${value.name}:${value.average}`;
}

function interval(value: MetricValue): string {
  return value.interval === null ? '' : ` [${score(value.interval.low)}, ${score(value.interval.high)}]`;
}

function invalidFirst({ invalidCount, support, invalidReasons }: ScoreBlock): string | null {
  if (support === 0 || invalidCount / support < loudInvalidShare) return null;
  const reasons = Object.entries(invalidReasons).map(([reason, count]) => `${cell(reason)} ${count}`);
  const why = reasons.length === 0 ? 'the record does not say why' : reasons.join(', ');
  return (
    `**Invalid answers: ${invalidCount} of ${support} (${formatPercent(invalidCount / support)})** (${why}). ` +
    'They count as wrong in accuracy and recall and for no class in precision; look at the outputs before reading the scores.'
  );
}

function primaryLine({ primary }: ScoreBlock): string {
  if (primary === null) return `**Primary metric:** ${dash}`;
  const average = primary.average === null ? '' : ` (${cell(primary.average)})`;
  return `**Primary metric:** ${cell(primary.name)}${average} = **${score(primary.value)}**${interval(primary)}`;
}

function metricRows(values: readonly MetricValue[]): string[][] {
  return values.map((value) => [cell(value.name), value.average === null ? dash : cell(value.average), score(value.value)]);
}

const metricHeader = ['Metric', 'Average', 'Value'];

function metricTables({ metrics }: ScoreBlock): (string | null)[] {
  const byKey = new Map(metrics.map((value) => [keyOf(value), value]));
  const known = leading.flatMap((key) => byKey.get(key) ?? []);
  const first = known.length > 0 ? known : metrics;
  const rest = metrics.filter((value) => !first.includes(value));
  return [
    first.length === 0 ? null : markdownTable(metricHeader, ['left', 'left', 'right'], metricRows(first)),
    rest.length === 0 ? null : `### Further metrics\n\n${markdownTable(metricHeader, ['left', 'left', 'right'], metricRows(rest))}`,
  ];
}

function pValue(p: number | null): string {
  return p === null ? dash : p < 1e-4 ? p.toExponential(1) : p.toFixed(4);
}

function baselineTable(record: BenchmarkRecord): string | null {
  if (record.baselines.length === 0) return null;
  const rows = record.baselines.map((baseline) => {
    const test = record.pairedTests.find((one) => one.baseline === baseline.title);
    const { support, invalidCount } = baseline.score;
    const difference =
      test?.difference === null || test === undefined ? dash : `${test.difference >= 0 ? '+' : ''}${score(test.difference)}`;
    return [
      cell(baseline.label === null ? baseline.title : `${baseline.title}: ${baseline.label}`),
      score(baseline.score.primary?.value),
      `${invalidCount} of ${support}`,
      test?.interval == null ? difference : `${difference} [${score(test.interval.low)}, ${score(test.interval.high)}]`,
      pValue(test?.adjustedP ?? null),
    ];
  });
  const header = ['Baseline', 'Primary metric', 'Invalid', 'Gain in right answers', 'p (Holm)'];
  return `### Baselines on the same rows\n\n${markdownTable(header, ['left', 'right', 'right', 'right', 'right'], rows)}`;
}

function exportTable({ exports }: BenchmarkRecord): string | null {
  if (exports === undefined || exports.length === 0) return null;
  const rows = exports.map(({ title, score: { primary, invalidCount, support }, againstAdapter: test, flags }) => [
    cell(title),
    score(primary?.value),
    `${invalidCount} of ${support}`,
    test?.difference == null ? dash : `${test.difference >= 0 ? '+' : ''}${score(test.difference)}`,
    pValue(test?.p ?? null),
    flags.length === 0 ? dash : flags.join(', '),
  ]);
  const header = ['Served as', 'Primary metric', 'Invalid', 'Against the adapter', 'p', 'Flag'];
  return `### Exports on the same rows\n\n${markdownTable(header, ['left', 'right', 'right', 'right', 'right', 'left'], rows)}`;
}

function seedTable(record: BenchmarkRecord): string | null {
  const { seedSummary: summary, seeds } = record;
  if (summary === null) return null;
  const spread =
    summary.interval === null ? '' : `, 95 % interval of the mean [${score(summary.interval.low)}, ${score(summary.interval.high)}]`;
  const line = `Mean over ${summary.n} seeds: **${score(summary.mean)}**, standard deviation ${score(summary.sd)}${spread}.`;
  const rows = seeds.map((one) => [
    whole(one.seed),
    score(one.score.primary?.value),
    `${one.score.invalidCount} of ${one.score.support}`,
    score(one.training.trainingLoss),
    ...record.baselines.map((baseline) => pValue(one.pairedTests.find((test) => test.baseline === baseline.title)?.adjustedP ?? null)),
  ]);
  const header = ['Seed', 'Primary metric', 'Invalid', 'Training loss', ...record.baselines.map((one) => `p against ${cell(one.title)}`)];
  return `### Seeds\n\n${line}\n\n${markdownTable(
    header,
    header.map(() => 'right' as const),
    rows,
  )}`;
}

export function resultsSection(record: BenchmarkRecord): string {
  const block = record.score;
  const [main, further] = metricTables(block);
  const parts = [
    record.smoke ? '**Smoke run**: a part of the data only; these figures say nothing about the model and cannot be published.' : null,
    invalidFirst(block),
    primaryLine(block),
    main ?? null,
    baselineTable(record),
    seedTable(record),
    exportTable(record),
    further ?? null,
  ];
  return `## Results\n\n${parts.filter((part) => part !== null).join('\n\n')}`;
}

export function classSection({ score: block }: BenchmarkRecord): string | null {
  if (block.perClass.length === 0) return null;
  const rows = block.perClass.map((one) => [cell(one.label), score(one.precision), score(one.recall), score(one.f1), whole(one.support)]);
  return `### Per-class results\n\n${markdownTable(['Class', 'Precision', 'Recall', 'F1', 'Support'], ['left', 'right', 'right', 'right', 'right'], rows)}`;
}

export function confusionSection({ score: { confusion } }: BenchmarkRecord): string | null {
  if (confusion === null || confusion.labels.length > 30) return null;
  const header = ['Gold \\ predicted', ...confusion.labels.map(cell), 'invalid'];
  const rows = confusion.labels.map((label, index) => [cell(label), ...(confusion.counts[index] ?? []).map(whole)]);
  return `### Confusion matrix\n\n${markdownTable(header, ['left', ...header.slice(1).map(() => 'right' as const)], rows)}`;
}

export function invalidLine({ score: { invalidCount } }: BenchmarkRecord): string {
  return `Invalid/unrecognized predictions: **${invalidCount}**`;
}
