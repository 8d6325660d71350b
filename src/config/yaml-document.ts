// YAML and JSON with positions: every later complaint can name file:line:column. No tags, no code, no duplicate keys.
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { type SourceLocation, ToolError } from '../core/errors.ts';

export type KeyPath = readonly (string | number)[];

export interface PositionedDocument {
  readonly file: string;
  readonly value: unknown;
  /** Position of the value at a path, or of its nearest ancestor. With `key`, the position of the key itself. */
  readonly locate: (path: KeyPath, options?: { readonly key?: boolean }) => SourceLocation;
}

function childOf(node: Node | null | undefined, step: string | number, wantKey: boolean): Node | null | undefined {
  if (isMap(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step));
    return (wantKey ? pair?.key : (pair?.value ?? pair?.key)) as Node | null | undefined;
  }
  if (isSeq(node)) return node.items[Number(step)] as Node | undefined;
  return undefined;
}

/** Offset of the first key that is no plain value: an unquoted `{{ text }}` reads as a map in a map. */
function collectionKeyOf(root: unknown): number | undefined {
  let found: number | undefined;
  visit(root as Node | null, {
    Pair: (_, { key }) => {
      if (!isMap(key) && !isSeq(key)) return undefined;
      found = key.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

/** Parses YAML 1.2 (JSON is a subset). Syntax errors are `config` errors that name file, line and column. */
export function parseYamlDocument(text: string, file: string): PositionedDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, version: '1.2', schema: 'core', prettyErrors: false });
  const place = (offset: number): SourceLocation => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col };
  };
  const problem = document.errors[0];
  if (problem !== undefined) {
    throw new ToolError('config', `not valid YAML: ${problem.message}`, { location: place(problem.pos[0]) });
  }
  const warning = document.warnings[0];
  if (warning !== undefined) {
    throw new ToolError('config', `not plain YAML: ${warning.message}`, {
      location: place(warning.pos[0]),
      hint: 'tags and code are not allowed in recipes',
    });
  }
  const collectionKey = collectionKeyOf(document.contents);
  if (collectionKey !== undefined) {
    throw new ToolError('config', 'not plain YAML: a key is a map or a list', {
      location: place(collectionKey),
      hint: "a template that begins with {{ stands in quotes: '{{ text }}'",
    });
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (cause) {
    throw new ToolError('config', 'too many YAML aliases', { location: { file }, cause });
  }
  return {
    file,
    value,
    locate: (path, options = {}) => {
      let node: Node | null | undefined = document.contents;
      for (const [index, step] of path.entries()) {
        const next = childOf(node, step, options.key === true && index === path.length - 1);
        if (next === undefined || next === null) break;
        node = next;
      }
      return place(node?.range?.[0] ?? 0);
    },
  };
}
