// Reads values that a schema almost always accepts: a plain walk says yes, and only what it is unsure of goes through the schema itself.
import type { z } from 'zod';

/** True only where the schema surely accepts the value and gives it back as it is. */
type Check = (value: unknown) => boolean;

type Schema = z.core.$ZodType;
/** The parts of a definition that are looked at; which are there depends on `type`. */
interface Definition {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: NumberRule } }[];
  readonly check?: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly options?: readonly Schema[];
  readonly discriminator?: string;
  readonly inclusive?: boolean;
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly getter?: () => Schema;
}
interface NumberRule {
  readonly check: string;
  readonly format?: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
}

const unsure: Check = () => false;
const definitionOf = (schema: Schema): Definition => schema._zod.def as unknown as Definition;

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function ruleCheck(rule: NumberRule): ((value: number) => boolean) | null {
  const { value: limit, inclusive } = rule;
  if (rule.check === 'number_format' && rule.format === 'safeint') return Number.isSafeInteger;
  if (typeof limit !== 'number') return null;
  if (rule.check === 'greater_than') return inclusive === true ? (value) => value >= limit : (value) => value > limit;
  if (rule.check === 'less_than') return inclusive === true ? (value) => value <= limit : (value) => value < limit;
  return null;
}

function numberCheck({ check, checks = [] }: Definition): Check {
  const rules = checks.map((one) => ruleCheck(one._zod.def));
  if (check !== undefined || rules.includes(null)) return unsure;
  const [first, ...others] = rules as ((value: number) => boolean)[];
  if (first === undefined) return Number.isFinite;
  return (value) => typeof value === 'number' && Number.isFinite(value) && first(value) && others.every((rule) => rule(value));
}

function objectCheck({ shape = {}, catchall }: Definition, compile: (schema: Schema) => Check): Check {
  if (catchall === undefined || definitionOf(catchall).type !== 'never') return unsure;
  const members = new Map(
    Object.entries(shape).map(([key, schema]) => [
      key,
      { check: compile(schema), weight: definitionOf(schema).type === 'optional' ? 0 : 1 },
    ]),
  );
  const required = [...members.values()].reduce((sum, { weight }) => sum + weight, 0);
  return (value) => {
    if (!isPlainObject(value)) return false;
    let found = 0;
    for (const key in value) {
      const member = members.get(key);
      if (member === undefined || !member.check(value[key])) return false;
      found += member.weight;
    }
    return found === required;
  };
}

function recordCheck({ keyType, valueType }: Definition, compile: (schema: Schema) => Check): Check {
  if (keyType === undefined || valueType === undefined) return unsure;
  const key = definitionOf(keyType);
  if (key.type !== 'string' || (key.checks?.length ?? 0) > 0) return unsure;
  const member = compile(valueType);
  return (value) => {
    if (!isPlainObject(value)) return false;
    for (const name in value) if (name === '__proto__' || !member(value[name])) return false;
    return true;
  };
}

function unionCheck({ options = [], discriminator, inclusive }: Definition, compile: (schema: Schema) => Check): Check {
  if (inclusive === false && discriminator === undefined) return unsure;
  const checks = options.map(compile);
  return (value) => checks.some((check) => check(value));
}

function arrayCheck({ element }: Definition, compile: (schema: Schema) => Check): Check {
  if (element === undefined) return unsure;
  const check = compile(element);
  return (value) => Array.isArray(value) && value.every(check);
}

function build(definition: Definition, compile: (schema: Schema) => Check): Check {
  const { type, innerType, checks = [] } = definition;
  if (type === 'number') return numberCheck(definition);
  if (checks.length > 0) return unsure;
  const inner = innerType === undefined ? unsure : compile(innerType);
  if (type === 'string') return (value) => typeof value === 'string';
  if (type === 'boolean') return (value) => typeof value === 'boolean';
  if (type === 'null') return (value) => value === null;
  if (type === 'nullable') return (value) => value === null || inner(value);
  // A value that is there but undefined is left to the schema.
  if (type === 'optional' || type === 'default') return inner;
  if (type === 'literal' || type === 'enum') {
    const known = new Set(definition.values ?? Object.values(definition.entries ?? {}));
    return (value) => known.has(value);
  }
  if (type === 'array') return arrayCheck(definition, compile);
  if (type === 'object') return objectCheck(definition, compile);
  if (type === 'record') return recordCheck(definition, compile);
  if (type === 'union') return unionCheck(definition, compile);
  return unsure;
}

function compile(root: Schema): Check {
  const known = new Map<Schema, Check>();
  const compileOne = (schema: Schema): Check => {
    const ready = known.get(schema);
    if (ready !== undefined) return ready;
    const { type, getter, ...rest } = definitionOf(schema);
    // A schema that holds itself (any JSON) is built when the first value needs it.
    let built: Check | null = null;
    const check: Check =
      type === 'lazy' && getter !== undefined ? (value) => (built ??= compileOne(getter()))(value) : build({ type, ...rest }, compileOne);
    known.set(schema, check);
    return check;
  };
  return compileOne(root);
}

/**
 * A parser with the results and errors of `schema.parse`, many times as fast on values that fit. Values must come from `JSON.parse` or be
 * like it: one that fits is given back itself, not copied. Schemas with transforms, refinements or open objects work at the schema's own speed.
 * @example const parseRow = quickParser(predictionRowSchema); parseRow(JSON.parse(line))
 */
export function quickParser<T>(schema: z.ZodType<T>): (value: unknown) => T {
  let isSure: Check | null = null;
  return (value) => ((isSure ??= compile(schema))(value) ? (value as T) : schema.parse(value));
}
