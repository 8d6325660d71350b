// `slmbench benchmark`, `train` and `test`: what they print at their end.
import { relative } from 'node:path';
import { benchmark, rescore, testHeldOut, train } from '../app/specialise/benchmark.ts';
import type { BenchmarkRecord } from '../core/specialise-record.ts';
import { formatBytes, formatDuration } from '../report/format-values.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import { type RecipeFlags, withRecipe } from './recipe-options.ts';

export interface BenchmarkFlags extends RecipeFlags {
  readonly rescore?: boolean;
}

function value(block: BenchmarkRecord['score']): string {
  const { primary, invalidCount, support } = block;
  if (primary?.value == null) return 'no value';
  const interval = primary.interval === null ? '' : ` [${primary.interval.low.toFixed(4)}, ${primary.interval.high.toFixed(4)}]`;
  const invalid = invalidCount === 0 ? '' : `, invalid ${invalidCount} of ${support}`;
  return `${primary.name}${primary.average === null ? '' : ` (${primary.average})`} ${primary.value.toFixed(4)}${interval}${invalid}`;
}

function summary(record: BenchmarkRecord): string {
  const lines = [
    `${record.title}${record.smoke ? ' (smoke run)' : ''}`,
    `  held-out test, n ${record.score.support}: ${value(record.score)}`,
  ];
  if (record.seedSummary !== null) {
    const { n, mean, sd } = record.seedSummary;
    lines.push(`  ${n} seeds: mean ${mean?.toFixed(4) ?? '—'}, sd ${sd?.toFixed(4) ?? '—'}`);
  }
  for (const baseline of record.baselines) {
    const test = record.pairedTests.find((one) => one.baseline === baseline.title);
    lines.push(
      `  ${baseline.title}: ${value(baseline.score)}${test?.adjustedP == null ? '' : `; paired p ${test.adjustedP.toPrecision(2)}`}`,
    );
  }
  return lines.join('\n');
}

export async function benchmarkCommand(flags: BenchmarkFlags): Promise<void> {
  const { record, layout } = await withRecipe(flags, (options) => (flags.rescore === true ? rescore(options) : benchmark(options)));
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify(record, null, 2)}\n`);
    return;
  }
  const files = [layout.benchmark.json, layout.benchmark.markdown, layout.benchmark.jsonl].map((file) => relative(process.cwd(), file));
  process.stdout.write(neutraliseForTerminal(`${summary(record)}\n\nrecord: ${files[0]}\nreport: ${files[1]}\npredictions: ${files[2]}\n`));
}

export async function trainCommand(flags: RecipeFlags): Promise<void> {
  const adapters = await withRecipe(flags, train);
  if (flags.json === true) {
    process.stdout.write(
      `${JSON.stringify(
        adapters.map(({ seed, folder, digest, training, reused }) => ({ seed, folder, digest, reused, training })),
        null,
        2,
      )}\n`,
    );
    return;
  }
  for (const { seed, folder, training, reused } of adapters) {
    const { globalSteps, trainingLoss, elapsedSeconds, adapterSizeBytes } = training;
    const facts = `${globalSteps} steps, loss ${trainingLoss ?? '—'}, ${formatDuration(elapsedSeconds === null ? null : elapsedSeconds * 1000)}, ${formatBytes(adapterSizeBytes)}`;
    process.stdout.write(`seed ${seed}: ${reused ? 'reused' : 'trained'}, ${facts}\n  ${relative(process.cwd(), folder)}\n`);
  }
}

export interface TestFlags extends RecipeFlags {
  readonly out?: string;
  readonly format?: 'json' | 'csv';
}

function csv(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

export async function testCommand(flags: TestFlags): Promise<void> {
  const { rows, testing } = await withRecipe(flags, testHeldOut);
  const text =
    flags.format === 'csv'
      ? [
          ['id', 'instruction', 'label', 'prediction', 'outcome'],
          ...rows.map((row) => [row.id, row.instruction, row.label ?? '', row.prediction ?? '', row.outcome.kind]),
        ]
          .map((cells) => `${cells.map(csv).join(',')}\r\n`)
          .join('')
      : rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  if (flags.out === undefined || flags.out === '-') {
    process.stdout.write(process.stdout.isTTY === true ? neutraliseForTerminal(text) : text);
    return;
  }
  const { writeOutput } = await import('../app/specialise/write-output.ts');
  await writeOutput(flags.out, text);
  process.stdout.write(`${testing.examples} rows: ${flags.out}\n`);
}
