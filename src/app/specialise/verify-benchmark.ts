// Recomputes the numbers of a benchmark record: from its predictions where they lie beside it, else from its class counts.
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { messageOf, ToolError } from '../../core/errors.ts';
import type { Metric, MetricValue } from '../../core/metric.ts';
import { type PredictionRow, predictionRowSchema } from '../../core/prediction.ts';
import type { BenchmarkRecord, ScoreBlock } from '../../core/specialise-record.ts';
import { listMetrics } from '../../metrics/registry.ts';
import { renderBenchmark } from '../../report/benchmark/render-benchmark.ts';
import { parseMetricUses } from './metric-uses.ts';
import type { FoundBenchmark } from './read-benchmark.ts';
import { type ScoringRules, scoreRows } from './score-rows.ts';

export interface BenchmarkDifference {
  readonly path: string;
  readonly recorded: unknown;
  readonly recomputed: unknown;
}

export interface BenchmarkVerification {
  readonly name: string;
  /** What the numbers were computed from. */
  readonly from: 'predictions' | 'class counts' | 'nothing';
  readonly differences: readonly BenchmarkDifference[];
  readonly checked: number;
}

/** Sums of doubles in another order differ in the last digits only. */
const tolerance = 1e-12;

type Check = (path: string, recorded: unknown, recomputed: unknown) => void;

function closeTo(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return Math.abs(left - right) <= tolerance;
  return JSON.stringify(left) === JSON.stringify(right);
}

function keyOf({ name, average }: Pick<MetricValue, 'name' | 'average'>): string {
  return average === null ? name : `${name}:${average}`;
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

/** Every average that follows from true positives, predictions and supports of the classes (scikit-learn, zero_division 0). */
function averagesOf(classes: readonly { truePositives: number; predicted: number; support: number }[]): Map<string, number> {
  const total = (pick: (one: (typeof classes)[number]) => number) => classes.reduce((sum, one) => sum + pick(one), 0);
  const right = total((one) => one.truePositives);
  const rows = total((one) => one.support);
  const precision = ratio(
    right,
    total((one) => one.predicted),
  );
  const recall = ratio(right, rows);
  const rates = classes.map(({ truePositives, predicted, support }) => ({
    precision: ratio(truePositives, predicted),
    recall: ratio(truePositives, support),
    f1: ratio(2 * truePositives, predicted + support),
    support,
  }));
  const values = new Map<string, number>([
    ['accuracy', recall],
    ['precision:micro', precision],
    ['recall:micro', recall],
    ['f1:micro', precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)],
  ]);
  for (const rate of ['precision', 'recall', 'f1'] as const) {
    values.set(`${rate}:macro`, rates.reduce((sum, one) => sum + one[rate], 0) / Math.max(1, rates.length));
    values.set(
      `${rate}:weighted`,
      ratio(
        rates.reduce((sum, one) => sum + one[rate] * one.support, 0),
        rows,
      ),
    );
  }
  return values;
}

function fromClasses({ score }: BenchmarkRecord, check: Check): number {
  const classes = score.perClass.map(({ truePositives, predicted, support }) => ({
    truePositives: truePositives ?? 0,
    predicted: predicted ?? 0,
    support,
  }));
  for (const [index, one] of score.perClass.entries()) {
    const { truePositives, predicted, support } = classes[index]!;
    check(`perClass.${one.label}.precision`, one.precision, ratio(truePositives, predicted));
    check(`perClass.${one.label}.recall`, one.recall, ratio(truePositives, support));
    check(`perClass.${one.label}.f1`, one.f1, ratio(2 * truePositives, predicted + support));
  }
  // A class that is predicted wrongly only has precision 0 whatever its count, so micro precision is then unknown.
  const isComplete = score.perClass.every((one) => one.predicted !== null);
  const values = averagesOf(classes);
  if (!isComplete) for (const key of ['precision:micro', 'f1:micro']) values.delete(key);
  let checked = 0;
  for (const value of [...score.metrics, ...(score.primary === null ? [] : [score.primary])]) {
    const recomputed = values.get(keyOf(value));
    if (recomputed === undefined) continue;
    check(`metrics.${keyOf(value)}`, value.value, recomputed);
    checked++;
  }
  if (isComplete) {
    const valid = classes.reduce((sum, one) => sum + one.predicted, 0);
    check('invalidCount', score.invalidCount, score.support - valid);
  }
  return checked;
}

function compareScores(recorded: ScoreBlock, recomputed: ScoreBlock, check: Check): number {
  const values = new Map(recomputed.metrics.map((value) => [keyOf(value), value]));
  for (const value of recorded.metrics) check(`metrics.${keyOf(value)}`, value.value, values.get(keyOf(value))?.value ?? null);
  check('primary', recorded.primary?.value ?? null, recomputed.primary?.value ?? null);
  check('perClass', recorded.perClass, recomputed.perClass);
  check('confusion', recorded.confusion, recomputed.confusion);
  for (const key of ['support', 'invalidCount', 'invalidReasons', 'coverage'] as const) check(key, recorded[key], recomputed[key]);
  return recorded.metrics.length;
}

const looseRow = z.looseObject({ prediction: z.unknown(), label: z.unknown() });

function rowsOf(text: string, file: string): PredictionRow[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index) => {
      try {
        return predictionRowSchema.parse(looseRow.parse(JSON.parse(line)));
      } catch (cause) {
        throw new ToolError('data', `${file}:${index + 1}: not a prediction row: ${messageOf(cause).split('\n')[0]}`, { cause });
      }
    });
}

/** The predictions beside a record: `<name>.jsonl`. */
function predictionsBeside(file: string, record: BenchmarkRecord): string {
  return join(dirname(file), basename(record.testing.predictionsFile ?? `${record.name}.jsonl`));
}

async function reportDifference(file: string, record: BenchmarkRecord, check: Check): Promise<void> {
  const path = file.replace(/\.json$/, '.md');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null || record.generator.name !== 'slmbench') return;
  check(basename(path), text === renderBenchmark(record) ? 'as the record says' : 'another text', 'as the record says');
}

/** @throws ToolError `not-found`: a metric of the user's own that this project does not bring */
function knownRules(record: BenchmarkRecord, userMetrics: readonly Metric[]): ScoringRules {
  const rules = parseMetricUses(record);
  const known = new Set([...userMetrics, ...listMetrics()].map(({ name }) => name));
  const missing = rules.metrics.find(({ name }) => !known.has(name));
  if (missing !== undefined)
    throw new ToolError('not-found', `record ${record.name} has the metric "${missing.name}", which is not built in`, {
      hint: 'verify it where the project file (slmbench.config) brings that metric',
    });
  return { ...rules, labels: record.task.labels.length > 0 ? record.task.labels : undefined, userMetrics };
}

/**
 * Lists every number that does not follow from the evidence; empty when all is well.
 * @param userMetrics the user's own, from the project file
 */
export async function verifyBenchmark(
  { file, record }: FoundBenchmark,
  userMetrics: readonly Metric[] = [],
): Promise<BenchmarkVerification> {
  const differences: BenchmarkDifference[] = [];
  const check: Check = (path, recorded, recomputed) => {
    if (!closeTo(recorded, recomputed)) differences.push({ path, recorded, recomputed });
  };
  await reportDifference(file, record, check);
  const predictions = predictionsBeside(file, record);
  const hasPredictions = (await stat(predictions).catch(() => null))?.isFile() === true;
  if (hasPredictions && record.generator.name === 'slmbench') {
    const text = await readFile(predictions, 'utf8');
    check('testing.predictionsDigest', record.testing.predictionsDigest, createHash('sha256').update(text).digest('hex'));
    const checked = compareScores(record.score, scoreRows(rowsOf(text, predictions), knownRules(record, userMetrics)), check);
    return { name: record.name, from: 'predictions', differences, checked };
  }
  if (record.score.perClass.length === 0) return { name: record.name, from: 'nothing', differences, checked: 0 };
  const checked = fromClasses(record, check);
  return { name: record.name, from: 'class counts', differences, checked };
}
