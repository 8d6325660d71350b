// Watches this process itself while it measures others: event-loop lag and CPU, so that a saturated client is seen.
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

export interface LoopReading {
  /** CPU of this process, percent of one core. */
  readonly cpuPercent: number;
  /** How late timers fired beyond their resolution, ms. */
  readonly lagMs: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly durationMs: number;
}

export interface LoopMonitor {
  readonly stop: () => LoopReading;
}

const resolutionMs = 10;

export function startLoopMonitor(): LoopMonitor {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  histogram.enable();
  return {
    stop: () => {
      histogram.disable();
      const durationMs = performance.now() - startMs;
      const used = process.cpuUsage(cpu);
      // The histogram holds whole timer periods; what is above the period is lag.
      const lag = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e6 - resolutionMs) : 0);
      return {
        cpuPercent: durationMs > 0 ? (used.user + used.system) / 10 / durationMs : 0,
        lagMs: {
          p50: lag(histogram.percentile(50)),
          p99: lag(histogram.percentile(99)),
          max: histogram.count === 0 ? 0 : lag(histogram.max),
        },
        durationMs,
      };
    },
  };
}
