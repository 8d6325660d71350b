// At the border every value becomes plain JSON: no BigInt, no Date, no undefined, no NaN, no typed arrays.
import type { Json, JsonObject } from '../core/json.ts';

/**
 * Plain JSON of any value a reader yields. Whole numbers beyond 2^53 become text, dates ISO 8601 text, missing and NaN null,
 * bytes base64 text. A key such as `__proto__` is an ordinary key.
 */
export function normaliseValue(value: unknown): Json {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? (Object.is(value, -0) ? 0 : value) : null;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
    case 'object':
      return value === null ? null : normaliseObject(value);
    default:
      return null;
  }
}

function normaliseObject(value: object): Json {
  if (Array.isArray(value)) return value.map(normaliseValue);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number | bigint>, normaliseValue);
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), normaliseValue(item)]));
  return normaliseFields(value as Readonly<Record<string, unknown>>);
}

/** The same for the columns of one row. */
export function normaliseFields(fields: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, normaliseValue(value)]));
}
