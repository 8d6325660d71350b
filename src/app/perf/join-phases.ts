// What client, host and model did in several repetitions of one load point: the worst of each, so that no fault is averaged away.
import type { ResourceSummary } from '../../core/record.ts';
import type { ClientFacts, HostFacts, WarmUpFacts } from './perf-schema.ts';

function worst(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

export function joinClients(clients: readonly ClientFacts[]): ClientFacts {
  return {
    cpuPercent: worst(clients.map((client) => client.cpuPercent)) ?? 0,
    loopLagMs: {
      p50: worst(clients.map((client) => client.loopLagMs.p50)) ?? 0,
      p99: worst(clients.map((client) => client.loopLagMs.p99)) ?? 0,
      max: worst(clients.map((client) => client.loopLagMs.max)) ?? 0,
    },
    sendLagP99Ms: worst(clients.map((client) => client.sendLagP99Ms)),
    chunksPerSecond: worst(clients.map((client) => client.chunksPerSecond)),
    ceilingShare: worst(clients.map((client) => client.ceilingShare)),
  };
}

export function joinHosts(hosts: readonly HostFacts[]): HostFacts {
  return {
    foreignCores: worst(hosts.map((host) => host.foreignCores)),
    stealShare: worst(hosts.map((host) => host.stealShare)),
    cores: hosts[0]?.cores ?? 1,
    clockStepMs: hosts.reduce((most, host) => (Math.abs(host.clockStepMs) > Math.abs(most) ? host.clockStepMs : most), 0),
    throttleEvents: worst(hosts.map((host) => host.throttleEvents)),
  };
}

export function joinResources(all: readonly (ResourceSummary | null)[]): ResourceSummary | null {
  const known = all.filter((resources) => resources !== null);
  const last = known.at(-1);
  if (last === undefined) return null;
  const energies = known.map((resources) => resources.energyJoules);
  return {
    ...last,
    samples: known.reduce((sum, resources) => sum + resources.samples, 0),
    peakRssBytes: worst(known.map((resources) => resources.peakRssBytes)),
    kernelPeakRssBytes: worst(known.map((resources) => resources.kernelPeakRssBytes)),
    peakCpuPercent: worst(known.map((resources) => resources.peakCpuPercent)),
    peakGpuMemoryBytes: worst(known.map((resources) => resources.peakGpuMemoryBytes)),
    energyJoules: energies.some((energy) => energy === null) ? null : energies.reduce<number>((sum, energy) => sum + energy!, 0),
  };
}

/** A point that was measured in several sessions was warmed up in each. */
export function joinWarmUps(all: readonly (WarmUpFacts | null)[]): WarmUpFacts {
  const known = all.filter((facts) => facts !== null);
  return {
    requests: known.reduce((sum, facts) => sum + facts.requests, 0),
    roundsMs: known.flatMap((facts) => facts.roundsMs),
    stable: known.length > 0 && known.every((facts) => facts.stable),
  };
}
