// The embedder against the original: equal token ids, equal cosines over the same weights, close ones to the float32 weights.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PredictionRow } from '../../src/core/prediction.ts';
import { cosineOfUnit } from '../../src/embedding/cosine.ts';
import { openSentenceEmbedder, vocabularySources } from '../../src/embedding/sentence-embedder.ts';
import { createWordPieceTokenizer } from '../../src/embedding/wordpiece-tokenizer.ts';
import { defineTask, evaluate } from '../../src/index.ts';
import { cacheRoot } from '../../src/sources/cache-root.ts';
import { fetchFile } from '../../src/sources/fetch-file.ts';
import golden from '../golden/embedding/minilm.json' with { type: 'json' };

const context = { cacheDirectory: cacheRoot(), offline: false };
const opened = await openSentenceEmbedder(context).then(
  (embedder) => ({ embedder, problem: '' }),
  (thrown: unknown) => ({ embedder: null, problem: String(thrown) }),
);
if (opened.embedder === null) console.warn(`skipped: the sentence embedder cannot be opened here (${opened.problem})`);

describe.skipIf(opened.embedder === null)('all-MiniLM-L6-v2', () => {
  test('cosines equal those of the original over the same weights, and nearly those of the float32 weights', async () => {
    const vectors = await opened.embedder!.embed(golden.texts);
    for (const [index, [left, right]] of golden.pairs.entries()) {
      const cosine = cosineOfUnit(vectors[left!]!, vectors[right!]!);
      expect(cosine, `pair ${index}`).toBeCloseTo(golden.cosines[index]!, 3);
      expect(Math.abs(cosine - golden.cosinesFloat32[index]!), `pair ${index}, float32`).toBeLessThan(0.06);
    }
  });

  test('token ids equal those of the original on every text', async () => {
    const { path } = await fetchFile(vocabularySources, context);
    const tokenizer = createWordPieceTokenizer(readFileSync(path, 'utf8'));
    for (const [index, text] of golden.texts.entries())
      expect(tokenizer.encode(text, 256), JSON.stringify(text)).toEqual(golden.ids[index]);
  });
});

test.skipIf(opened.embedder === null)('a run grades answers by meaning where its task asks for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slmbench similarity '));
  const script = join(folder, 'model.json');
  writeFileSync(
    script,
    JSON.stringify({ rules: [{ contains: 'cat', text: 'A cat is sitting on a rug.' }, { text: 'Stock prices fell.' }] }),
  );
  const definition = defineTask({
    name: 'meaning',
    title: 'Meaning',
    description: 'Answers compared by meaning.',
    type: 'text_generation',
    dataset: { name: 'memory', split: 'all' },
    kind: 'generate',
    prompt: '{{ question }}',
    references: 'accepted',
    metrics: [{ name: 'graded', options: { grader: 'similarity' } }],
    primaryMetric: 'graded',
    graders: ['similarity'],
  });
  const accepted = ['The cat sits on the mat.', 'Something else entirely.'];
  const rows = [
    { question: 'Where is the cat?', accepted },
    { question: 'Where is the dog?', accepted },
  ];
  const { record, folder: run } = await evaluate({
    models: [`scripted:${script}`],
    tasks: [{ definition, rows }],
    settings: { profile: false },
    runsFolder: join(folder, 'runs'),
  });
  const lines = readFileSync(join(run, 'predictions.jsonl'), 'utf8').trim().split('\n');
  const [near, far] = lines.map((line) => (JSON.parse(line) as PredictionRow).grades![0]!);
  expect(near!.score).toBeCloseTo(golden.cosines[0]!, 3);
  expect(far!.score!).toBeLessThan(0.3);
  expect(near!.detail).toBe('all-MiniLM-L6-v2-int8');
  expect(record.results[0]!.metrics.values[0]).toMatchObject({ name: 'graded', n: 2 });
  rmSync(folder, { recursive: true, force: true });
});
