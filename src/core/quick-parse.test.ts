// The quick parser must give exactly what the schema gives, for whole rows and records and for anything near them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type PredictionRow, predictionRowSchema } from './prediction.ts';
import { quickParser } from './quick-parse.ts';

type Outcome = { readonly value: unknown } | { readonly message: string };

function outcomeOf(parse: (value: unknown) => unknown, value: unknown): Outcome {
  try {
    return { value: parse(value) };
  } catch (error) {
    return { message: (error as Error).message };
  }
}

/** Counts how often the schema itself was asked. */
function counted<T>(schema: z.ZodType<T>) {
  let asked = 0;
  const parse = quickParser(
    new Proxy(schema, {
      get: (target, key) => {
        if (key === 'parse') asked++;
        const member: unknown = Reflect.get(target, key);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    }),
  );
  return { parse, asked: () => asked };
}

const row: PredictionRow = {
  model: 'm',
  task: 't',
  id: 'a1',
  repeat: 0,
  instruction: 'Is it good?',
  label: 'yes',
  gold: [1],
  prediction: null,
  outcome: { kind: 'invalid', reason: 'empty', detail: 'nothing' },
  raw: '',
  reasoning: null,
  cleaned: null,
  extractedBy: null,
  finishReason: 'stop',
  usage: { promptTokens: 3, cachedTokens: null, completionTokens: 0, reasoningTokens: null, source: 'engine', computedTokens: null },
  timing: { queuedMs: 0, ttftMs: 1.5, ttfaMs: null, totalMs: 2, tpotMs: null, prefillMs: 1 },
  origin: 'fresh',
  warnings: ['w'],
  choices: [{ text: 'a', logprob: -1.5, tokens: 1, greedy: true }],
  grades: [{ grader: 'g', score: null }],
  extra: { any: [1, { deep: null }], more: 'x' },
};

const schemas: Readonly<Record<string, z.ZodType>> = {
  row: predictionRowSchema,
  numbers: z.strictObject({ a: z.number(), b: z.number().int().nonnegative(), c: z.number().gt(0).max(1), d: z.int() }),
  open: z.object({ a: z.string() }),
  loose: z.looseObject({ a: z.string() }),
  defaulted: z.strictObject({ a: z.string().default('x'), b: z.number().optional() }),
  refined: z.strictObject({ a: z.string().min(2), b: z.string().transform((text) => text.length) }),
  checked: z.strictObject({ a: z.string(), b: z.string() }).refine(({ a, b }) => a !== b, 'the same'),
  record: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  keys: z.record(z.enum(['a', 'b']), z.number()),
  json: z.json(),
  either: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('a') }),
    z.strictObject({ kind: z.literal('b'), x: z.array(z.boolean()) }),
  ]),
};

/** Values near the schemas: their own names as keys, their kinds of values, and names that every object has. */
const name = fc.constantFrom('a', 'b', 'c', 'd', 'x', 'kind', '__proto__', 'constructor', 'toString', 'id', 'usage', 'extra');
const leaf = fc.oneof(
  fc.constantFrom('a', 'b', '', 'xy', null, true, false, 0, -0, 1, -1, 0.5, 2 ** 53, 1e300),
  fc.string({ maxLength: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const near = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    // Through text, as every value of a file comes: then `__proto__` is a member like any other.
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map((members) => JSON.parse(`{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`)),
  ),
})).value;

describe('a quick parser', () => {
  test.each(Object.entries(schemas))('gives what the schema %s gives', (_, schema) => {
    const parse = quickParser(schema);
    fc.assert(
      fc.property(near, (value) => {
        expect(outcomeOf(parse, value)).toEqual(outcomeOf((one) => schema.parse(one), value));
      }),
      { numRuns: 400 },
    );
  });

  test('gives what the schema gives for rows with anything changed, added or taken out', () => {
    const parse = quickParser(predictionRowSchema);
    const paths: (readonly string[])[] = Object.entries(row).flatMap(([key, value]) => [
      [key],
      ...(value !== null && typeof value === 'object' ? Object.keys(value).map((inner) => [key, inner]) : []),
    ]);
    fc.assert(
      fc.property(
        fc.constantFrom(...paths, ['new'], ['usage', 'new'], ['__proto__']),
        fc.option(near, { nil: undefined }),
        (path, value) => {
          const changed = structuredClone(row) as unknown as Record<string, unknown>;
          const holder = path.length === 1 ? changed : (changed[path[0]!] as Record<string, unknown>);
          if (value === undefined) delete holder[path.at(-1)!];
          else Object.defineProperty(holder, path.at(-1)!, { value, enumerable: true, configurable: true, writable: true });
          const read: unknown = JSON.parse(JSON.stringify(changed));
          expect(outcomeOf(parse, read)).toEqual(outcomeOf((one) => predictionRowSchema.parse(one), read));
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('does not ask the schema for a row that fits, and asks it for one that does not', () => {
    const { parse, asked } = counted(predictionRowSchema);
    expect(parse(row)).toBe(row);
    expect(asked()).toBe(0);
    expect(() => parse({ ...row, repeat: -1 })).toThrow(/repeat/);
    expect(asked()).toBe(1);
  });
});
