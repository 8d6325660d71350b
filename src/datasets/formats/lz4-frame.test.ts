// LZ4 frames written by another implementation, and damaged ones: an error, never wrong bytes in silence or an endless loop.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeLz4Frame } from './lz4-frame.ts';

const frame = new Uint8Array(readFileSync(fileURLToPath(new URL('../__fixtures__/text.lz4', import.meta.url))));
const text = Array.from({ length: 14_000 }, (_, index) => `alpha beta ${Math.floor(index / 700)} `).join('');

test('several linked blocks with overlapping matches', () => {
  expect(text.length).toBeGreaterThan(2 * 65_536);
  expect(Buffer.from(decodeLz4Frame(frame)).toString()).toBe(text);
});

test('stored blocks, the content size and block checksums are understood', () => {
  const size = [3, 0, 0, 0, 0, 0, 0, 0];
  const bytes = Uint8Array.of(0x04, 0x22, 0x4d, 0x18, 0x78, 0x40, ...size, 0, 3, 0, 0, 0x80, 97, 98, 99, 1, 2, 3, 4, 0, 0, 0, 0);
  expect(Buffer.from(decodeLz4Frame(bytes)).toString()).toBe('abc');
});

test('every cut is an error', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: frame.length - 9 }), (end) => {
      expect(() => decodeLz4Frame(frame.subarray(0, end))).toThrow();
    }),
  );
});

test('changed bytes end in an error or some text, within the size of the blocks', () => {
  fc.assert(
    fc.property(fc.integer({ min: 7, max: frame.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const damaged = frame.slice();
      damaged[at]! ^= change;
      try {
        expect(decodeLz4Frame(damaged).length).toBeLessThan(4 * 65_536 * 2);
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(Error);
      }
    }),
  );
});
