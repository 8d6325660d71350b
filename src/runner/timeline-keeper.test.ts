import { expect, test } from 'vitest';
import type { ResourceSample } from '../core/ports/meter.ts';
import { openTimelineKeeper, timelinesFile } from './timeline-keeper.ts';

const sample = (atMs: number, rssBytes: number | null, cpuPercent: number | null): ResourceSample => ({
  atMs,
  rssBytes,
  cpuPercent,
  gpuMemoryBytes: null,
  gpuUtilisationPercent: null,
});

function memoryWriter() {
  const files = new Map<string, string>();
  let writes = 0;
  return {
    readArtifact: async (name: string) => files.get(name) ?? null,
    writeArtifact: async (name: string, content: string | AsyncIterable<string>) => {
      writes++;
      files.set(name, content as string);
    },
    lines: () =>
      (files.get(timelinesFile) ?? '')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { model: string; atMs: number; rssBytes: number | null; cpuPercent: number | null }),
    files,
    writes: () => writes,
  };
}

test('the times of a model run on through its tasks and through a resumed run', async () => {
  const writer = memoryWriter();
  const first = await openTimelineKeeper(writer);
  first.add('a', 5000, [sample(0, 10, null), sample(100, 20, 12.345)]);
  first.add('a', 7000, [sample(0, 30, 1)]);
  first.add('b', 9000, [sample(0, 5, null)]);
  await first.write();
  await first.write();
  expect(writer.writes()).toBe(1);
  expect(writer.lines()).toEqual([
    { model: 'a', atMs: 0, rssBytes: 10, cpuPercent: null, gpuMemoryBytes: null },
    { model: 'a', atMs: 100, rssBytes: 20, cpuPercent: 12.3, gpuMemoryBytes: null },
    { model: 'a', atMs: 2000, rssBytes: 30, cpuPercent: 1, gpuMemoryBytes: null },
    { model: 'b', atMs: 0, rssBytes: 5, cpuPercent: null, gpuMemoryBytes: null },
  ]);
  const second = await openTimelineKeeper(writer);
  second.add('a', 100, [sample(0, 40, null), sample(50, 50, 2)]);
  await second.write();
  const times = writer
    .lines()
    .filter(({ model }) => model === 'a')
    .map(({ atMs }) => atMs);
  expect(times).toEqual([0, 100, 2000, 3000, 3050]);
});

test('a long task keeps few points and its peak; a damaged file does not end the run', async () => {
  const writer = memoryWriter();
  writer.files.set(timelinesFile, '{"model":"a","atMs":7}\n{"model":"a","at');
  const keeper = await openTimelineKeeper(writer);
  keeper.add(
    'a',
    0,
    Array.from({ length: 10_000 }, (_, at) => sample(at * 100, at === 4321 ? 999 : 1, null)),
  );
  await keeper.write();
  const text = writer.files.get(timelinesFile)!;
  expect(text.split('\n').length).toBeLessThan(310);
  expect(text).toContain('"rssBytes":999');
});

test('nothing measured writes no file', async () => {
  const writer = memoryWriter();
  const keeper = await openTimelineKeeper(writer);
  keeper.add('a', 0, []);
  await keeper.write();
  expect(writer.files.size).toBe(0);
});
