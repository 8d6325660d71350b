// The whole promise with real training: the shipped intents make SmolLM2-135M a specialist that beats every baseline; shuffled labels do not.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { benchmark } from '../../src/app/specialise/benchmark.ts';
import type { SpecialiseOptions } from '../../src/app/specialise/session.ts';
import type { BenchmarkRecord } from '../../src/core/specialise-record.ts';
import { describeTraining } from '../../src/python/setup-training.ts';
import { cacheRoot } from '../../src/sources/cache-root.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const recipe = join(root, 'recipes/intents-smollm2-135m.yml');
const state = await describeTraining({ cacheDirectory: cacheRoot() });
const minutes = 60_000;

if (state.kind !== 'ready') process.stderr.write('specialise-intents: skipped, run "slmbench setup training" first\n');

interface IntentRow {
  readonly text: string;
  readonly label: string;
}

/** Three fixed splits as files; the training labels optionally moved by one row within the file's order of texts. */
async function writeSplits(folder: string, shuffled: boolean): Promise<void> {
  const lines = (await readFile(join(root, 'data/builtin/intents.jsonl'), 'utf8')).trim().split('\n');
  const rows = lines.map((line) => JSON.parse(line) as IntentRow).toSorted((a, b) => (a.text < b.text ? -1 : 1));
  const part = (rest: readonly number[]) => rows.filter((_, index) => rest.includes(index % 8));
  const train = part([0, 1, 2, 3, 4]);
  // A fixed permutation that keeps the class counts and ties labels to nothing.
  const labels = train.map((_, index) => train[(index * 131 + 57) % train.length]!.label);
  const taught = shuffled ? train.map((row, index) => ({ ...row, label: labels[index]! })) : train;
  await mkdir(folder, { recursive: true });
  for (const [name, list] of Object.entries({ train: taught, validation: part([5]), test: part([6, 7]) }))
    await writeFile(join(folder, `${name}.jsonl`), list.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

async function options(folder: string, shuffled: boolean, notes: string[]): Promise<SpecialiseOptions> {
  const source = join(folder, 'rows');
  await writeSplits(source, shuffled);
  const file = join(folder, 'recipe.yml');
  await writeFile(
    file,
    [
      `extends: ${JSON.stringify(recipe)}`,
      `output: ${JSON.stringify(join(folder, 'data'))}`,
      `dataset: { source: ${JSON.stringify(source)}, split: null, splits: { train: train, validation: validation, test: test } }`,
      'training: { threads: 2 }',
      'test: { threads: 1 }',
      '',
    ].join('\n'),
  );
  return {
    recipeFile: file,
    offline: true,
    listener: (event) => {
      if (event.kind === 'note') notes.push(event.message);
    },
  };
}

describe.skipIf(state.kind !== 'ready')('intents on SmolLM2-135M', () => {
  let folder: string;
  let record: BenchmarkRecord;
  const notes: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slmbench intents '));
    record = (await benchmark(await options(folder, false, notes))).record;
  }, 30 * minutes);

  test('the specialist beats majority class, zero-shot and few-shot base model', () => {
    expect(record.score.primary!.value).toBeGreaterThan(0.8);
    expect(record.pairedTests).toHaveLength(3);
    for (const one of record.pairedTests) {
      expect(one.difference).toBeGreaterThan(0);
      expect(one.adjustedP).toBeLessThan(0.01);
    }
    expect(record.training!.peakRssBytes).toBeLessThan(3e9);
  });

  test(
    'a second run does no work, and a second training gives the same adapter',
    async () => {
      notes.length = 0;
      const again = await benchmark(await options(folder, false, notes));
      expect(notes.filter((note) => /: runs:/.test(note))).toEqual([]);
      expect(again.record).toEqual(record);
      await rm(join(folder, 'data/intents/smollm2-135m/model/peft'), { recursive: true });
      await rm(join(folder, 'data/intents/smollm2-135m/model/base'), { recursive: true });
      const retrained = await benchmark(await options(folder, false, notes));
      expect(retrained.record.training!.adapterDigest).toBe(record.training!.adapterDigest);
    },
    30 * minutes,
  );

  test(
    'trained on shuffled labels it does not beat the baselines',
    async () => {
      const place = await mkdtemp(join(tmpdir(), 'slmbench shuffled '));
      const control = (await benchmark(await options(place, true, []))).record;
      // Having learned the form of an answer lifts it over the majority class a little; it must not beat every baseline, as the specialist does.
      expect(control.pairedTests).toHaveLength(3);
      expect(control.pairedTests.every(({ difference, adjustedP }) => difference! > 0 && adjustedP! < 0.01)).toBe(false);
      expect(control.score.primary!.value).toBeLessThan(0.3);
    },
    30 * minutes,
  );
});
