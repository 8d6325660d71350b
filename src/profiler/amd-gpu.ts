// AMD GPUs from the kernel's own files (amdgpu): memory, load and power by plain reads, no process at all.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GpuFact, type GpuProbe, type GpuReading, joinGpuReadings } from './nvidia-smi.ts';

const amdVendor = '0x1002';

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

/** null for a file that is missing, empty or no number ("N/A"); 0 stays 0. */
function readNumber(path: string): number | null {
  const text = readText(path);
  return text !== null && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

function devicesOf(root: string): string[] {
  try {
    return readdirSync(root)
      .filter((name) => /^card\d+$/.test(name))
      .map((name) => join(root, name, 'device'))
      .filter((device) => readText(join(device, 'vendor')) === amdVendor);
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

/** What the kernel knows of each AMD GPU; boards without a product name are told by their PCI id. */
export function readAmdFacts(root = '/sys/class/drm', driverFile = '/sys/module/amdgpu/version'): GpuFact[] {
  const driver = readText(driverFile);
  return devicesOf(root).map((device, index) => ({
    index,
    name: readText(join(device, 'product_name')) || `AMD GPU ${readText(join(device, 'device')) ?? ''}`.trim(),
    totalMemoryBytes: readNumber(join(device, 'mem_info_vram_total')),
    driver: driver === '' ? null : driver,
  }));
}

/** null where there is no AMD GPU. */
export function openAmdProbe(root = '/sys/class/drm'): GpuProbe | null {
  const devices = devicesOf(root);
  if (devices.length === 0) return null;
  return {
    source: 'amdgpu power1',
    latest: () => joinGpuReadings(devices.map(readDevice)),
    stop: () => {},
  };
}
