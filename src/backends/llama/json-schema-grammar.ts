// JSON Schema to GBNF, the grammar notation of llama.cpp, so that generated text is JSON of the wanted shape by construction.
import { ToolError } from '../../core/errors.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Rules that every grammar may use. White space is bounded: small models otherwise fill the token limit with it. */
const basics: Readonly<Record<string, string>> = {
  ws: '| " " | "\\n" [ \\t]{0,8}',
  char: '[^"\\\\\\x7F\\x00-\\x1F] | "\\\\" (["\\\\bfnrt/] | "u" [0-9a-fA-F]{4})',
  string: '"\\"" char* "\\""',
  integer: '"-"? ("0" | [1-9] [0-9]{0,15})',
  number: 'integer ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,3})?',
  boolean: '"true" | "false"',
  null: '"null"',
  value: 'object | array | string | number | boolean | null',
  object: '"{" ws (string ws ":" ws value (ws "," ws string ws ":" ws value)*)? ws "}"',
  array: '"[" ws (value (ws "," ws value)*)? ws "]"',
};

/** Keywords that are understood, or that do not restrict the output. Any other would be silently ignored, so it is refused. */
const knownKeywords = new Set(
  [
    'type properties required additionalProperties items minItems maxItems prefixItems enum const anyOf oneOf allOf $ref $defs definitions',
    'minLength maxLength title description default examples $schema $id $comment nullable deprecated readOnly writeOnly',
  ].flatMap((line) => line.split(' ')),
);

/**
 * The grammar of a JSON Schema; its root rule is `root`.
 * @throws ToolError `unsupported` naming the keyword and place that GBNF cannot express
 */
export function jsonSchemaGrammar(schema: unknown): string {
  const rules = new Map<string, string>();
  const references = new Map<string, string>();
  const basicRule = (name: string): string => {
    if (!rules.has(name)) {
      rules.set(name, basics[name]!);
      for (const other of Object.keys(basics)) {
        if (other !== name && new RegExp(`(?<![\\w"-])${other}(?![\\w"-])`, 'u').test(basics[name]!)) basicRule(other);
      }
    }
    return name;
  };
  const context: Context = {
    root: asSchema(schema, '#'),
    basicRule,
    define: (hint, body) => {
      let name = hint;
      for (let count = 2; rules.has(name); count++) name = `${hint}-${count}`;
      rules.set(name, body);
      return name;
    },
    reference: (pointer) => {
      const known = references.get(pointer);
      if (known !== undefined) return known;
      const name = context.define(`ref-${pointer.replace(/[^a-zA-Z0-9]+/gu, '-').replace(/^-|-$/gu, '')}`, '');
      references.set(pointer, name);
      rules.set(name, expression(resolvePointer(context.root, pointer), pointer, context));
      return name;
    },
  };
  const root = expression(context.root, '#', context);
  return [`root ::= ${root}`, ...[...rules].map(([name, body]) => `${name} ::= ${body}`)].join('\n');
}

interface Context {
  readonly root: Schema;
  readonly basicRule: (name: string) => string;
  /** Adds a rule under this name or a numbered one, and returns the name. */
  readonly define: (hint: string, body: string) => string;
  readonly reference: (pointer: string) => string;
}

function expression(schemaOrBoolean: unknown, place: string, context: Context): string {
  if (schemaOrBoolean === true) return context.basicRule('value');
  const schema = asSchema(schemaOrBoolean, place);
  for (const keyword of Object.keys(schema)) if (!knownKeywords.has(keyword)) refuse(`the keyword "${keyword}"`, place);
  if (typeof schema['$ref'] === 'string') return context.reference(schema['$ref']);
  if ('const' in schema) return literal(JSON.stringify(schema['const']));
  if (Array.isArray(schema['enum'])) return alternatives(schema['enum'].map((value) => literal(JSON.stringify(value))));
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(union)) return alternatives(union.map((option, index) => expression(option, `${place}/anyOf/${index}`, context)));
  if (Array.isArray(schema['allOf'])) {
    if (schema['allOf'].length !== 1) refuse('"allOf" of several schemas', place);
    return expression(schema['allOf'][0], `${place}/allOf/0`, context);
  }
  const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type'] ?? impliedType(schema)];
  const options = types.map((type) => typed(type, schema, place, context));
  return alternatives(schema['nullable'] === true ? [...options, context.basicRule('null')] : options);
}

function impliedType(schema: Schema): string {
  if ('properties' in schema) return 'object';
  return 'items' in schema || 'prefixItems' in schema ? 'array' : 'any';
}

function typed(type: unknown, schema: Schema, place: string, context: Context): string {
  switch (type) {
    case 'any':
      return context.basicRule('value');
    case 'object':
      return objectRule(schema, place, context);
    case 'array':
      return arrayRule(schema, place, context);
    case 'string': {
      if (!('minLength' in schema) && !('maxLength' in schema)) return context.basicRule('string');
      context.basicRule('char');
      return `"\\"" char${times(schema['minLength'], schema['maxLength'])} "\\""`;
    }
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return context.basicRule(type);
    default:
      return refuse(`the type ${JSON.stringify(type)}`, place);
  }
}

/** Properties come in the order of the schema; optional ones may be left out. */
function objectRule(schema: Schema, place: string, context: Context): string {
  const properties = Object.entries(asSchema(schema['properties'] ?? {}, `${place}/properties`));
  if (properties.length === 0) return context.basicRule('object');
  context.basicRule('ws');
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const pairs = properties.map(([name, property]) => {
    const value = expression(property, `${place}/properties/${name}`, context);
    return { body: context.define('pair', `${literal(JSON.stringify(name))} ws ":" ws (${value})`), required: required.has(name) };
  });
  // `rest`: what follows once a pair was written (comma first); `start`: the same while none was.
  let rest = '';
  let start = '';
  for (const { body, required: isRequired } of pairs.reverse()) {
    const first = `${body} ${rest}`.trim();
    start = isRequired ? first : context.define('start', start === '' ? `(${first})?` : `${first} | ${start}`);
    const next = `ws "," ws ${body}`;
    rest = context.define('rest', `${isRequired ? next : `(${next})?`} ${rest}`.trim());
  }
  return context.define('object-of', `"{" ws ${start} ws "}"`);
}

function arrayRule(schema: Schema, place: string, context: Context): string {
  context.basicRule('ws');
  if (Array.isArray(schema['prefixItems'])) {
    const items = schema['prefixItems'].map((item, index) => `(${expression(item, `${place}/prefixItems/${index}`, context)})`);
    return `"[" ws ${items.join(' ws "," ws ')} ws "]"`;
  }
  const item = context.define('item', expression(schema['items'] ?? true, `${place}/items`, context));
  const minimum = numberOr(schema['minItems'], 0);
  const maximum = schema['maxItems'];
  if (maximum === 0) return '"[" ws "]"';
  const more = `(ws "," ws ${item})${times(Math.max(0, minimum - 1), maximum === undefined ? undefined : numberOr(maximum, 1) - 1)}`;
  const some = `${item} ${more}`;
  return `"[" ws ${minimum === 0 ? `(${some})?` : some} ws "]"`;
}

function times(minimum: unknown, maximum: unknown): string {
  const low = numberOr(minimum, 0);
  return maximum === undefined ? (low === 0 ? '*' : `{${low},}`) : `{${low},${numberOr(maximum, low)}}`;
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}

function alternatives(options: readonly string[]): string {
  return options.length === 1 ? options[0]! : `(${options.join(' | ')})`;
}

function literal(text: string): string {
  return `"${text.replace(/[\\"]/gu, '\\$&').replace(/\n/gu, '\\n').replace(/\r/gu, '\\r').replace(/\t/gu, '\\t')}"`;
}

function asSchema(value: unknown, place: string): Schema {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Schema;
  return refuse(`${JSON.stringify(value)} in place of a schema`, place);
}

function resolvePointer(root: Schema, pointer: string): unknown {
  if (!pointer.startsWith('#')) return refuse(`the reference "${pointer}" to another document`, pointer);
  let current: unknown = root;
  for (const step of pointer
    .slice(1)
    .split('/')
    .filter((part) => part !== '')) {
    const key = decodeURIComponent(step).replace(/~1/gu, '/').replace(/~0/gu, '~');
    current = (current as Record<string, unknown> | undefined)?.[key];
  }
  return current ?? refuse(`the reference "${pointer}", which leads nowhere`, pointer);
}

function refuse(what: string, place: string): never {
  throw new ToolError('unsupported', `JSON Schema at ${place}: ${what} cannot be turned into a grammar`);
}
