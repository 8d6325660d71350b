// The parts of JSON Schema that structured answers use, checked without a compiler so that it runs anywhere.

/** The first violation as `/path expected what`, or null where the value fits. Unknown keywords are ignored. */
export function checkSchema(value: unknown, schema: unknown, path = '', root: unknown = schema, depth = 0): string | null {
  if (schema === true || typeof schema !== 'object' || schema === null) return schema === false ? `${path || '/'} is not allowed` : null;
  if (depth > 64) return `${path || '/'} nests too deep`;
  const rules = schema as Readonly<Record<string, unknown>>;
  if (typeof rules['$ref'] === 'string') return checkSchema(value, resolve(root, rules['$ref']), path, root, depth + 1);
  return (
    checkType(value, rules['type'], path) ??
    checkConstants(value, rules, path) ??
    checkCombined(value, rules, path, root, depth) ??
    checkScalar(value, rules, path) ??
    checkArray(value, rules, path, root, depth) ??
    checkObject(value, rules, path, root, depth)
  );
}

function resolve(root: unknown, reference: string): unknown {
  let at: unknown = root;
  for (const part of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    if (typeof at !== 'object' || at === null) return true;
    at = (at as Record<string, unknown>)[part.replace(/~1/g, '/').replace(/~0/g, '~')];
  }
  return at ?? true;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
}

function checkType(value: unknown, type: unknown, path: string): string | null {
  if (type === undefined) return null;
  const allowed = (Array.isArray(type) ? type : [type]) as readonly string[];
  const actual = typeOf(value);
  const fits = allowed.some((one) => one === actual || (one === 'integer' && actual === 'number' && Number.isInteger(value)));
  return fits ? null : `${path || '/'} must be ${allowed.join(' or ')}, is ${actual}`;
}

function checkConstants(value: unknown, rules: Readonly<Record<string, unknown>>, path: string): string | null {
  const text = JSON.stringify(value);
  if ('const' in rules && JSON.stringify(rules['const']) !== text) return `${path || '/'} must be ${JSON.stringify(rules['const'])}`;
  const list = rules['enum'];
  if (Array.isArray(list) && !list.some((one) => JSON.stringify(one) === text))
    return `${path || '/'} must be one of ${JSON.stringify(list).slice(0, 200)}`;
  return null;
}

function checkCombined(
  value: unknown,
  rules: Readonly<Record<string, unknown>>,
  path: string,
  root: unknown,
  depth: number,
): string | null {
  const check = (schema: unknown): string | null => checkSchema(value, schema, path, root, depth + 1);
  for (const schema of (rules['allOf'] as readonly unknown[] | undefined) ?? []) {
    const problem = check(schema);
    if (problem !== null) return problem;
  }
  const any = rules['anyOf'] as readonly unknown[] | undefined;
  if (any !== undefined && !any.some((schema) => check(schema) === null)) return `${path || '/'} fits no alternative`;
  const one = rules['oneOf'] as readonly unknown[] | undefined;
  if (one !== undefined && one.filter((schema) => check(schema) === null).length !== 1)
    return `${path || '/'} must fit exactly one alternative`;
  if (rules['not'] !== undefined && check(rules['not']) === null) return `${path || '/'} fits what is excluded`;
  return null;
}

function bound(rules: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const value = rules[name];
  return typeof value === 'number' ? value : undefined;
}

function checkScalar(value: unknown, rules: Readonly<Record<string, unknown>>, path: string): string | null {
  const at = path || '/';
  if (typeof value === 'number') {
    if (value < (bound(rules, 'minimum') ?? -Infinity)) return `${at} must be at least ${bound(rules, 'minimum')}`;
    if (value > (bound(rules, 'maximum') ?? Infinity)) return `${at} must be at most ${bound(rules, 'maximum')}`;
    if (value <= (bound(rules, 'exclusiveMinimum') ?? -Infinity)) return `${at} must be above ${bound(rules, 'exclusiveMinimum')}`;
    if (value >= (bound(rules, 'exclusiveMaximum') ?? Infinity)) return `${at} must be below ${bound(rules, 'exclusiveMaximum')}`;
  }
  if (typeof value === 'string') {
    const length = [...value].length;
    if (length < (bound(rules, 'minLength') ?? 0)) return `${at} must have at least ${bound(rules, 'minLength')} characters`;
    if (length > (bound(rules, 'maxLength') ?? Infinity)) return `${at} must have at most ${bound(rules, 'maxLength')} characters`;
    if (typeof rules['pattern'] === 'string' && length < 10_000 && !new RegExp(rules['pattern'], 'u').test(value))
      return `${at} must match ${rules['pattern']}`;
  }
  return null;
}

function checkArray(value: unknown, rules: Readonly<Record<string, unknown>>, path: string, root: unknown, depth: number): string | null {
  if (!Array.isArray(value)) return null;
  if (value.length < (bound(rules, 'minItems') ?? 0)) return `${path || '/'} must have at least ${bound(rules, 'minItems')} items`;
  if (value.length > (bound(rules, 'maxItems') ?? Infinity)) return `${path || '/'} must have at most ${bound(rules, 'maxItems')} items`;
  if (rules['uniqueItems'] === true && new Set(value.map((item) => JSON.stringify(item))).size !== value.length)
    return `${path || '/'} must not repeat items`;
  const prefix = (rules['prefixItems'] as readonly unknown[] | undefined) ?? [];
  for (const [index, item] of value.entries()) {
    const problem = checkSchema(item, prefix[index] ?? rules['items'] ?? true, `${path}/${index}`, root, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

function checkObject(value: unknown, rules: Readonly<Record<string, unknown>>, path: string, root: unknown, depth: number): string | null {
  if (typeOf(value) !== 'object') return null;
  const object = value as Readonly<Record<string, unknown>>;
  const properties = (rules['properties'] as Readonly<Record<string, unknown>> | undefined) ?? {};
  for (const key of (rules['required'] as readonly string[] | undefined) ?? []) {
    if (!Object.hasOwn(object, key)) return `${path}/${key} is missing`;
  }
  for (const [key, item] of Object.entries(object)) {
    const own = Object.hasOwn(properties, key);
    const schema = own ? properties[key] : (rules['additionalProperties'] ?? true);
    if (!own && schema === false) return `${path}/${key} is not a known key`;
    const problem = checkSchema(item, schema, `${path}/${key}`, root, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}
