import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LoopbackHub, startLoopbackHub } from '../sources/__fixtures__/loopback-hub.ts';
import type { LoadOptions } from './load-options.ts';
import { loadDataset } from './registry.ts';

const fixture = (name: string) => readFileSync(fileURLToPath(new URL(`__fixtures__/${name}`, import.meta.url)));
const parquet = { content: fixture('rows.zstd.parquet'), large: true };
const text = (content: string) => ({ content: Buffer.from(content), large: false });
let hub: LoopbackHub;
let folder: string;
let options: LoadOptions;

const start = async (prefix: string, files: Parameters<typeof startLoopbackHub>[1]) => {
  hub = await startLoopbackHub(prefix, files);
  options = { offline: false, cacheDirectory: join(folder, 'cache'), environment: { HF_ENDPOINT: hub.url, HF_HOME: join(folder, 'hf') } };
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-data-'));
});
afterEach(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

test('splits from file names, class names from the file, revision pinned, licence from the card; offline afterwards', async () => {
  await start('datasets/owner/plain', {
    'README.md': text('---\nlicense: mit\n---\n# card'),
    'data/train-00000-of-00002.parquet': parquet,
    'data/train-00001-of-00002.parquet': parquet,
    'data/test-00000-of-00001.parquet': parquet,
  });
  const dataset = await loadDataset('hf:owner/plain', options);
  expect(dataset.splitNames).toEqual(['test', 'train']);
  expect(dataset.info.licence).toMatchObject({ name: 'mit', redistributable: true });
  const split = await dataset.split('train');
  expect(split.rows.length).toBe(8);
  expect(split.classNames).toEqual({ label: ['negative', 'positive'] });
  expect(dataset.provenance).toMatchObject({ kind: 'hf', revision: hub.commit });
  expect(Object.keys(dataset.provenance.files).length).toBe(2);
  await dataset.split('test');
  const before = hub.requests.length;
  const again = await loadDataset('hf:owner/plain', { ...options, offline: true });
  expect((await again.split('train')).manifest).toBe(split.manifest);
  expect(hub.requests.length).toBe(before);
});

test('a large Parquet file is read by ranges, with the same rows, and is not kept', async () => {
  await start('datasets/owner/large', { 'data/test-00000-of-00001.parquet': parquet });
  const byRanges = await (await loadDataset('hf:owner/large', { ...options, keepBytes: 1000 })).split('test');
  const reads = hub.requests.filter((request) => request.server === 'content');
  expect(reads.length).toBeGreaterThan(2);
  expect(reads.every((request) => /^bytes=\d+-\d+$/.test(String(request.headers.range)))).toBe(true);
  const whole = await (await loadDataset('hf:owner/large', options)).split('test');
  expect(byRanges.manifest).toBe(whole.manifest);
});

test('several configurations: one must be named, a typo names the nearest', async () => {
  await start('datasets/owner/parts', { 'easy/test.jsonl': text('{"q":1}\n'), 'hard/test.jsonl': text('{"q":2}\n{"q":3}\n') });
  await expect(loadDataset('hf:owner/parts', options)).rejects.toMatchObject({
    code: 'not-found',
    hint: expect.stringContaining('easy, hard'),
  });
  await expect(loadDataset('hf:owner/parts:hrad', options)).rejects.toMatchObject({ hint: 'did you mean "hard"?' });
  const dataset = await loadDataset('hf:owner/parts:hard', options);
  expect((await dataset.split('test')).rows.length).toBe(2);
});

test('one file of a repository is a dataset', async () => {
  await start('datasets/owner/file', { 'sub/validation.csv': text('q,a\n1,2\n') });
  const dataset = await loadDataset('hf:owner/file@main/sub/validation.csv', options);
  expect(dataset.splitNames).toEqual(['validation']);
  expect((await dataset.split('dev')).rows[0]!.fields).toEqual({ q: '1', a: '2' });
});

test('a source of a known name with other rows is refused, and the error says so', async () => {
  const row = (split: string) => ({ content: Buffer.from(`{"problem":"${split}","solution":"s","answer":"1","level":1}\n`), large: false });
  await start('datasets/HuggingFaceH4/MATH-500', { 'test.jsonl': row('other') });
  const environment = { ...options.environment, PATH: '/nonexistent' };
  const dataset = await loadDataset('math-500', { ...options, environment });
  await expect(dataset.split('test')).rejects.toMatchObject({ code: 'integrity', message: expect.stringContaining('has other rows') });
});
