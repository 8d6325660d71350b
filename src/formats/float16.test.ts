// Half precision against the platform's own conversion.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromBfloat16Bits, fromFloat16Bits, toFloat16Bits, toFloat16Bytes } from './float16.ts';

it('rounds as DataView.setFloat16 does', () => {
  const view = new DataView(new ArrayBuffer(2)) as DataView & { setFloat16(at: number, value: number): void };
  fc.assert(
    fc.property(
      fc.float({ noNaN: true }),
      fc.double({ min: -70000, max: 70000, noNaN: true }),
      fc.double({ min: -1e-4, max: 1e-4, noNaN: true }),
      (...values) => {
        for (const value of values.map(Math.fround)) {
          view.setFloat16(0, value);
          expect(toFloat16Bits(value)).toBe(view.getUint16(0));
        }
      },
    ),
    { numRuns: 2000 },
  );
});

it('reads back every half, and bfloat16', () => {
  const wrong = Array.from({ length: 65536 }, (_, bits) => bits).filter((bits) => {
    const value = fromFloat16Bits(bits);
    return !Number.isNaN(value) && toFloat16Bits(value) !== bits;
  });
  expect(wrong).toEqual([]);
  expect(fromBfloat16Bits(0x3f80)).toBe(1);
  expect(fromBfloat16Bits(0xc000)).toBe(-2);
});

it('converts many as it converts one', () => {
  const values = new Float32Array([0, -0, 1, 65504, 65520, 1e-8, 6e-8, 0.1, -2.5, Number.POSITIVE_INFINITY]);
  expect([...new Uint16Array(toFloat16Bytes(values).buffer)]).toEqual([...values].map(toFloat16Bits));
});
