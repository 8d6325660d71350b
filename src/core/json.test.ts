import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf } from './digest.ts';
import { canonicalJson } from './json.ts';

test('key order does not change the digest, content does', () => {
  expect(digestOf({ b: 1, a: [1, { y: 2, x: 3 }] })).toBe(digestOf({ a: [1, { x: 3, y: 2 }], b: 1 }));
  expect(digestOf({ a: 1 })).not.toBe(digestOf({ a: '1' }));
});

test('numbers that JSON lacks are refused', () => {
  expect(() => canonicalJson({ a: Number.NaN })).toThrow(/NaN/);
  expect(() => canonicalJson([Number.POSITIVE_INFINITY])).toThrow(/Infinity/);
});

test('canonical text parses back to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
