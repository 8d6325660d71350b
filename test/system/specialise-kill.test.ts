// kill -9 in each stage of a benchmark: the next command goes on, and the result equals that of an undisturbed one.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { benchmark } from '../../src/app/specialise/benchmark.ts';
import type { BenchmarkRecord } from '../../src/core/specialise-record.ts';
import { type Project, toyProject } from './specialise-fixtures.ts';

const child = fileURLToPath(new URL('specialise-kill-child.ts', import.meta.url));

/** Runs the child until a line of its output matches, then kills it. @returns whether it was killed before its end */
function killAt(project: Project, pattern: RegExp): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const running = spawn(process.execPath, [child, project.recipe, '30'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    running.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.split('\n').some((line) => pattern.test(line))) running.kill('SIGKILL');
    });
    running.on('error', reject);
    running.on('close', (code, signal) =>
      code !== 0 && signal === null ? reject(new Error(`child ended with ${code}`)) : resolve(signal === 'SIGKILL'),
    );
  });
}

/** What must be equal: scores, rows, adapter; not times and places. */
async function essence(record: BenchmarkRecord, folder: string) {
  const lines = await readFile(join(folder, 'data/toys/toy/benchmark/toys_toy.jsonl'), 'utf8');
  const rows = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return {
    score: record.score,
    baselines: record.baselines.map((one) => one.score),
    adapter: record.training?.adapterDigest,
    rows: rows.map(({ id, prediction, outcome }) => ({ id, prediction, outcome })),
  };
}

let expected: Awaited<ReturnType<typeof essence>>;

beforeAll(async () => {
  const project = await toyProject();
  expected = await essence((await benchmark(project.options())).record, project.folder);
});

test.each([
  ['train', /"step":2,/],
  ['test', /"kind":"sample-finished"/],
  ['baseline', /base model, zero-shot: runs/],
  ['score', /"message":"score: runs/],
  ['render', /"message":"render: runs/],
])('killed in %s', async (_, pattern) => {
  const project = await toyProject();
  expect(await killAt(project, pattern)).toBe(true);
  const { record } = await benchmark(project.options());
  expect(await essence(record, project.folder)).toEqual(expected);
});
