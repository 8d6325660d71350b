// Half precision against the platform's own conversion.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromBfloat16Bits, fromFloat16Bits, toFloat16Bits } from './float16.ts';

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
  for (let bits = 0; bits < 65536; bits++) {
    const value = fromFloat16Bits(bits);
    if (!Number.isNaN(value)) expect(toFloat16Bits(value)).toBe(bits);
  }
  expect(fromBfloat16Bits(0x3f80)).toBe(1);
  expect(fromBfloat16Bits(0xc000)).toBe(-2);
});
