import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseCpuInfo, parseCpuMax } from './host-facts.ts';
import { parseGpuFacts, parseGpuReading } from './nvidia-smi.ts';
import { processMeter } from './process-meter.ts';
import { parseProcStat, parsePsTime } from './process-tree.ts';

test('a command name with brackets and spaces does not shift the fields of /proc stat', () => {
  const fields = Array.from({ length: 50 }, (_, index) => String(index + 3));
  const parsed = parseProcStat(`42 (a (b) c) S ${fields.slice(1).join(' ')}`);
  expect(parsed?.parent).toBe(4);
  expect(parsed?.reading.rssBytes).toBe(24 * 4096);
});

test('nvidia-smi: [N/A] is null, zero stays zero', () => {
  expect(parseGpuReading('[N/A], 0, [Not Supported]')).toEqual({ memoryBytes: null, utilisationPercent: 0, powerWatts: null });
  expect(parseGpuReading('512, 37, 71.50')).toEqual({ memoryBytes: 512 * 1024 * 1024, utilisationPercent: 37, powerWatts: 71.5 });
  expect(parseGpuFacts('0, NVIDIA GB10, [N/A], 580.95\n')).toEqual([
    { index: 0, name: 'NVIDIA GB10', totalMemoryBytes: null, driver: '580.95' },
  ]);
});

test('cores are counted physically and quotas are read', () => {
  const block = (id: number, core: number) =>
    `processor\t: ${id}\nphysical id\t: 0\ncore id\t\t: ${core}\nmodel name\t: X\nflags\t\t: avx2 fma\n`;
  expect(parseCpuInfo([block(0, 0), block(1, 0), block(2, 1), block(3, 1)].join('\n')).physicalCores).toBe(2);
  expect(parseCpuMax('150000 100000')).toBe(1.5);
  expect(parseCpuMax('max 100000')).toBeNull();
  expect(parsePsTime('1-02:03:04')).toBe(93_784);
});

test('the meter sees memory and CPU of a child and of its own child', async () => {
  const hungry = 'const b = Buffer.alloc(60e6, 1); const end = Date.now() + 700; while (Date.now() < end) b[0]++;';
  const parent = spawn(process.execPath, [
    '-e',
    `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(hungry)}])`,
  ]);
  const session = await processMeter.start(() => [parent.pid!], { intervalMs: 20 });
  await new Promise((resolve) => parent.on('exit', resolve));
  const summary = await session.stop();
  expect(summary.samples).toBeGreaterThan(5);
  expect(summary.peakRssBytes).toBeGreaterThan(100e6);
  expect(summary.peakCpuPercent).toBeGreaterThan(20);
});
