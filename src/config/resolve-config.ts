// From files to one value with origins: `extends` chains, `--set a.b=c` overrides, `${}` interpolation, and where each value came from.
import { dirname, isAbsolute, resolve } from 'node:path';
import { formatLocation, ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { loadConfigFile } from './load-config-file.ts';
import type { Locate } from './validate.ts';
import { type KeyPath, type PositionedDocument, parseYamlDocument } from './yaml-document.ts';

type Tree = { [key: string]: unknown };

export interface ResolvedConfig {
  readonly value: Tree;
  /** `file:line:column` or `--set` of each leaf, by dotted path. */
  readonly origins: ReadonlyMap<string, string>;
  readonly locate: Locate;
  /** Files read, nearest first. */
  readonly files: readonly string[];
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function eachLeaf(value: unknown, path: (string | number)[], visit: (path: (string | number)[], leaf: unknown) => void): void {
  if (isTree(value) && Object.keys(value).length > 0) {
    for (const [key, child] of Object.entries(value)) eachLeaf(child, [...path, key], visit);
  } else if (Array.isArray(value) && value.length > 0) {
    for (const [index, child] of value.entries()) eachLeaf(child, [...path, index], visit);
  } else {
    visit(path, value);
  }
}

interface Layer {
  readonly value: Tree;
  readonly document: PositionedDocument | undefined;
  readonly label: string;
}

/** Later layers win; maps merge key by key, lists and scalars are replaced whole. */
function merge(base: unknown, over: unknown): unknown {
  if (!isTree(base) || !isTree(over)) return over;
  const merged: Tree = { ...base };
  for (const [key, value] of Object.entries(over)) merged[key] = key in base ? merge(base[key], value) : value;
  return merged;
}

function parentsOf(document: PositionedDocument): string[] {
  if (!isTree(document.value)) return [];
  const parents = document.value['extends'];
  if (parents === undefined) return [];
  const list = typeof parents === 'string' ? [parents] : parents;
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) {
    throw new ToolError('config', '"extends" must be a file name or a list of file names', { location: document.locate(['extends']) });
  }
  return list;
}

async function collectLayers(path: string, seen: readonly string[]): Promise<Layer[]> {
  const absolute = resolve(path);
  if (seen.includes(absolute)) throw new ToolError('config', `"extends" goes in a circle: ${[...seen, absolute].join(' -> ')}`);
  const document = await loadConfigFile(path);
  if (!isTree(document.value)) throw new ToolError('config', 'a recipe must be a map of keys', { location: document.locate([]) });
  const layers: Layer[] = [];
  for (const parent of parentsOf(document)) {
    const target = isAbsolute(parent) ? parent : resolve(dirname(absolute), parent);
    layers.push(...(await collectLayers(target, [...seen, absolute])));
  }
  const { extends: _, ...own } = document.value;
  layers.push({ value: own, document, label: document.file });
  return layers;
}

function setLayer(assignment: string): Layer {
  const at = assignment.indexOf('=');
  const path = assignment.slice(0, at).trim();
  if (at < 1 || path === '') {
    throw new ToolError('usage', `--set ${assignment}: expected path=value`, { hint: 'for example --set training.rank=16' });
  }
  const text = assignment.slice(at + 1);
  // A template needs no quotes here.
  const parsed = /^\{[{%]/.test(text) ? text : (parseYamlDocument(text, `--set ${path}`).value ?? null);
  const steps = path.split('.');
  let value: unknown = parsed;
  for (const step of steps.toReversed()) value = { [step]: value };
  return { value: value as Tree, document: undefined, label: `--set ${path}` };
}

const reference = /\$\$|\$\{([^}]*)\}/g;

function lookUp(root: Tree, name: string, where: string): unknown {
  let current: unknown = root;
  for (const step of name.split('.')) {
    if (!isTree(current) || !(step in current)) {
      throw new ToolError(
        'config',
        `${where}: \${${name}} names nothing; ${suggestName(step, isTree(current) ? Object.keys(current) : [])}`,
      );
    }
    current = current[step];
  }
  return current;
}

function interpolate(root: Tree, value: unknown, path: KeyPath, locate: Locate, active: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item, index) => interpolate(root, item, [...path, index], locate, active));
  if (isTree(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolate(root, item, [...path, key], locate, active)]));
  if (typeof value !== 'string' || !value.includes('$')) return value;
  const where = formatLocation(locate(path));
  const resolveName = (name: string): unknown => {
    const trimmed = name.trim();
    if (active.includes(trimmed)) throw new ToolError('config', `${where}: \${${trimmed}} refers to itself`);
    return interpolate(root, lookUp(root, trimmed, where), trimmed.split('.'), locate, [...active, trimmed]);
  };
  const whole = /^\$\{([^}]*)\}$/.exec(value);
  if (whole !== null) return resolveName(whole[1]!);
  return value.replace(reference, (match, name: string | undefined) => {
    if (name === undefined) return match === '$$' ? '$' : match;
    const inner = resolveName(name);
    if (typeof inner === 'object' && inner !== null) throw new ToolError('config', `${where}: \${${name}} is not a text or number`);
    return String(inner);
  });
}

/**
 * Resolves a recipe: parents first (`extends`), then the file, then each `--set` in order; `${a.b}` afterwards (`$$` is a dollar sign).
 * Unknown names, circles and wrong shapes are `config` errors with positions.
 */
export async function resolveConfig(path: string, assignments: readonly string[] = []): Promise<ResolvedConfig> {
  const layers = [...(await collectLayers(path, [])), ...assignments.map(setLayer)];
  const value = layers.reduce<Tree>((merged, layer) => merge(merged, layer.value) as Tree, {});
  const originOf = (steps: KeyPath): Layer | undefined => layers.findLast((layer) => hasPath(layer.value, steps)) ?? layers.at(-1);
  const locate: Locate = (steps, options) => {
    const layer = originOf(steps);
    return layer?.document?.locate(steps, options) ?? { file: layer?.label ?? path };
  };
  const resolved = interpolate(value, value, [], locate, []) as Tree;
  const origins = new Map<string, string>();
  eachLeaf(resolved, [], (steps) => {
    origins.set(steps.join('.'), formatLocation(locate(steps)));
  });
  return { value: resolved, origins, locate, files: layers.flatMap((layer) => layer.document?.file ?? []).toReversed() };
}

function hasPath(value: unknown, steps: KeyPath): boolean {
  let current = value;
  for (const step of steps) {
    if (typeof current !== 'object' || current === null || !(step in current)) return false;
    current = (current as Record<string | number, unknown>)[step];
  }
  return true;
}
