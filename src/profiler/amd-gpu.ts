// AMD GPUs from the kernel's own files (amdgpu): memory, load and power by plain reads, no process at all.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GpuProbe, GpuReading } from './nvidia-smi.ts';

const amdVendor = '0x1002';

function readNumber(path: string): number | null {
  try {
    const value = Number(readFileSync(path, 'utf8').trim());
    return Number.isFinite(value) ? value : null;
  } catch {
    return null;
  }
}

function devicesOf(root: string): string[] {
  try {
    return readdirSync(root)
      .filter((name) => /^card\d+$/.test(name))
      .map((name) => join(root, name, 'device'))
      .filter((device) => {
        try {
          return readFileSync(join(device, 'vendor'), 'utf8').trim() === amdVendor;
        } catch {
          return false;
        }
      });
  } catch {
    return [];
  }
}

/** Average power, or the momentary one of newer chips; microwatts in the file. */
function powerWatts(device: string): number | null {
  try {
    for (const name of readdirSync(join(device, 'hwmon'))) {
      const folder = join(device, 'hwmon', name);
      const microwatts = readNumber(join(folder, 'power1_average')) ?? readNumber(join(folder, 'power1_input'));
      if (microwatts !== null) return microwatts / 1e6;
    }
  } catch {
    // No sensor.
  }
  return null;
}

function readDevice(device: string): GpuReading {
  return {
    memoryBytes: readNumber(join(device, 'mem_info_vram_used')),
    utilisationPercent: readNumber(join(device, 'gpu_busy_percent')),
    powerWatts: powerWatts(device),
  };
}

function addUp(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** null where there is no AMD GPU. */
export function openAmdProbe(root = '/sys/class/drm'): GpuProbe | null {
  const devices = devicesOf(root);
  if (devices.length === 0) return null;
  return {
    source: 'amdgpu power1',
    latest: () => {
      const readings = devices.map(readDevice);
      const loads = readings.map((reading) => reading.utilisationPercent).filter((value) => value !== null);
      return {
        memoryBytes: addUp(readings.map((reading) => reading.memoryBytes)),
        utilisationPercent: loads.length === 0 ? null : Math.max(...loads),
        powerWatts: addUp(readings.map((reading) => reading.powerWatts)),
      };
    },
    stop: () => {},
  };
}
