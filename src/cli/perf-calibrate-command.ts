// `slmbench perf calibrate`: the ceiling of this client, kept for later runs.
import { calibrate } from '../app/perf/calibrate.ts';
import type { PerfFlags } from './verbs/perf.ts';

export async function perfCalibrateCommand(flags: PerfFlags): Promise<number> {
  const { calibration, path } = await calibrate();
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify(calibration, null, 2)}\n`);
    return 0;
  }
  const { chunksPerSecond, requestsPerSecond, chunksPerRequest, cpuMicrosPerChunk, addedTtftMs, gapError } = calibration;
  process.stdout.write(
    [
      `ceiling: ${chunksPerSecond.toFixed(0)} chunks/s (${requestsPerSecond.toFixed(0)} requests/s of ${chunksPerRequest} chunks), ${cpuMicrosPerChunk.toFixed(1)} us CPU per chunk`,
      `added to TTFT: ${addedTtftMs.p50.toFixed(2)} ms (p50), ${addedTtftMs.p99.toFixed(2)} ms (p99) at 32 streams of 100 tok/s; mean gap ${(gapError * 100).toFixed(2)} % off`,
      'runs above half of the ceiling are marked client-saturated',
      `kept in ${path}`,
      '',
    ].join('\n'),
  );
  return 0;
}
