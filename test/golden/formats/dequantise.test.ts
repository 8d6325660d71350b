// Dequantising and Q8_0 encoding against the gguf Python package (dequantise.py makes the reference).
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/core/digest.ts';
import { dequantisableTypes, dequantise } from '../../../src/formats/dequantise.ts';
import { encodeNumbers } from '../../../src/formats/gguf-writer.ts';

interface Golden {
  readonly cases: readonly { readonly type: string; readonly bytes: string; readonly values: string }[];
  readonly q8: { readonly values: string; readonly sha256: string };
}

const golden = JSON.parse(readFileSync(new URL('dequantise.golden.json', import.meta.url), 'utf8')) as Golden;
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'));
const floatsOf = (text: string) => new Float32Array(bytesOf(text).buffer);

describe('dequantise', () => {
  it.each(golden.cases.map((item) => [item.type, item] as const))('gives the reference numbers of %s', (type, item) => {
    const expected = floatsOf(item.values);
    const values = dequantise(type, bytesOf(item.bytes));
    expect(values.length).toBe(expected.length);
    // Float32 sums may round once more in one order than in the other.
    for (const [index, value] of values.entries()) expect(Math.abs(value - expected[index]!)).toBeLessThanOrEqual(Math.abs(expected[index]!) * 3e-7 + 1e-7);
  });

  it('covers every type it claims', () => {
    expect(golden.cases.map((item) => item.type).sort()).toEqual([...dequantisableTypes].sort());
  });

  it('refuses unknown types and parts of blocks', () => {
    expect(() => dequantise('IQ2_XS', new Uint8Array(74))).toThrow(/cannot be decoded/u);
    expect(() => dequantise('Q8_0', new Uint8Array(33))).toThrow(/whole number/u);
  });
});

it('encodes Q8_0 byte for byte as the reference does', () => {
  expect(sha256Hex(encodeNumbers(floatsOf(golden.q8.values), 'Q8_0', 'w'))).toBe(golden.q8.sha256);
});
