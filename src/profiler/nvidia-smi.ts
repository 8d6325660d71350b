// NVIDIA figures through one persistent `nvidia-smi` process, never one process per sample. `[N/A]` (unified memory) is null, 0 stays 0.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';

export interface GpuFact {
  readonly index: number;
  readonly name: string;
  readonly totalMemoryBytes: number | null;
  readonly driver: string | null;
}

export interface GpuReading {
  readonly memoryBytes: number | null;
  readonly utilisationPercent: number | null;
  readonly powerWatts: number | null;
}

function numberOrNull(text: string | undefined): number | null {
  if (text === undefined) return null;
  const trimmed = text.trim();
  if (trimmed === '' || !/^[-+]?[0-9.]+/.test(trimmed)) return null;
  const value = Number.parseFloat(trimmed);
  return Number.isFinite(value) ? value : null;
}

function mebibytes(text: string | undefined): number | null {
  const value = numberOrNull(text);
  return value === null ? null : value * 1024 * 1024;
}

/** Parses `index,name,memory.total,driver_version` rows (csv,noheader,nounits). */
export function parseGpuFacts(text: string): GpuFact[] {
  return text
    .split('\n')
    .map((line) => line.split(',').map((field) => field.trim()))
    .filter((fields) => fields.length >= 4 && /^\d+$/.test(fields[0]!))
    .map(([index, name, memory, driver]) => ({
      index: Number(index),
      name: name!,
      totalMemoryBytes: mebibytes(memory),
      driver: driver === '' || driver === '[N/A]' ? null : driver!,
    }));
}

/** Parses one `memory.used,utilization.gpu,power.draw` row. */
export function parseGpuReading(line: string): GpuReading | null {
  const fields = line.split(',');
  if (fields.length < 3) return null;
  return { memoryBytes: mebibytes(fields[0]), utilisationPercent: numberOrNull(fields[1]), powerWatts: numberOrNull(fields[2]) };
}

export function readGpuFacts(): GpuFact[] {
  const result = spawnSync('nvidia-smi', ['--query-gpu=index,name,memory.total,driver_version', '--format=csv,noheader,nounits'], {
    encoding: 'utf8',
    timeout: 3000,
  });
  return result.status === 0 ? parseGpuFacts(result.stdout) : [];
}

export interface GpuProbe {
  /** Where its power figure comes from. */
  readonly source: string;
  /** Sum over devices of the latest reading; null before the first. */
  readonly latest: () => GpuReading | null;
  readonly stop: () => void;
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}

function addUp(values: readonly (number | null)[]): number | null {
  const numbers = known(values);
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0);
}

/** Several devices as one: memory and power added up, the load of the busiest. */
export function joinGpuReadings(readings: readonly GpuReading[]): GpuReading {
  const loads = known(readings.map((reading) => reading.utilisationPercent));
  return {
    memoryBytes: addUp(readings.map((reading) => reading.memoryBytes)),
    utilisationPercent: loads.length === 0 ? null : Math.max(...loads),
    powerWatts: addUp(readings.map((reading) => reading.powerWatts)),
  };
}

/** Starts the probe at its own slow rate, or returns null where there is no `nvidia-smi`. */
export function startGpuProbe(intervalMs = 500): GpuProbe | null {
  const facts = readGpuFacts();
  if (facts.length === 0) return null;
  const child: ChildProcess = spawn(
    'nvidia-smi',
    ['--query-gpu=memory.used,utilization.gpu,power.draw', '--format=csv,noheader,nounits', `-lms`, String(intervalMs)],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const recent: GpuReading[] = [];
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const reading = parseGpuReading(line);
      if (reading === null) continue;
      recent.push(reading);
      if (recent.length > facts.length) recent.shift();
    }
  });
  child.on('error', () => {});
  child.unref();
  return {
    source: 'nvidia-smi power.draw',
    latest: () => (recent.length === 0 ? null : joinGpuReadings(recent)),
    stop: () => child.kill(),
  };
}
