// Checks a value against a schema and turns every issue into one line: where, what, what was expected, the nearest key.
import type { z } from 'zod';
import { formatLocation, type SourceLocation, ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import type { KeyPath } from './yaml-document.ts';

/** Finds the position of a path; see PositionedDocument.locate. */
export type Locate = (path: KeyPath, options?: { readonly key?: boolean }) => SourceLocation;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function valueAt(value: unknown, path: KeyPath): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = (current as Record<string | number, unknown>)[step];
  }
  return current;
}

function shapeAt(schema: z.ZodType, path: KeyPath): readonly string[] {
  let current: unknown = schema;
  for (const step of path) current = stepInto(unwrap(current), step);
  const bare = unwrap(current) as { shape?: Record<string, unknown> } | undefined;
  return bare?.shape === undefined ? [] : Object.keys(bare.shape);
}

function unwrap(schema: unknown): unknown {
  let current = schema as { def?: { type?: string; innerType?: unknown; in?: unknown; getter?: () => unknown } } | undefined;
  while (current?.def !== undefined) {
    if (current.def.innerType !== undefined) current = current.def.innerType as typeof current;
    else if (current.def.type === 'pipe' && current.def.in !== undefined) current = current.def.in as typeof current;
    else if (current.def.type === 'lazy' && current.def.getter !== undefined) current = current.def.getter() as typeof current;
    else break;
  }
  return current;
}

function stepInto(schema: unknown, step: string | number): unknown {
  const def =
    (schema as {
      def?: { type?: string; element?: unknown; valueType?: unknown; options?: readonly unknown[] };
      shape?: Record<string, unknown>;
    }) ?? {};
  if (def.shape !== undefined) return def.shape[String(step)];
  if (def.def?.type === 'array') return def.def.element;
  if (def.def?.type === 'record') return def.def.valueType;
  if (def.def?.type === 'union') {
    for (const option of def.def.options ?? []) {
      const found = stepInto(unwrap(option), step);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function dotted(path: KeyPath): string {
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

type Issue = z.core.$ZodIssue;

/** A union's own issue says only "invalid input": the member that got furthest says what is really wrong. */
function deepest(issue: Issue): { readonly path: KeyPath; readonly issue: Issue } {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return { path: issue.path as KeyPath, issue };
  const members = issue.errors.map((list) => list.map((inner) => deepest(inner))).filter((list) => list.length > 0);
  const best = members.toSorted((a, b) => Math.max(...b.map((m) => m.path.length)) - Math.max(...a.map((m) => m.path.length)))[0]?.[0];
  if (best === undefined || best.path.length === 0) return { path: issue.path as KeyPath, issue };
  return { path: [...(issue.path as KeyPath), ...best.path], issue: best.issue };
}

function explain(schema: z.ZodType, value: unknown, found: Issue, locate: Locate): string[] {
  const { path, issue } = deepest(found);
  if (issue.code === 'unrecognized_keys') {
    const known = shapeAt(schema, path);
    return issue.keys.map((key) => {
      const full = [...path, key];
      return `${formatLocation(locate(full, { key: true }))}: unknown key "${dotted(full)}"; ${suggestName(key, known)}`;
    });
  }
  const got = valueAt(value, path);
  const where = formatLocation(locate(path));
  const name = path.length === 0 ? 'the document' : `"${dotted(path)}"`;
  if (got === undefined)
    return [`${where}: ${name} is missing (${issue.message.replace(/^Invalid input: /, '').replace(/, received undefined$/, '')})`];
  return [`${where}: ${name} is ${shown(got)}: ${issue.message.replace(/^Invalid input: /, '')}`];
}

/** Parses `value`; on failure throws one `config` error that lists every issue with its position. */
export function validate<T>(schema: z.ZodType<T>, value: unknown, locate: Locate, what: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const lines = result.error.issues.flatMap((issue) => explain(schema, value, issue, locate));
  throw new ToolError('config', `${what} is not valid:\n  ${lines.join('\n  ')}`);
}
