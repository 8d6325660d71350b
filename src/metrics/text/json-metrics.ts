// Metrics for structured output: is it JSON, and does it match a schema.
import Ajv2020Module from 'ajv/dist/2020.js';
import { z } from 'zod';
import { ToolError } from '../../core/errors.ts';
import type { Metric } from '../../core/metric.ts';
import { defineMeanMetric } from './mean-metric.ts';
import { answerOf } from './row-text.ts';

// ajv is CommonJS: under Node's ESM rules its class is the `default` member of what is imported.
const Ajv2020 = Ajv2020Module.default;

/** The value of a JSON text (RFC 8259: no NaN, no comments), or undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const jsonValidMetric = defineMeanMetric({
  name: 'json_valid',
  version: '1',
  title: 'Valid JSON',
  description: 'Share of answers that are one JSON value (RFC 8259).',
  options: z.strictObject({ objectOnly: z.boolean().default(false) }),
  prepare: ({ objectOnly }) => ({
    score: (row) => {
      const answer = answerOf(row);
      const value = answer === null ? undefined : parseJson(answer);
      return Number(objectOnly ? typeof value === 'object' && value !== null && !Array.isArray(value) : value !== undefined);
    },
    signature: objectOnly ? 'object' : 'any',
  }),
});

/**
 * @throws ToolError `config` for a schema that is none
 */
export function compileJsonSchema(schema: unknown): (value: unknown) => boolean {
  try {
    const validate = new Ajv2020({ strict: false, allErrors: false, validateFormats: false }).compile(schema as object | boolean);
    return (value) => validate(value) === true;
  } catch (cause) {
    throw new ToolError('config', `metric json_schema: not a JSON Schema: ${cause instanceof Error ? cause.message : String(cause)}`, {
      hint: 'write it in draft 2020-12',
      cause,
    });
  }
}

const jsonSchemaMetric = defineMeanMetric({
  name: 'json_schema',
  version: '1',
  title: 'JSON matches schema',
  description: 'Share of answers that are JSON and match `schema` (JSON Schema, draft 2020-12; formats are not checked).',
  options: z.strictObject({ schema: z.union([z.record(z.string(), z.unknown()), z.boolean()]) }),
  prepare: ({ schema }) => {
    const matches = compileJsonSchema(schema);
    return {
      score: (row) => {
        const answer = answerOf(row);
        const value = answer === null ? undefined : parseJson(answer);
        return Number(value !== undefined && matches(value));
      },
    };
  },
});

/** Order of keys does not matter, order of list items does. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) => Object.hasOwn(right, key) && sameJson((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}

const jsonEqualMetric = defineMeanMetric({
  name: 'json_equal',
  version: '1',
  title: 'JSON equality',
  description: 'Share of answers that are the same JSON value as a reference, whatever the order of keys and the spacing.',
  options: z.strictObject({}),
  prepare: () => ({
    score: (row) => {
      const references = row.references ?? (row.label === null ? [] : [row.label]);
      if (references.length === 0) return null;
      const answer = answerOf(row);
      const value = answer === null ? undefined : parseJson(answer);
      return Number(value !== undefined && references.some((reference) => sameJson(value, parseJson(reference))));
    },
  }),
});

export const jsonMetrics: readonly Metric[] = [jsonValidMetric, jsonSchemaMetric, jsonEqualMetric];
