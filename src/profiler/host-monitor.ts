// What else went on on this machine during a measurement: CPU of others, time stolen by the hypervisor, clock steps, thermal throttling.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export interface HostReading {
  /** Cores that were busy with anything; null where /proc/stat is not there. */
  readonly busyCores: number | null;
  readonly stealShare: number | null;
  readonly cores: number;
  /** Largest change of the wall clock against the monotonic clock, ms, sign kept. */
  readonly clockStepMs: number;
  readonly throttleEvents: number | null;
  readonly durationMs: number;
}

export interface HostMonitor {
  readonly stop: () => HostReading;
}

export interface HostClocks {
  readonly wallMs: () => number;
  readonly monotonicMs: () => number;
}

interface CpuTicks {
  readonly busy: number;
  readonly steal: number;
  readonly total: number;
}

/** The first line of /proc/stat: user nice system idle iowait irq softirq steal. Guest time is part of user. */
export function parseCpuTicks(text: string): CpuTicks | null {
  const match = /^cpu\s+([\d ]+)/m.exec(text);
  if (match === null) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0] = match[1]!.trim().split(/\s+/).map(Number);
  const busy = user + nice + system + irq + soft;
  return { busy, steal, total: busy + idle + wait + steal };
}

function readTicks(): CpuTicks | null {
  try {
    return parseCpuTicks(readFileSync('/proc/stat', 'utf8'));
  } catch {
    return null;
  }
}

/** Throttle events of all cores since boot; null where the kernel does not count them (virtual machines, other systems). */
function readThrottleEvents(): number | null {
  let total: number | null = null;
  try {
    for (const name of readdirSync('/sys/devices/system/cpu')) {
      if (!/^cpu\d+$/.test(name)) continue;
      const text = readFileSync(`/sys/devices/system/cpu/${name}/thermal_throttle/core_throttle_count`, 'utf8');
      total = (total ?? 0) + Number(text);
    }
  } catch {
    return total;
  }
  return total;
}

const systemClocks: HostClocks = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };
const clockCheckMs = 500;

export function startHostMonitor(clocks: HostClocks = systemClocks): HostMonitor {
  const ticks = readTicks();
  const throttled = readThrottleEvents();
  const startMs = clocks.monotonicMs();
  const offset = clocks.wallMs() - startMs;
  let step = 0;
  const check = (): void => {
    const now = clocks.wallMs() - clocks.monotonicMs() - offset;
    if (Math.abs(now) > Math.abs(step)) step = now;
  };
  const timer = setInterval(check, clockCheckMs);
  timer.unref();
  return {
    stop: () => {
      clearInterval(timer);
      check();
      const end = readTicks();
      const cores = availableParallelism();
      const elapsed = ticks === null || end === null ? 0 : end.total - ticks.total;
      const after = readThrottleEvents();
      return {
        busyCores: elapsed <= 0 ? null : ((end!.busy - ticks!.busy) / elapsed) * cores,
        stealShare: elapsed <= 0 ? null : (end!.steal - ticks!.steal) / elapsed,
        cores,
        clockStepMs: step,
        throttleEvents: throttled === null || after === null ? null : after - throttled,
        durationMs: clocks.monotonicMs() - startMs,
      };
    },
  };
}
