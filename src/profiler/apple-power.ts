// Apple silicon through one persistent `powermetrics` (which only root may run): GPU load and power of CPU, GPU and Neural Engine.
import { spawn } from 'node:child_process';
import type { GpuProbe, GpuReading } from './nvidia-smi.ts';

function figure(text: string, pattern: RegExp): number | null {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}

function milliwatts(text: string, name: string): number | null {
  return figure(text, new RegExp(`^${name} Power: (\\d+(?:\\.\\d+)?) mW`, 'm'));
}

/** Of the whole chip: told as a sum, in watts by Intel processors, or the parts that are told added up. */
function chipWatts(text: string): number | null {
  const sum = milliwatts(text, 'Combined') ?? figure(text, /^Combined Power \(CPU \+ GPU \+ ANE\): (\d+(?:\.\d+)?) mW/m);
  if (sum !== null) return sum / 1000;
  const intel = figure(text, /^Intel energy model derived package power \(CPUs\+GT\+SA\): (\d+(?:\.\d+)?)W/m);
  if (intel !== null) return intel;
  const parts = ['CPU', 'GPU', 'ANE'].map((name) => milliwatts(text, name)).filter((part) => part !== null);
  return parts.length === 0 ? null : parts.reduce((total, part) => total + part, 0) / 1000;
}

/** One sample block of `powermetrics --samplers cpu_power,gpu_power`; memory is unified, so there is no memory of the GPU's own. */
export function parsePowermetrics(text: string): GpuReading | null {
  const utilisationPercent = figure(text, /^GPU (?:HW )?active residency:\s+([\d.]+)%/m);
  const powerWatts = chipWatts(text);
  return powerWatts === null && utilisationPercent === null ? null : { memoryBytes: null, utilisationPercent, powerWatts };
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
