// The timeline of one measured phase as lines of resources.jsonl.
import type { ResourceSample } from '../../core/ports/meter.ts';

export interface MeteredPhase {
  readonly lines: readonly string[];
}

export function describeMetered(model: string, point: number, repetition: number, samples: readonly ResourceSample[]): MeteredPhase {
  const round = (value: number | null | undefined, digits: number): number | undefined =>
    value === null || value === undefined ? undefined : Number(value.toFixed(digits));
  return {
    lines: samples.map((sample) =>
      JSON.stringify({
        model,
        point,
        rep: repetition,
        atMs: round(sample.atMs, 1),
        rssBytes: sample.rssBytes ?? undefined,
        pssBytes: sample.pssBytes ?? undefined,
        cpuPercent: round(sample.cpuPercent, 1),
        threads: sample.threads ?? undefined,
        majorFaults: sample.majorFaults ?? undefined,
        gpuMemoryBytes: sample.gpuMemoryBytes ?? undefined,
        gpuUtilisationPercent: sample.gpuUtilisationPercent ?? undefined,
        powerWatts: round(sample.powerWatts, 2),
      }),
    ),
  };
}
