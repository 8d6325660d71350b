// What a watch has seen: one line for each measured model and task, appended for good, and the time of the last tick.
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, ToolError } from '../../core/errors.ts';

export const historyEntrySchema = z.strictObject({
  at: z.string(),
  runId: z.string(),
  model: z.string(),
  task: z.string(),
  /** Digest of everything that can change the result; null where a server does not tell what it runs. */
  fingerprint: z.string().nullable(),
  /** Content of the model as its source or server names it: how a moving tag is seen to move. */
  modelDigest: z.string().nullable(),
  metric: z.string(),
  higherIsBetter: z.boolean(),
  value: z.number().nullable(),
  low: z.number().nullable(),
  high: z.number().nullable(),
  n: z.number().int(),
  latencyMs: z.number().nullable(),
  status: z.enum(['complete', 'partial', 'failed']),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

const tickSchema = z.strictObject({ tick: z.string(), stale: z.number().int(), alarms: z.number().int() });
export type Tick = z.infer<typeof tickSchema>;

export interface WatchHistory {
  readonly entries: readonly HistoryEntry[];
  readonly ticks: readonly Tick[];
}

function historyFile(folder: string): string {
  return join(folder, 'history.jsonl');
}

/** @throws ToolError `integrity` for a damaged line, with the place of it */
export function parseHistory(lines: readonly string[], place: string): WatchHistory {
  const entries: HistoryEntry[] = [];
  const ticks: Tick[] = [];
  for (const [index, line] of lines.entries()) {
    if (line === '') continue;
    try {
      const value: unknown = JSON.parse(line);
      if ((value as { tick?: unknown }).tick === undefined) entries.push(historyEntrySchema.parse(value));
      else ticks.push(tickSchema.parse(value));
    } catch (cause) {
      throw new ToolError('integrity', `${place}:${index + 1}: damaged line: ${messageOf(cause)}`, {
        cause,
        location: { file: place, line: index + 1 },
      });
    }
  }
  return { entries, ticks };
}

/** A torn last line, left by a kill, is passed over. @throws ToolError `integrity` for damage elsewhere */
export async function readHistory(folder: string): Promise<WatchHistory> {
  const path = historyFile(folder);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new ToolError('storage', `cannot read ${path}: ${error.message}`, { cause: error });
  });
  // What follows the last line end is torn, or empty.
  return parseHistory(text.split('\n').slice(0, -1), path);
}

export async function appendHistory(folder: string, values: readonly (HistoryEntry | Tick)[]): Promise<void> {
  const path = historyFile(folder);
  try {
    await mkdir(folder, { recursive: true });
    const before = await readFile(path, 'utf8').catch(() => '');
    const gap = before === '' || before.endsWith('\n') ? '' : '\n';
    await appendFile(path, `${gap}${values.map((value) => `${JSON.stringify(value)}\n`).join('')}`);
  } catch (cause) {
    throw new ToolError('storage', `cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** Entries of one model and task, oldest first. */
export function seriesOf({ entries }: WatchHistory, model: string, task: string): readonly HistoryEntry[] {
  return entries.filter((entry) => entry.model === model && entry.task === task);
}
