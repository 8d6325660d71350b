// Apple silicon through one persistent `powermetrics` (which only root may run): GPU load and power of CPU, GPU and Neural Engine.
import { spawn } from 'node:child_process';
import type { GpuProbe, GpuReading } from './nvidia-smi.ts';

/** One sample block of `powermetrics --samplers cpu_power,gpu_power`; memory is unified, so there is no memory of the GPU's own. */
export function parsePowermetrics(text: string): GpuReading | null {
  const milliwatts = (name: string): number | null => {
    const match = new RegExp(`^${name} Power: (\\d+(?:\\.\\d+)?) mW`, 'm').exec(text);
    return match === null ? null : Number(match[1]);
  };
  const parts = [milliwatts('CPU'), milliwatts('GPU'), milliwatts('ANE')];
  const combined = milliwatts('Combined') ?? /^Combined Power \(CPU \+ GPU \+ ANE\): (\d+(?:\.\d+)?) mW/m.exec(text)?.[1];
  const known = parts.filter((part) => part !== null);
  const load = /^GPU (?:HW )?active residency:\s+([\d.]+)%/m.exec(text)?.[1];
  const total =
    combined === null || combined === undefined
      ? known.length === 0
        ? null
        : known.reduce((sum, part) => sum + part, 0)
      : Number(combined);
  if (total === null && load === undefined) return null;
  return {
    memoryBytes: null,
    utilisationPercent: load === undefined ? null : Number(load),
    powerWatts: total === null ? null : total / 1000,
  };
}

const sampleMark = '*** Sampled system activity';

/** null elsewhere and without root. */
export function startAppleProbe(intervalMs = 500): GpuProbe | null {
  if (process.platform !== 'darwin' || process.getuid?.() !== 0) return null;
  const child = spawn('powermetrics', ['--samplers', 'cpu_power,gpu_power', '-i', String(intervalMs)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  let reading: GpuReading | null = null;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    const end = text.lastIndexOf(sampleMark);
    if (end <= 0) return;
    const start = text.lastIndexOf(sampleMark, end - 1);
    reading = parsePowermetrics(text.slice(Math.max(0, start), end)) ?? reading;
    text = text.slice(end);
  });
  child.on('error', () => {});
  child.unref();
  return { source: 'powermetrics', latest: () => reading, stop: () => child.kill() };
}
