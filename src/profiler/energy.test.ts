import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAmdProbe } from './amd-gpu.ts';
import { parsePowermetrics } from './apple-power.ts';
import { integratePower, netEnergy, openRapl } from './energy-counters.ts';
import { parseCpuTicks } from './host-monitor.ts';
import { processMeter } from './process-meter.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slmbench-energy-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), `${text}\n`);
}

function domain(entry: string, name: string, microjoules: number): void {
  write(`${entry}/name`, name);
  write(`${entry}/max_energy_range_uj`, '1000000');
  write(`${entry}/energy_uj`, String(microjoules));
}

test('RAPL: packages and memory are added, cores inside a package are not counted twice, wrap-around is followed', () => {
  domain('intel-rapl:0', 'package-0', 900_000);
  domain('intel-rapl:0:0', 'core', 500_000);
  domain('intel-rapl:0:1', 'dram', 100_000);
  const counter = openRapl(folder)!;
  expect(counter.source).toBe('RAPL package-0 + dram');
  expect(counter.readJoules()).toBe(0);
  domain('intel-rapl:0', 'package-0', 50_000);
  domain('intel-rapl:0:1', 'dram', 150_000);
  expect(counter.readJoules()).toBeCloseTo(0.15 + 0.05, 9);
});

test('without a readable counter there is no energy, not a guess', async () => {
  expect(openRapl(join(folder, 'nothing'))).toBeNull();
  expect(netEnergy({ totalJoules: null, durationMs: 5000, idleWatts: null, source: 'x' })).toEqual({
    joules: null,
    source: 'not available',
  });
});

test('energy is net of idle, never below zero, and says what was deducted', () => {
  expect(netEnergy({ totalJoules: 100, durationMs: 10_000, idleWatts: 4, source: 'RAPL' })).toEqual({
    joules: 60,
    source: 'RAPL, net of 4.0 W idle',
  });
  expect(netEnergy({ totalJoules: 10, durationMs: 10_000, idleWatts: 4, source: 'RAPL' }).joules).toBe(0);
  expect(netEnergy({ totalJoules: 10, durationMs: 50, idleWatts: 4, source: 'RAPL' }).joules).toBeNull();
  expect(
    integratePower([
      { atMs: 0, watts: 10 },
      { atMs: 500, watts: null },
      { atMs: 1000, watts: 20 },
    ]),
  ).toBe(15);
  expect(integratePower([{ atMs: 0, watts: 10 }])).toBeNull();
});

test('AMD GPUs: memory, load and power from the kernel; other vendors are passed over', () => {
  write('card0/device/vendor', '0x8086');
  write('card1/device/vendor', '0x1002');
  write('card1/device/mem_info_vram_used', '2147483648');
  write('card1/device/gpu_busy_percent', '0');
  write('card1/device/hwmon/hwmon3/power1_average', '45000000');
  expect(openAmdProbe(folder)!.latest()).toEqual({ memoryBytes: 2_147_483_648, utilisationPercent: 0, powerWatts: 45 });
  expect(openAmdProbe(join(folder, 'nothing'))).toBeNull();
});

test('Apple: combined power and GPU load from a powermetrics sample', () => {
  const text = readFileSync(new URL('__fixtures__/powermetrics.txt', import.meta.url), 'utf8');
  expect(parsePowermetrics(text)).toEqual({ memoryBytes: null, utilisationPercent: 93.47, powerWatts: 11.245 });
  expect(parsePowermetrics('nothing of use')).toBeNull();
});

test('CPU ticks: steal is told apart from work', () => {
  expect(parseCpuTicks('cpu  100 5 45 800 10 0 0 40 0 0\ncpu0 1 1 1 1\n')).toEqual({ busy: 150, steal: 40, total: 1000 });
  expect(parseCpuTicks('')).toBeNull();
});

test('the timeline holds proportional memory at its own slow rate, and sampling costs little', async () => {
  const session = await processMeter.start(() => [process.pid], { intervalMs: 50 });
  await new Promise((resolve) => setTimeout(resolve, 700));
  const summary = await session.stop();
  const samples = session.samples();
  const withPss = samples.filter((sample) => typeof sample.pssBytes === 'number');
  expect(withPss.length).toBeGreaterThanOrEqual(process.platform === 'linux' ? 1 : 0);
  expect(withPss.length).toBeLessThan(samples.length / 2);
  expect(samples.at(-1)!.majorFaults).toBeTypeOf('number');
  expect(summary.energySource.length).toBeGreaterThan(0);
});
