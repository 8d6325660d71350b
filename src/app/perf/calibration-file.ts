// What `perf calibrate` found out about this client on this machine, kept in the cache folder.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

export const calibrationSchema = z.strictObject({
  schema: z.literal('slmbench/calibration/1'),
  measuredAt: z.string(),
  node: z.string(),
  /** Streamed chunks that this client takes per second at most. */
  chunksPerSecond: z.number().positive(),
  requestsPerSecond: z.number().positive(),
  chunksPerRequest: z.number().int(),
  cpuMicrosPerChunk: z.number(),
  /** TTFT that the client sees beyond what the mock took, ms. */
  addedTtftMs: z.strictObject({ p50: z.number(), p99: z.number() }),
  /** Mean gap seen over the mock's true gap, minus 1. */
  gapError: z.number(),
});
export type Calibration = z.infer<typeof calibrationSchema>;

const fileName = 'perf-calibration.json';

/** null where none was made, or by another version of Node or of the file. */
export async function readCalibration(cacheDirectory: string): Promise<Calibration | null> {
  const text = await readFile(join(cacheDirectory, fileName), 'utf8').catch(() => null);
  if (text === null) return null;
  const parsed = calibrationSchema.safeParse(safeJson(text));
  return parsed.success && parsed.data.node === process.versions.node ? parsed.data : null;
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export async function writeCalibration(cacheDirectory: string, calibration: Calibration): Promise<string> {
  await mkdir(cacheDirectory, { recursive: true });
  const path = join(cacheDirectory, fileName);
  await writeFile(path, `${JSON.stringify(calibration, null, 2)}\n`);
  return path;
}
