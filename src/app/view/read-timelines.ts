// Resource timelines of a run (resources.jsonl), thinned to what a chart can show.
import { join } from 'node:path';
import type { Timeline, TimelinePoint } from '../../report/viewer/viewer-contract.ts';
import { readNewLines } from './line-tail.ts';

const mostPoints = 600;

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

function largest(left: number | null, right: number | null): number | null {
  return left === null ? right : right === null ? left : Math.max(left, right);
}

/** Each kept point is the maximum of the points it stands for: a peak must not vanish. */
function thin(points: readonly TimelinePoint[]): readonly TimelinePoint[] {
  const step = Math.ceil(points.length / mostPoints);
  if (step <= 1) return points;
  const thinned: TimelinePoint[] = [];
  for (let at = 0; at < points.length; at += step) {
    const part = points.slice(at, at + step);
    thinned.push(
      part.reduce((sum, point) => ({
        atMs: sum.atMs,
        rssBytes: largest(sum.rssBytes, point.rssBytes),
        cpuPercent: largest(sum.cpuPercent, point.cpuPercent),
        gpuMemoryBytes: largest(sum.gpuMemoryBytes, point.gpuMemoryBytes),
      })),
    );
  }
  return thinned;
}

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
    const parts = [
      String(line.model ?? 'model'),
      ...(typeof line.point === 'number' ? [`load point ${line.point + 1}`] : []),
      ...(typeof line.rep === 'number' ? [`repetition ${line.rep + 1}`] : []),
    ];
    const label = parts.join(', ');
    const points = series.get(label) ?? [];
    if (points.length === 0) series.set(label, points);
    points.push({
      atMs,
      rssBytes: numberOrNull(line.rssBytes),
      cpuPercent: numberOrNull(line.cpuPercent),
      gpuMemoryBytes: numberOrNull(line.gpuMemoryBytes),
    });
  });
  return [...series].map(([label, points]) => ({ label, points: thin(points) }));
}
