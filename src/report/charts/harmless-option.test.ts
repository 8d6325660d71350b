import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harmlessOption } from './harmless-option.ts';

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype)),
      fc.constantFrom(' ', '\n', ':', '{a|', '}', '…'),
      fc.string({ maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(''));

test('no whole word of any text is the name of something that every object inherits, and nothing visible changes', () => {
  fc.assert(
    fc.property(text, (name) => {
      const [drawn, returned] = [harmlessOption(name), harmlessOption({ formatter: () => [name] }).formatter()[0]!];
      expect(returned).toBe(drawn);
      expect(drawn.replaceAll('\u2060', '')).toBe(name.replaceAll('\u2060', ''));
      for (const word of [drawn, ...drawn.split(/[^\w$\u2060]+/)]) expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain(word);
    }),
  );
});

test('numbers, members and foreign objects are left as they are', () => {
  const date = new Date(0);
  const option = { constructor: 1, list: [1, null, undefined], date, text: 'plain' };
  expect(harmlessOption(option)).toEqual(option);
  expect(harmlessOption(option).date).toBe(date);
});
