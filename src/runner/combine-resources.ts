// Joins resource summaries of several stretches of one model into one: peaks of peaks, means weighted by samples.
import type { ResourceSummary } from '../core/record.ts';

/** Null when nothing was measured. */
export function combineResources(parts: readonly (ResourceSummary | null)[]): ResourceSummary | null {
  const known = parts.filter((part) => part !== null);
  const first = known[0];
  if (first === undefined || known.length === 1) return first ?? null;
  const mean = (key: 'meanRssBytes' | 'meanCpuPercent' | 'meanGpuUtilisationPercent' | 'overheadCpuPercent'): number | null => {
    let sum = 0;
    let weight = 0;
    for (const part of known) {
      const value = part[key];
      if (value === null) continue;
      sum += value * part.samples;
      weight += part.samples;
    }
    return weight === 0 ? null : sum / weight;
  };
  const all = (key: keyof ResourceSummary): number[] => known.map((part) => part[key]).filter((value) => typeof value === 'number');
  const highest = (key: keyof ResourceSummary): number | null => (all(key).length === 0 ? null : Math.max(...all(key)));
  const joules = all('energyJoules');
  return {
    samples: all('samples').reduce((sum, value) => sum + value, 0),
    intervalMs: first.intervalMs,
    idleRssBytes: all('idleRssBytes')[0] ?? null,
    meanRssBytes: mean('meanRssBytes'),
    peakRssBytes: highest('peakRssBytes'),
    kernelPeakRssBytes: highest('kernelPeakRssBytes'),
    meanCpuPercent: mean('meanCpuPercent'),
    peakCpuPercent: highest('peakCpuPercent'),
    peakGpuMemoryBytes: highest('peakGpuMemoryBytes'),
    meanGpuUtilisationPercent: mean('meanGpuUtilisationPercent'),
    // A sum over some stretches only would be too small.
    energyJoules: joules.length === known.length ? joules.reduce((sum, value) => sum + value, 0) : null,
    energySource: first.energySource,
    overheadCpuPercent: mean('overheadCpuPercent'),
  };
}
