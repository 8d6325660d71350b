import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAmdProbe, readAmdFacts } from './amd-gpu.ts';
import { type AmdTool, parseAmdSmi, parseRocmSmi, startAmdSmiProbe } from './amd-smi.ts';
import { parsePowermetrics } from './apple-power.ts';
import { integratePower, netEnergy, openRapl } from './energy-counters.ts';
import { parseCpuTicks } from './host-monitor.ts';
import type { GpuReading } from './nvidia-smi.ts';
import { meterWith, processMeter } from './process-meter.ts';

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

test('RAPL: every return to zero between two looks is added; what cannot be read or followed is no energy', () => {
  domain('intel-rapl:0', 'package-0', 900_000);
  const counter = openRapl(folder)!;
  expect(counter.readJoules()).toBe(0);
  for (const [value, joules] of [
    [400_000, 0.5],
    [100_000, 1.2],
    [100_000, 1.2],
    [0, 2.1],
  ] as const) {
    domain('intel-rapl:0', 'package-0', value);
    expect(counter.readJoules()).toBeCloseTo(joules, 9);
  }
  write('intel-rapl:0/energy_uj', '');
  expect(counter.readJoules()).toBeNull();
  domain('intel-rapl:0', 'package-0', 50_000);
  expect(counter.readJoules()).toBeCloseTo(2.15, 9);

  domain('intel-rapl:1', 'package-1', 700_000);
  rmSync(join(folder, 'intel-rapl:1/max_energy_range_uj'));
  const endless = openRapl(folder)!;
  expect(endless.source).toBe('RAPL package-0 + package-1');
  endless.readJoules();
  write('intel-rapl:1/energy_uj', '10');
  expect(endless.readJoules()).toBeNull();
});

test('RAPL: the platform counter stands for all; a counter that only root may read is none', () => {
  domain('intel-rapl:0', 'package-0', 1);
  domain('intel-rapl:1', 'psys', 1);
  expect(openRapl(folder)!.source).toBe('RAPL psys');
  write('intel-rapl:1/energy_uj', 'N/A');
  write('intel-rapl:0/energy_uj', '');
  expect(openRapl(folder)).toBeNull();
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

test('AMD GPUs: [N/A] and empty files are unknown, 0 is 0, several add up; facts for the record', () => {
  write('card0/device/vendor', '0x1002');
  write('card0/device/device', '0x744c');
  write('card0/device/mem_info_vram_total', '25753026560');
  write('card0/device/mem_info_vram_used', '0');
  write('card0/device/gpu_busy_percent', '');
  write('card0/device/hwmon/hwmon2/power1_average', 'N/A');
  write('card0/device/hwmon/hwmon2/power1_input', '12000000');
  write('card1/device/vendor', '0x1002');
  write('card1/device/product_name', 'AMD Instinct MI210');
  write('card1/device/mem_info_vram_used', '1000');
  write('card1/device/gpu_busy_percent', '40');
  expect(openAmdProbe(folder)!.latest()).toEqual({ memoryBytes: 1000, utilisationPercent: 40, powerWatts: 12 });
  expect(readAmdFacts(folder, join(folder, 'version'))).toEqual([
    { index: 0, name: 'AMD GPU 0x744c', totalMemoryBytes: 25_753_026_560, driver: null },
    { index: 1, name: 'AMD Instinct MI210', totalMemoryBytes: null, driver: null },
  ]);
});

function fixture(name: string): string {
  return readFileSync(new URL(`__fixtures__/${name}`, import.meta.url), 'utf8');
}

test('amd-smi and rocm-smi: both forms, warnings before them, N/A is unknown and 0 is 0', () => {
  expect(parseAmdSmi(fixture('amd-smi-metric.json'))).toEqual({ memoryBytes: 4096 * 1024 * 1024, utilisationPercent: 87, powerWatts: 250 });
  expect(parseAmdSmi(fixture('amd-smi-metric-list.json'))).toEqual({
    memoryBytes: 460 * 1024 * 1024,
    utilisationPercent: null,
    powerWatts: null,
  });
  expect(parseRocmSmi(fixture('rocm-smi.json'))).toEqual({ memoryBytes: 482_263_040, utilisationPercent: 97, powerWatts: 9.215 });
  for (const text of ['', '[]', '{}', 'ERROR: no GPU', '{"gpu_data": []}', '{"card0": 1', '[{'])
    expect([parseAmdSmi(text), parseRocmSmi(text)]).toEqual([null, null]);
});

test('the first AMD tool that sees a GPU is asked on and on; none is none', async () => {
  const tool = (script: string): AmdTool => ({ command: process.execPath, args: ['-e', script], parse: parseRocmSmi });
  const good = tool(`console.log(${JSON.stringify(fixture('rocm-smi.json'))})`);
  const missing: AmdTool = { ...good, command: join(folder, 'no-such-tool') };
  const probe = (await startAmdSmiProbe([missing, tool('process.exit(3)'), good]))!;
  expect(probe.latest()).toMatchObject({ utilisationPercent: 97 });
  probe.stop();
  expect(await startAmdSmiProbe([missing])).toBeNull();
});

test('the meter follows a counter over its range, takes energy net of idle and names the source', async () => {
  domain('intel-rapl:0', 'package-0', 0);
  const counter = openRapl(folder)!;
  const gpu: GpuReading = { memoryBytes: 0, utilisationPercent: 0, powerWatts: 30 };
  const meter = meterWith(async () => ({
    counter,
    gpu: { source: 'rocm-smi power', latest: () => gpu, stop: () => {} },
    idleWatts: 1,
    idleGpuWatts: 10,
  }));
  const session = await meter.start(() => [process.pid], { intervalMs: 20 });
  const startMs = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 400));
  domain('intel-rapl:0', 'package-0', 900_000);
  const summary = await session.stop();
  const seconds = (performance.now() - startMs) / 1000;
  expect(summary.energySource).toBe('RAPL package-0, net of 1.0 W idle; rocm-smi power integrated, net of 10.0 W idle');
  // (0.9 J - idle) of the processor and (30 - 10) W of the GPU.
  expect(summary.energyJoules!).toBeGreaterThan(0.9 - seconds * 1.1 + 20 * 0.35);
  expect(summary.energyJoules!).toBeLessThan(0.9 + 20 * seconds * 1.05);
  expect(summary).toMatchObject({ peakGpuMemoryBytes: 0, meanGpuUtilisationPercent: 0 });
});

test('without any source of power figures the energy is not available', async () => {
  const session = await meterWith(async () => ({ counter: null, gpu: null, idleWatts: null, idleGpuWatts: null })).start(
    () => [process.pid],
    {
      intervalMs: 20,
    },
  );
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(await session.stop()).toMatchObject({ energyJoules: null, energySource: 'not available' });
});

test('Apple: combined power and GPU load from a powermetrics sample', () => {
  expect(parsePowermetrics(fixture('powermetrics.txt'))).toEqual({ memoryBytes: null, utilisationPercent: 93.47, powerWatts: 11.245 });
  expect(parsePowermetrics(fixture('powermetrics-idle.txt'))).toEqual({ memoryBytes: null, utilisationPercent: 0, powerWatts: 0.031 });
  expect(parsePowermetrics(fixture('powermetrics-intel.txt'))).toEqual({ memoryBytes: null, utilisationPercent: null, powerWatts: 18.63 });
  expect(parsePowermetrics('CPU Power: 20 mW\nGPU Power: 0 mW\n')).toMatchObject({ powerWatts: 0.02 });
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
