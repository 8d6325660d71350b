import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scoredRun } from '../../test/fixtures/scored-run.ts';
import { unpackWoff } from './unpack-woff.ts';
import { writeReports } from './write-reports.ts';

const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

test('a report folder holds the page and the pictures under their known names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'slmbench reports ü-'));
  folders.push(folder);
  const input = await scoredRun({ models: 2, samplesPerTask: 10, tasks: 2 });
  const target = join(folder, 'new', 'folder');
  const paths = await writeReports(input, target);
  const names = await readdir(target);
  expect(names.toSorted()).toEqual(paths.map((path) => path.slice(target.length + 1)).toSorted());
  for (const name of [
    'report.md',
    'report.html',
    'accuracy_comparison.png',
    'latency_comparison.png',
    'tradeoff.png',
    'resource_usage.png',
    'radar_chart.png',
  ])
    expect(names).toContain(name);
  for (const name of names.filter((candidate) => candidate.endsWith('.png'))) {
    const bytes = await readFile(join(target, name));
    expect([...bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(bytes.readUInt32BE(16)).toBe(1920);
  }
  await writeReports(input, target, ['csv', 'junit', 'latex', 'xlsx']);
  expect(await readdir(target)).toEqual(expect.arrayContaining(['results.csv', 'junit.xml', 'results.tex', 'results.xlsx']));
});

test('a folder that cannot be made is a storage error', async () => {
  const input = await scoredRun({ models: 1, samplesPerTask: 5, tasks: 1 });
  await expect(writeReports(input, '/dev/null/reports', ['csv'])).rejects.toMatchObject({ code: 'storage' });
});

test('bytes that are no font are refused', () => {
  expect(() => unpackWoff(new Uint8Array(64))).toThrow(RangeError);
});
