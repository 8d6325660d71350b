import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countNames, memberOf } from './count-names.ts';

/** Names as data and users give them, among them those that every object has. */
const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'length', '0', ''),
  fc.string({ maxLength: 4 }),
);

test('every name is counted as often as it occurs, whatever it is, and comes back from JSON', () => {
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const counts = countNames(names);
      const read = JSON.parse(JSON.stringify(counts)) as Record<string, number>;
      for (const one of new Set(names)) {
        const times = names.filter((other) => other === one).length;
        expect(memberOf(counts, one)).toBe(times);
        expect(memberOf(read, one)).toBe(times);
      }
      expect(Object.keys(counts)).toHaveLength(new Set(names).size);
      expect(Object.getPrototypeOf(counts)).toBe(Object.prototype);
    }),
  );
});

test('a name that is not there has no member, also one that every object inherits', () => {
  fc.assert(
    fc.property(fc.array(name), name, (names, asked) => {
      fc.pre(!names.includes(asked));
      expect(memberOf(countNames(names), asked)).toBeUndefined();
    }),
  );
  expect(memberOf(undefined, 'x')).toBeUndefined();
});
