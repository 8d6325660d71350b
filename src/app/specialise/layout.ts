// Where the state and the results of one recipe lie: data/<dataset>/<model>/.
import { join, resolve } from 'node:path';
import type { SpecialiseRecipe } from '../../config/specialise-recipe.ts';
import { safeFileName } from '../../core/names.ts';
import { benchmarkName } from './load-recipe.ts';

export interface SeedLayout {
  readonly seed: number;
  /** Checkpoints of the trainer. */
  readonly checkpoints: string;
  /** The final adapter. */
  readonly adapter: string;
  readonly trainResult: string;
  readonly testResult: string;
}

export interface Layout {
  readonly root: string;
  /** Run folders of held-out test and baselines. */
  readonly runs: string;
  /** Result files of the baselines. */
  readonly results: string;
  /** The split manifest: ids of every split. */
  readonly splitManifest: string;
  /** Made by `benchmark` only. */
  readonly benchmark: { readonly folder: string; readonly json: string; readonly jsonl: string; readonly markdown: string };
  readonly forSeed: (seed: number) => SeedLayout;
}

export function layoutOf(recipe: SpecialiseRecipe): Layout {
  const root = resolve(recipe.output, safeFileName(recipe.dataset.name), safeFileName(recipe.model.name));
  const model = join(root, 'model');
  const benchmark = join(root, 'benchmark');
  const stem = safeFileName(benchmarkName(recipe));
  const [first] = recipe.seeds;
  return {
    root,
    runs: join(root, 'runs'),
    results: join(model, 'result'),
    splitManifest: join(model, 'result', 'splits.json'),
    benchmark: {
      folder: benchmark,
      json: join(benchmark, `${stem}.json`),
      jsonl: join(benchmark, `${stem}.jsonl`),
      markdown: join(benchmark, `${stem}.md`),
    },
    forSeed: (seed) => {
      // The first seed has the plain folders; the others stand beside them.
      const folder = seed === first ? model : join(model, 'seeds', String(seed));
      return {
        seed,
        checkpoints: join(folder, 'base'),
        adapter: join(folder, 'peft'),
        trainResult: join(folder, 'result', 'train-result.json'),
        testResult: join(folder, 'result', 'test-result.json'),
      };
    },
  };
}
