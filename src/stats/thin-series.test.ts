import fc from 'fast-check';
import { expect, test } from 'vitest';
import { thinSeries } from './thin-series.ts';

const value = fc.option(fc.integer({ min: 0, max: 1000 }), { nil: null });
const series = fc
  .array(fc.record({ rss: value, cpu: value }), { maxLength: 60 })
  .map((points) => points.map((point, atMs) => ({ atMs, ...point })));
const peak = (values: readonly (number | null)[]) => values.reduce((a, b) => (a === null ? b : b === null ? a : Math.max(a, b)), null);

test('a thinned series is short, in order, starts where the whole one starts, and keeps every peak', () => {
  fc.assert(
    fc.property(series, fc.integer({ min: 1, max: 80 }), (points, most) => {
      const thinned = thinSeries(points, most);
      expect(thinned.length).toBeLessThanOrEqual(most);
      expect(thinned[0]?.atMs).toBe(points[0]?.atMs);
      expect(thinned.map(({ atMs }) => atMs)).toEqual(thinned.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
      for (const name of ['rss', 'cpu'] as const)
        expect(peak(thinned.map((point) => point[name]))).toBe(peak(points.map((point) => point[name])));
      if (points.length <= most) expect(thinned).toBe(points);
    }),
  );
});
