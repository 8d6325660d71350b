import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchCapacity } from './search-capacity.ts';

test('the most users under any limit are found, and no more loads are tried than needed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 20 }), async (limit, start) => {
      const found = await searchCapacity({ start, max: 128, isInteger: true, precision: 0 }, async (users) => users <= limit);
      expect(found.highest).toBe(limit === 0 ? null : Math.min(limit, 128));
      expect(found.tried.length).toBeLessThan(24);
    }),
  );
});

test('a rate is found within the precision, also far below the start', async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0.05, max: 60, noNaN: true }), async (limit) => {
      const { highest } = await searchCapacity({ start: 1, max: 64, isInteger: false, precision: 0.1 }, async (rate) => rate <= limit);
      expect(highest).not.toBeNull();
      expect(highest!).toBeLessThanOrEqual(limit);
      expect(highest!).toBeGreaterThan(limit * 0.85);
    }),
  );
});
