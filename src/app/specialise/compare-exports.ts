// Does the specialist keep its answers when it is exported? Base, adapter on the base and merged files over the same held-out rows.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quantizeModel } from '../../backends/llama/quantize-model.ts';
import { resolveModel } from '../../backends/resolve-model.ts';
import { ToolError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { type ExportVariant, exportVariantSchema, type PairedTest } from '../../core/specialise-record.ts';
import { makeWritable } from '../../store/files/make-writable.ts';
import { exportModel } from '../../training/export-model.ts';
import { trainerOf, withLock } from './benchmark.ts';
import { chatFormatOf } from './chat-format.ts';
import { exportResultFile } from './exported-variants.ts';
import { heldOutRun } from './held-out-run.ts';
import { runHeldOutSet, type TestedRun } from './held-out-set.ts';
import { openSession } from './open-session.ts';
import { readAgain } from './read-again.ts';
import { bindRecipeTask } from './recipe-task.ts';
import { pairedTests, scoreRows } from './score-rows.ts';
import { rulesOf } from './score-stage.ts';
import type { SpecialiseOptions, SpecialiseSession } from './session.ts';
import { writeStageFile } from './stage.ts';
import { trainingWeightsOf } from './training-request.ts';

/** The two files that people serve: full precision, and four bits. */
export const comparedTypes = ['F16', 'Q4_K_M'] as const;
/** A loss that chance makes this seldom is a fault of the export. */
const regressionP = 0.05;

export interface ComparedExports {
  readonly variants: readonly ExportVariant[];
  /** The merged files. */
  readonly paths: readonly string[];
}

/** Merged GGUF files by type; the four-bit one is made from the full-precision one. */
async function mergedFiles(session: SpecialiseSession, folder: string): Promise<ReadonlyMap<string, string>> {
  const { recipe, layout, workspace, options } = session;
  const { path, kind, digest } = await trainingWeightsOf(session);
  if (kind !== 'gguf')
    throw new ToolError('unsupported', 'merged GGUF files need a GGUF base', {
      hint: 'name a GGUF file as model.base without model.weights',
    });
  const exported = await exportModel('gguf', {
    base: { path, kind, digest },
    adapterFolder: layout.forSeed(recipe.seeds[0]!).adapter,
    outputFolder: folder,
    name: `${recipe.task.name}-${recipe.model.name}`,
    cacheDirectory: workspace.cacheDirectory,
    signal: options.signal,
  });
  const [full] = exported.paths as [string];
  const files = new Map<string, string>([['F16', full]]);
  for (const type of comparedTypes.filter((one) => one !== 'F16')) {
    const path = full.replace(/F16\.gguf$/u, `${type}.gguf`);
    await rm(path, { force: true });
    await quantizeModel(full, path, type, { threads: recipe.test.threads });
    files.set(type, path);
  }
  return files;
}

/** The held-out rows on a merged file. @throws ToolError `template` where the export changed the chat template */
async function runMerged(session: SpecialiseSession, type: string, path: string) {
  const model = await resolveModel(path, session.workspace.sources);
  const format = await chatFormatOf(model);
  if (format.digest !== session.format.digest)
    throw new ToolError('template', `the chat template of ${path} is not the one the specialist was trained and tested with`);
  const merged = { ...session, model, format, recipe: { ...session.recipe, model: { ...session.recipe.model, base: path } } };
  const plan = { title: `merged ${type}`, resultFile: join(session.layout.results, `merged-${type}-result.json`), adapter: null, shots: 0 };
  return { digest: model.facts.digest, ...(await heldOutRun(merged, plan)) };
}

interface Tried {
  readonly title: string;
  readonly type: string | null;
  readonly digest: string | null;
  readonly run: Pick<TestedRun, 'testing' | 'rows'>;
}

/** @param test merged file minus adapter, on the same rows */
export function exportFlags(test: Pick<PairedTest, 'difference' | 'p'> | null): ExportVariant['flags'] {
  const { difference = null, p = null } = test ?? {};
  return difference !== null && difference < 0 && p !== null && p < regressionP ? ['export_regression'] : [];
}

function variantsOf(session: SpecialiseSession, tried: readonly Tried[]): ExportVariant[] {
  const { definition, data, recipe, context } = session;
  const task = bindRecipeTask(definition, data.splits.test, recipe.test.seed);
  const rules = rulesOf(task, session);
  const read = (one: Tried): PredictionRow[] => readAgain(task, one.run.rows, data.splits.test, context);
  const adapter = read(tried[1]!);
  return tried.map((one, index) => {
    const rows = index === 1 ? adapter : read(one);
    const againstAdapter = index < 2 ? null : pairedTests(rows, [{ title: tried[1]!.title, rows: adapter }], rules)[0]!;
    const { title, type, digest, run } = one;
    return exportVariantSchema.parse({
      title,
      type,
      digest,
      score: scoreRows(rows, rules),
      testing: run.testing,
      againstAdapter,
      flags: exportFlags(againstAdapter),
    });
  });
}

/**
 * Makes the merged files and tests them beside the base model and the adapter; results are reused as those of `benchmark` are.
 * @param folder receives the merged files
 * @throws ToolError as `benchmark`, and `unsupported` for a base that is no GGUF
 */
export async function compareExports(options: SpecialiseOptions, folder: string): Promise<ComparedExports> {
  const session = await openSession(options);
  if (session.recipe.training === false) throw new ToolError('usage', 'the recipe has "training: false": there is nothing to export');
  await makeWritable(folder, 'export folder');
  return withLock(session.layout, async () => {
    const baselines = { ...session.recipe.baselines, zeroShot: true, fewShot: 0 };
    const plain = { ...session, recipe: { ...session.recipe, seeds: session.recipe.seeds.slice(0, 1), baselines } };
    const [specialist, base] = (await runHeldOutSet(plain, trainerOf(plain))) as readonly [TestedRun, TestedRun];
    const tried: Tried[] = [
      { title: 'base model', type: null, digest: session.model.facts.digest, run: base },
      { title: 'adapter on the base model', type: null, digest: specialist.training!.block.adapterDigest, run: specialist },
    ];
    const files = await mergedFiles(session, folder);
    const startedMs = performance.now();
    for (const [type, path] of files) {
      const { digest, ...run } = await runMerged(session, type, path);
      tried.push({ title: `merged ${type}`, type, digest, run });
    }
    const variants = variantsOf(session, tried);
    await writeStageFile(exportResultFile(session.layout), {
      stage: 'export',
      inputs: { adapter: specialist.training!.block.adapterDigest, data: session.data.digests.test },
      outputs: Object.fromEntries(tried.flatMap(({ title, digest }) => (digest === null ? [] : [[title, digest]]))),
      result: { variants } as unknown as Json,
      startedMs,
      command: session.commandLine,
    });
    return { variants, paths: [...files.values()] };
  });
}
