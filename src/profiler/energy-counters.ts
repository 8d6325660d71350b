// Energy from counters that the hardware keeps (RAPL), net of what the machine takes when idle. Without a counter nothing is guessed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface EnergyCounter {
  /** Name for the record, e.g. `RAPL package-0 + dram`. */
  readonly source: string;
  /**
   * Energy since some fixed point, joules; null when it cannot be read now. The counter starts again at its range (minutes to an hour at
   * full load), so it must be read more often than that.
   */
  readonly readJoules: () => number | null;
}

interface RaplDomain {
  readonly name: string;
  readonly path: string;
  /** null where the kernel does not tell: then a counter that started again cannot be followed. */
  readonly rangeMicrojoules: number | null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function readCount(path: string): number | null {
  const text = readText(path);
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

/** Packages, and DRAM domains that lie beside cores and GPU inside them. Sub-domains of cores are part of their package. */
function raplDomains(root: string): RaplDomain[] {
  let names: string[];
  try {
    names = readdirSync(root);
  } catch {
    return [];
  }
  const domains: RaplDomain[] = [];
  for (const entry of names.filter((name) => /^intel-rapl:\d+(:\d+)?$/.test(name)).sort()) {
    const name = readText(join(root, entry, 'name'));
    const rangeMicrojoules = readCount(join(root, entry, 'max_energy_range_uj'));
    const isOwn = name !== null && (/^package-/.test(name) || name === 'dram' || name === 'psys');
    // Only root may read the counter on most systems.
    const path = join(root, entry, 'energy_uj');
    if (isOwn && readCount(path) !== null) domains.push({ name, path, rangeMicrojoules });
  }
  // The platform counter holds everything; adding packages to it would count them twice.
  const platform = domains.filter((domain) => domain.name === 'psys');
  return platform.length > 0 ? platform : domains;
}

/** RAPL of this machine, or null where there is none or it may not be read. */
export function openRapl(root = '/sys/class/powercap'): EnergyCounter | null {
  const domains = raplDomains(root);
  if (domains.length === 0) return null;
  const last: (number | null)[] = domains.map(() => null);
  let totalMicrojoules = 0;
  let isLost = false;
  return {
    source: `RAPL ${domains.map((domain) => domain.name).join(' + ')}`,
    readJoules: () => {
      for (const [index, { path, rangeMicrojoules }] of domains.entries()) {
        const now = readCount(path);
        const before = last[index]!;
        if (now === null) return null;
        last[index] = now;
        if (before === null) continue;
        if (now < before && rangeMicrojoules === null) isLost = true;
        totalMicrojoules += now >= before ? now - before : now + (rangeMicrojoules ?? 0) - before;
      }
      return isLost ? null : totalMicrojoules / 1e6;
    },
  };
}

export interface EnergyReading {
  /** Net of idle; null where it cannot be told. */
  readonly joules: number | null;
  readonly source: string;
}

/** Counter resolution is about a millisecond; shorter measurements than this say nothing. */
const shortestMs = 200;

/** Energy of a stretch beyond what the machine would have taken idle. */
export function netEnergy(facts: {
  readonly totalJoules: number | null;
  readonly durationMs: number;
  readonly idleWatts: number | null;
  readonly source: string;
}): EnergyReading {
  const { totalJoules, durationMs, idleWatts, source } = facts;
  if (totalJoules === null || durationMs < shortestMs) return { joules: null, source: 'not available' };
  if (idleWatts === null) return { joules: totalJoules, source: `${source}, idle not deducted` };
  return { joules: Math.max(0, totalJoules - (idleWatts * durationMs) / 1000), source: `${source}, net of ${idleWatts.toFixed(1)} W idle` };
}

/** Energy of sampled power by trapezoids, joules; null without two samples. */
export function integratePower(samples: readonly { readonly atMs: number; readonly watts: number | null }[]): number | null {
  const known = samples.filter((sample): sample is { readonly atMs: number; readonly watts: number } => sample.watts !== null);
  if (known.length < 2) return null;
  let joules = 0;
  for (let index = 1; index < known.length; index++) {
    const [left, right] = [known[index - 1]!, known[index]!];
    joules += ((left.watts + right.watts) / 2) * ((right.atMs - left.atMs) / 1000);
  }
  return joules;
}
