// Resource timelines of a run (resources.jsonl), thinned to what a chart can show.
import { join } from 'node:path';
import type { Timeline, TimelinePoint } from '../../report/report-input.ts';
import { thinSeries } from '../../stats/thin-series.ts';
import { readNewLines } from './line-tail.ts';

/** Points of one curve: as many as a chart has room for. */
const mostPoints = 240;

interface Line {
  readonly model?: unknown;
  readonly point?: unknown;
  readonly rep?: unknown;
  readonly atMs?: unknown;
  readonly rssBytes?: unknown;
  readonly cpuPercent?: unknown;
  readonly gpuMemoryBytes?: unknown;
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null);

/** None where the run was not profiled. */
export async function readTimelines(folder: string): Promise<readonly Timeline[]> {
  const series = new Map<string, TimelinePoint[]>();
  await readNewLines(join(folder, 'resources.jsonl'), 0, (text) => {
    let line: Line;
    try {
      line = JSON.parse(text) as Line;
    } catch {
      return;
    }
    const atMs = numberOrNull(line?.atMs);
    if (atMs === null) return;
    const label = JSON.stringify([String(line.model ?? 'model'), ...[line.point, line.rep].map(numberOrNull)]);
    const points = series.get(label) ?? [];
    if (points.length === 0) series.set(label, points);
    points.push({
      atMs,
      rssBytes: numberOrNull(line.rssBytes),
      cpuPercent: numberOrNull(line.cpuPercent),
      gpuMemoryBytes: numberOrNull(line.gpuMemoryBytes),
    });
  });
  const keys = [...series.keys()].map((key) => JSON.parse(key) as Key);
  return [...series.values()].map((points, at) => ({ label: labelOf(keys[at]!, keys), points: thinSeries(points, mostPoints) }));
}

type Key = readonly [model: string, point: number | null, repetition: number | null];

/** Names only what differs between the series. */
function labelOf(key: Key, all: readonly Key[]): string {
  const [model, point, repetition] = key;
  const differs = (part: 0 | 1 | 2): boolean => new Set(all.map((one) => one[part])).size > 1;
  const parts = [
    ...(point !== null && differs(1) ? [`load ${point + 1}`] : []),
    ...(repetition !== null && differs(2) ? [`repetition ${repetition + 1}`] : []),
    ...(differs(0) ? [model] : []),
  ];
  return parts.length === 0 ? model : parts.join(', ');
}
