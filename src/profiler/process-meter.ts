// Samples a model's own process tree at a fixed rate and keeps the timeline in flat arrays, so that metering stays under 1 % of a CPU.
import type { Meter, MeterSession, ResourceSample } from '../core/ports/meter.ts';
import type { ResourceSummary } from '../core/record.ts';
import { openAmdProbe } from './amd-gpu.ts';
import { startAmdSmiProbe } from './amd-smi.ts';
import { startAppleProbe } from './apple-power.ts';
import { type EnergyCounter, integratePower, netEnergy, openRapl } from './energy-counters.ts';
import { type GpuProbe, startGpuProbe } from './nvidia-smi.ts';
import { listProcessTree, readKernelPeakBytes, readProcesses, readPssBytes } from './process-tree.ts';

/** The tree changes rarely: it is listed again every this many samples. */
const samplesPerTreeListing = 10;

/** Proportional memory walks all mappings, so it is read seldom, and more seldom where it is slow. */
const pssEveryMs = 1000;
const pssCpuShare = 0.003;
/** Energy counters start again after some minutes at full load, so they are followed. */
const energyEveryMs = 5000;
/** Idle power is taken over this long before the measurement, where there is a power figure at all. */
const idleMs = 500;
/** A GPU tool takes a moment before its first figure. */
const firstGpuFigureMs = 2000;

interface CpuMark {
  readonly atMs: number;
  readonly seconds: ReadonlyMap<number, number>;
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function peakOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((peak, value) => Math.max(peak, value));
}

function known(values: readonly (number | null | undefined)[]): number[] {
  return values.filter((value): value is number => value !== null && value !== undefined);
}

class ProcessMeterSession implements MeterSession {
  readonly #processIds: () => readonly number[];
  readonly #intervalMs: number;
  readonly #gpu: GpuProbe | null;
  readonly #startMs = performance.now();
  readonly #timeline: ResourceSample[] = [];
  readonly #kernelPeaks = new Map<number, number>();
  readonly #timer: NodeJS.Timeout;
  #tree: number[] = [];
  #roots = '';
  #ticks = 0;
  #mark: CpuMark | null = null;
  #ownCpuMs = 0;
  #stopped = false;
  #nextPssMs = 0;
  #nextEnergyMs = energyEveryMs;
  #energyStart: number | null = null;
  readonly #energy: EnergyCounter | null;
  readonly #idleWatts: number | null;
  readonly #idleGpuWatts: number | null;

  constructor(processIds: () => readonly number[], intervalMs: number, power: PowerSources) {
    this.#processIds = processIds;
    this.#intervalMs = intervalMs;
    this.#gpu = power.gpu;
    this.#energy = power.counter;
    this.#idleWatts = power.idleWatts;
    this.#idleGpuWatts = power.idleGpuWatts;
    this.#energyStart = this.#energy?.readJoules() ?? null;
    this.#sample();
    this.#timer = setInterval(() => this.#sample(), intervalMs);
    this.#timer.unref();
  }

  #sample(): void {
    const before = process.cpuUsage();
    const roots = this.#processIds();
    const rootKey = roots.join(',');
    if (this.#ticks % samplesPerTreeListing === 0 || rootKey !== this.#roots) {
      this.#tree = listProcessTree(roots);
      this.#roots = rootKey;
      this.#readKernelPeaks();
    }
    this.#ticks++;
    const atMs = performance.now() - this.#startMs;
    if (atMs >= this.#nextEnergyMs) {
      this.#energy?.readJoules();
      this.#nextEnergyMs = atMs + energyEveryMs;
    }
    const readings = readProcesses(this.#tree);
    if (readings.length > 0) {
      const gpu = this.#gpu?.latest() ?? null;
      this.#timeline.push({
        atMs,
        rssBytes: readings.reduce((sum, reading) => sum + reading.rssBytes, 0),
        cpuPercent: this.#cpuPercent(atMs, new Map(readings.map((reading) => [reading.pid, reading.cpuSeconds]))),
        threads: readings.reduce((sum, reading) => sum + reading.threads, 0),
        majorFaults: readings.reduce((sum, reading) => sum + reading.majorFaults, 0),
        pssBytes: this.#pssBytes(atMs),
        gpuMemoryBytes: gpu?.memoryBytes ?? null,
        gpuUtilisationPercent: gpu?.utilisationPercent ?? null,
        powerWatts: gpu?.powerWatts ?? null,
      });
    }
    const used = process.cpuUsage(before);
    this.#ownCpuMs += (used.user + used.system) / 1000;
  }

  /** Undefined between its own readings. */
  #pssBytes(atMs: number): number | null | undefined {
    if (atMs < this.#nextPssMs) return undefined;
    const startMs = performance.now();
    const values = this.#tree.map(readPssBytes).filter((value) => value !== null);
    this.#nextPssMs = atMs + Math.max(pssEveryMs, (performance.now() - startMs) / pssCpuShare);
    return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
  }

  /** Counters of the CPU and the integrated power of the GPU, each net of its idle power. */
  #energyOf(durationMs: number): { readonly joules: number | null; readonly source: string } {
    const now = this.#energy?.readJoules() ?? null;
    const cpu = netEnergy({
      totalJoules: now === null || this.#energyStart === null ? null : now - this.#energyStart,
      durationMs,
      idleWatts: this.#idleWatts,
      source: this.#energy?.source ?? '',
    });
    const gpu = netEnergy({
      totalJoules: integratePower(this.#timeline.map((sample) => ({ atMs: sample.atMs, watts: sample.powerWatts ?? null }))),
      durationMs,
      idleWatts: this.#idleGpuWatts,
      source: `${this.#gpu?.source ?? ''} integrated`,
    });
    const parts = [cpu, gpu].filter((part) => part.joules !== null);
    if (parts.length === 0) return { joules: null, source: 'not available' };
    return { joules: parts.reduce((sum, part) => sum + part.joules!, 0), source: parts.map((part) => part.source).join('; ') };
  }

  #readKernelPeaks(): void {
    for (const pid of this.#tree) {
      const peak = readKernelPeakBytes(pid);
      if (peak !== null) this.#kernelPeaks.set(pid, peak);
    }
  }

  /** 100 % is one core. Null for the first reading: a rate needs two. */
  #cpuPercent(atMs: number, seconds: ReadonlyMap<number, number>): number | null {
    const mark = this.#mark;
    this.#mark = { atMs, seconds };
    if (mark === null || atMs <= mark.atMs) return null;
    let used = 0;
    for (const [pid, now] of seconds) used += Math.max(0, now - (mark.seconds.get(pid) ?? now));
    return (used * 100_000) / (atMs - mark.atMs);
  }

  readonly samples = (): readonly ResourceSample[] => this.#timeline;

  readonly summary = (): ResourceSummary => {
    const rss = known(this.#timeline.map((sample) => sample.rssBytes));
    const cpu = known(this.#timeline.map((sample) => sample.cpuPercent));
    const gpuMemory = known(this.#timeline.map((sample) => sample.gpuMemoryBytes));
    const utilisation = known(this.#timeline.map((sample) => sample.gpuUtilisationPercent));
    const elapsedMs = performance.now() - this.#startMs;
    const energy = this.#energyOf(elapsedMs);
    const kernelPeak = this.#kernelPeaks.size === 0 ? null : Math.max(...this.#kernelPeaks.values());
    const sampledPeak = peakOf(rss);
    return {
      samples: this.#timeline.length,
      intervalMs: this.#intervalMs,
      idleRssBytes: rss[0] ?? null,
      meanRssBytes: meanOf(rss),
      // A peak between two samples is known to the kernel only.
      peakRssBytes: sampledPeak === null ? null : Math.max(sampledPeak, kernelPeak ?? 0),
      kernelPeakRssBytes: kernelPeak,
      meanCpuPercent: meanOf(cpu),
      peakCpuPercent: peakOf(cpu),
      peakGpuMemoryBytes: peakOf(gpuMemory),
      meanGpuUtilisationPercent: meanOf(utilisation),
      energyJoules: energy.joules,
      energySource: energy.source,
      overheadCpuPercent: elapsedMs > 0 ? (this.#ownCpuMs * 100) / elapsedMs : null,
    };
  };

  readonly stop = async (): Promise<ResourceSummary> => {
    if (!this.#stopped) {
      this.#stopped = true;
      clearInterval(this.#timer);
      this.#sample();
      this.#readKernelPeaks();
      this.#gpu?.stop();
    }
    return this.summary();
  };
}

export interface PowerSources {
  readonly counter: EnergyCounter | null;
  readonly gpu: GpuProbe | null;
  readonly idleWatts: number | null;
  readonly idleGpuWatts: number | null;
}

async function firstGpuWatts(gpu: GpuProbe | null): Promise<number | null> {
  const endMs = performance.now() + firstGpuFigureMs;
  while (gpu !== null && gpu.latest() === null && performance.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 50));
  return gpu?.latest()?.powerWatts ?? null;
}

/** Where there is a power figure, the idle baseline is taken first: the model is loaded and waits. */
async function openPowerSources(): Promise<PowerSources> {
  const counter = openRapl();
  const gpu = startGpuProbe() ?? openAmdProbe() ?? startAppleProbe() ?? (await startAmdSmiProbe());
  if (counter === null && gpu === null) return { counter, gpu, idleWatts: null, idleGpuWatts: null };
  const before = counter?.readJoules() ?? null;
  const startMs = performance.now();
  await new Promise((resolve) => setTimeout(resolve, idleMs));
  const idleGpuWatts = await firstGpuWatts(gpu);
  const after = counter?.readJoules() ?? null;
  const seconds = (performance.now() - startMs) / 1000;
  return { counter, gpu, idleWatts: before === null || after === null ? null : (after - before) / seconds, idleGpuWatts };
}

/** A meter on given sources of power figures. */
export function meterWith(openPower: () => Promise<PowerSources>): Meter {
  return {
    start: async (processIds, options = {}) => new ProcessMeterSession(processIds, options.intervalMs ?? 100, await openPower()),
  };
}

/** Meters processes by id. `intervalMs` defaults to 100. */
export const processMeter: Meter = meterWith(openPowerSources);
