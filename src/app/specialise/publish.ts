// Copies the evidence of a finished benchmark to benchmarks/<task>-<model>/: record and report always, predictions where the licence allows it.
import { copyFile, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { messageOf, ToolError } from '../../core/errors.ts';
import { safeFileName } from '../../core/names.ts';
import { openWorkspace } from '../workspace.ts';
import { layoutOf } from './layout.ts';
import { loadRecipe } from './load-recipe.ts';
import { readBenchmark } from './read-benchmark.ts';
import { verifyBenchmark } from './verify-benchmark.ts';
import { makeFolder } from './write-output.ts';

export interface PublishOptions {
  readonly recipeFile: string | undefined;
  readonly assignments?: readonly string[] | undefined;
  /** Folder of all published benchmarks. @default 'benchmarks' */
  readonly folder?: string | undefined;
}

export interface Published {
  readonly folder: string;
  readonly files: readonly string[];
  readonly notes: readonly string[];
}

/** @throws ToolError `not-found` without a benchmark, `unsupported` for a smoke run, `integrity` where the record does not verify */
export async function publish(options: PublishOptions): Promise<Published> {
  const { recipe, digest } = await loadRecipe(options.recipeFile, options.assignments);
  const { benchmark } = layoutOf(recipe);
  const found = await readBenchmark(benchmark.json);
  const { record } = found;
  if (record.smoke)
    throw new ToolError('unsupported', `${record.name} is a smoke run: a part of the data only`, {
      hint: 'run the benchmark without --limit',
    });
  const { userMetrics } = await openWorkspace({ offline: true });
  const { differences } = await verifyBenchmark(found, userMetrics);
  if (differences.length > 0) {
    const first = differences[0]!;
    throw new ToolError('integrity', `${record.name} does not verify: ${differences.length} differences, the first at ${first.path}`, {
      hint: 'slmbench verify shows all; slmbench benchmark --force render writes the files again',
    });
  }
  const notes: string[] = [];
  if (record.configDigest !== digest) notes.push('the recipe has changed since this benchmark was made');
  const folder = resolve(options.folder ?? 'benchmarks', `${safeFileName(record.taskName)}-${safeFileName(record.modelName)}`);
  const wanted = [benchmark.json, benchmark.markdown];
  if (record.dataset.redistributable === true) wanted.push(benchmark.jsonl);
  else
    notes.push(
      `the predictions stay here: the licence of the data (${record.dataset.licence ?? 'unknown'}) does not allow publishing them`,
    );
  await makeFolder(folder);
  try {
    if (record.dataset.redistributable !== true) await rm(join(folder, basename(benchmark.jsonl)), { force: true });
    for (const file of wanted) await copyFile(file, join(folder, basename(file)));
  } catch (cause) {
    throw new ToolError('storage', `cannot write ${folder}: ${messageOf(cause)}`, { cause });
  }
  return { folder, files: wanted.map((file) => join(folder, basename(file))), notes };
}
