// Fewer points of a measured series, without losing a peak.

/** One moment of a series: its time, and what was measured then. */
export type SeriesPoint = { readonly atMs: number } & Readonly<Record<string, number | null>>;

function largest(left: number | null, right: number | null): number | null {
  return left === null ? right : right === null ? left : Math.max(left, right);
}

/**
 * At most `most` points. Each stands for the points up to the next one and holds the largest of every figure among them.
 * @param points - in order of time, all with the same figures
 */
export function thinSeries<Point extends SeriesPoint>(points: readonly Point[], most: number): readonly Point[] {
  const step = Math.ceil(points.length / most);
  if (step <= 1) return points;
  const thinned: Point[] = [];
  for (let at = 0; at < points.length; at += step) {
    const part = points.slice(at, at + step);
    const merged: Record<string, number | null> = { ...part[0]! };
    for (const point of part) for (const name in point) if (name !== 'atMs') merged[name] = largest(merged[name] ?? null, point[name]!);
    thinned.push(merged as Point);
  }
  return thinned;
}
