// Cases for lenient-json: what each form is read as, and what it must not be read as.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSchema } from './check-schema.ts';
import { extractAnswer } from './extract-answer.ts';
import { parseLenientJson } from './lenient-json.ts';

const document = { name: 'Ann "A" O\'Neil', age: -1.5e3, tags: ['x', { deep: [null, true, false, [], {}] }], ключ: 'é\n\u2028', empty: '' };

describe('parseLenientJson', () => {
  it('reads every document that JSON.parse reads, to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.boolean(), (value, indent) => {
        const text = JSON.stringify(value, null, indent ? 2 : 0);
        const parsed = parseLenientJson(text);
        expect(parsed).toEqual({ value: JSON.parse(text), end: text.length, truncated: false, repaired: false });
      }),
      { numRuns: 500, seed: 7 },
    );
  });
  it('recovers a value from every prefix of a document, never an exception', () => {
    const text = JSON.stringify(document, null, 1);
    for (let length = 0; length <= text.length; length++) {
      const read = extractAnswer(text.slice(0, length), { kind: 'json' }, { finishReason: length < text.length ? 'length' : 'stop' });
      if (length === 0) expect(read.value).toBeNull();
      else if (length < text.length) expect(read, String(length)).toMatchObject({ rule: 'whole-truncated', reason: null });
      else expect(JSON.parse(read.value!)).toEqual(document);
    }
  });
  it('recovers what stood before the cut', () => {
    expect(parseLenientJson('{"a": 1, "b": [2, {"c": "thr')?.value).toEqual({ a: 1, b: [2, { c: 'thr' }] });
    expect(parseLenientJson('{"a": tru')?.value).toEqual({});
    expect(parseLenientJson('{"a": "\\u00')?.value).toEqual({ a: '' });
  });
  it('repairs quotes, commas, comments, bare keys and literals of Python', () => {
    const texts = ["{'a': 'b'}", '{"a": "b",}', '{a: "b"}', '{"a": /* x */ "b"}', '// x\n{"a": "b"}', '{“a”: “b”}', '{"a": "b" "c": None}'];
    for (const text of texts) {
      const parsed = parseLenientJson(text);
      expect(parsed?.repaired, text).toBe(true);
      expect(parsed?.value, text).toMatchObject({ a: 'b' });
    }
  });
  it('reads no value into what is none', () => {
    for (const text of ['', 'words', '}', '{"a" 1}', '{,}', '[1}', ':'])
      expect(parseLenientJson(text)?.truncated !== false || parseLenientJson(text) === undefined, text).toBe(true);
  });
  it('keeps keys such as __proto__ as data', () => {
    const value = parseLenientJson('{"__proto__": {"polluted": true}}')!.value as object;
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('checkSchema', () => {
  const schema = {
    type: 'object',
    required: ['name', 'tags'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1 },
      age: { type: 'integer', minimum: 0 },
      tags: { type: 'array', items: { $ref: '#/$defs/tag' }, maxItems: 2 },
      kind: { enum: ['a', 'b'] },
      any: { anyOf: [{ type: 'null' }, { const: 1 }] },
    },
    $defs: { tag: { type: 'string', pattern: '^[a-z]+$' } },
  };
  it.each([
    [{ name: 'x', tags: [] }, null],
    [{ name: 'x', tags: ['ok'], age: 3, kind: 'a', any: null }, null],
    [{ tags: [] }, '/name is missing'],
    [{ name: 1, tags: [] }, '/name must be string, is number'],
    [{ name: 'x', tags: ['OK'] }, '/tags/0 must match ^[a-z]+$'],
    [{ name: 'x', tags: ['a', 'b', 'c'] }, '/tags must have at most 2 items'],
    [{ name: 'x', tags: [], age: 1.5 }, '/age must be integer, is number'],
    [{ name: 'x', tags: [], age: -1 }, '/age must be at least 0'],
    [{ name: 'x', tags: [], kind: 'c' }, '/kind must be one of ["a","b"]'],
    [{ name: 'x', tags: [], any: 2 }, '/any fits no alternative'],
    [{ name: 'x', tags: [], more: 1 }, '/more is not a known key'],
    [[], '/ must be object, is array'],
  ])('%j gives %s', (value, problem) => {
    expect(checkSchema(value, schema)).toBe(problem);
  });
});
