// The four published records of LMTask: read, recomputed from their class counts, rendered, indexed; every number with zero difference.
import { readFile, writeFile } from 'node:fs/promises';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseBenchmark, readBenchmarks } from '../../../src/app/specialise/read-benchmark.ts';
import { updateIndex } from '../../../src/app/specialise/update-index.ts';
import { verifyBenchmark } from '../../../src/app/specialise/verify-benchmark.ts';
import { renderBenchmark } from '../../../src/report/benchmark/render-benchmark.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const keys = ['gemma4', 'llama3', 'dsr1qwen3', 'qwen3'] as const;

async function json(key: string): Promise<Record<string, never>> {
  return JSON.parse(await readFile(join(folder, `lmtask_${key}.json`), 'utf8'));
}

/** Cells of all table rows, rules left out. */
function cells(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line))
    .map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));
}

test.each(keys)('%s verifies from its class counts alone', async (key) => {
  const [found] = await readBenchmarks([join(folder, `lmtask_${key}.json`)]);
  const result = await verifyBenchmark(found!);
  expect(result).toMatchObject({ from: 'class counts', differences: [], checked: 11 });
  expect(found!.record.score.support).toBe(256);
});

test.each([
  ['primary', (record: any) => (record.metrics.primary.value += 1e-9)],
  ['metrics.accuracy', (record: any) => (record.metrics.metrics[0].value = 0.9531)],
  ['invalidCount', (record: any) => (record.metrics.invalid_count = 1)],
  ['perClass', (record: any) => (record.metrics.per_class[1].precision = 0.96)],
])('a tampered %s is found', async (path, tamper) => {
  const value = await json('gemma4');
  tamper(value);
  const result = await verifyBenchmark({ file: 'lmtask_gemma4.json', record: parseBenchmark(value, 'x') });
  expect(result.differences.map((one) => one.path).join(' ')).toContain(path === 'primary' ? 'metrics.f1:macro' : path);
});

test('the Gemma 4 report has the published sections, order and numbers', async () => {
  const markdown = renderBenchmark(parseBenchmark(await json('gemma4'), 'x'));
  expect(markdown.match(/^#+ .*$/gm)).toEqual([
    '# Financial PhraseBank — Gemma 4',
    '## Results',
    '### Per-class results',
    '## Dataset',
    '## Training',
    '### Trainer diagnostics',
    '## Held-out testing',
    '## Environment',
    '### GPUs visible to the benchmark process',
    '### Package versions',
    '## Reproducibility',
  ]);
  expect(markdown).toContain('**Primary metric:** f1 (macro) = **0.9396**');
  expect(markdown).toContain('Invalid/unrecognized predictions: **0**');
  expect(cells(markdown)).toEqual(JSON.parse(await readFile(join(folder, 'gemma4-report-cells.json'), 'utf8')));
});

test('the Qwen 3 report says first how many answers were none', async () => {
  const markdown = renderBenchmark(parseBenchmark(await json('qwen3'), 'x'));
  const first = markdown.indexOf('196 of 256 (76.6 %)');
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(markdown.indexOf('Primary metric'));
  expect(markdown).toContain('| precision | micro | 0.9500 |');
  expect(markdown).toContain('| f1 | micro | 0.3608 |');
  expect(markdown).toContain('Invalid/unrecognized predictions: **196**');
});

test('the index gives the records’ numbers, and a hand-typed one is drift', async () => {
  const place = await mkdtemp(join(tmpdir(), 'slmbench index '));
  const file = join(place, 'BENCHMARKS.md');
  expect((await updateIndex({ file, records: [folder], check: false })).entries).toBe(4);
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(/Gemma 4 \| 256 \| 0\.0 % \| 0\.9492 \| 0\.9396/);
  expect(text).toMatch(/Qwen 3 \| 256 \| 76\.6 % \| 0\.2227 \| 0\.3858/);
  expect((await updateIndex({ file, records: [folder], check: true })).drift).toEqual([]);
  await writeFile(file, text.replace('0.9492 | 0.9396', '0.9531 | 0.9434'));
  expect((await updateIndex({ file, records: [folder], check: true })).drift).toHaveLength(2);
});
