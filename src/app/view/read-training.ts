// Benchmark records of specialised models, found by their schema in the folders where recipes write them.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type BenchmarkRecord, benchmarkRecordSchema, type TrainingBlock } from '../../core/specialise-record.ts';
import type { TrainingSeed, TrainingView } from '../../report/viewer/viewer-contract.ts';

const deepest = 5;
const mostFolders = 4000;
const largestBytes = 64 * 1024 * 1024;
const skipped: ReadonlySet<string> = new Set(['node_modules', 'dist', 'base', 'peft', 'runs']);

/** Recipes write to `benchmark`, published records stand under `benchmarks`. */
const inBenchmarks = /[/\\](?:benchmark$|benchmarks(?:[/\\]|$))/;

/** JSON files of `benchmark` folders under a root; symbolic links are not followed. */
async function findRecords(root: string): Promise<string[]> {
  const found: string[] = [];
  const waiting: { readonly folder: string; readonly depth: number }[] = [{ folder: root, depth: 0 }];
  for (let looked = 0; waiting.length > 0 && looked < mostFolders; looked++) {
    const { folder, depth } = waiting.pop()!;
    const items = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const item of items) {
      if (item.isFile() && item.name.endsWith('.json') && inBenchmarks.test(folder)) found.push(join(folder, item.name));
      if (item.isDirectory() && depth < deepest && !item.name.startsWith('.') && !skipped.has(item.name))
        waiting.push({ folder: join(folder, item.name), depth: depth + 1 });
    }
  }
  return found.sort();
}

function seedOf(training: TrainingBlock, primary: TrainingSeed['primary']): TrainingSeed {
  const { seed, lossCurve, bestStep, elapsedSeconds, examples, globalSteps, alarms } = training;
  return { seed, lossCurve, bestStep, elapsedSeconds, examples, globalSteps, alarms, primary };
}

export function trainingView(record: BenchmarkRecord, id: string): TrainingView {
  const first = record.training === null ? [] : [seedOf(record.training, record.score.primary)];
  const more = record.seeds.map((one) => seedOf({ ...one.training, seed: one.seed }, one.score.primary));
  return {
    id,
    title: record.title,
    model: record.model.title,
    task: record.taskName,
    dataset: record.dataset.name,
    created: record.created,
    smoke: record.smoke,
    primary: record.score.primary,
    metrics: record.score.metrics,
    baselines: record.baselines.map((baseline) => ({ title: baseline.title, primary: baseline.score.primary })),
    pairedTests: record.pairedTests.map((test) => ({
      baseline: test.baseline,
      n: test.n,
      difference: test.difference,
      low: test.interval?.low ?? null,
      high: test.interval?.high ?? null,
      adjustedP: test.adjustedP,
    })),
    // A record of several seeds holds the first one in `training` and again in `seeds`.
    seeds: more.length > 0 ? more : first,
    adapterSizeBytes: record.training?.adapterSizeBytes ?? null,
    notes: record.notes,
  };
}

async function readOne(path: string): Promise<TrainingView | null> {
  try {
    if ((await stat(path)).size > largestBytes) return null;
    const parsed = benchmarkRecordSchema.safeParse(JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? trainingView(parsed.data, createHash('sha256').update(path).digest('hex').slice(0, 12)) : null;
  } catch {
    return null;
  }
}

/** Newest first. */
export async function readTraining(roots: readonly string[]): Promise<readonly TrainingView[]> {
  const paths = new Set((await Promise.all(roots.map(findRecords))).flat());
  const views = (await Promise.all([...paths].map(readOne))).filter((view) => view !== null);
  return views.sort((a, b) => (a.created < b.created ? 1 : -1));
}
