// Reads one user file: YAML or JSON with positions, or a TypeScript/JavaScript module's default export.
import { readFile, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, ToolError } from '../core/errors.ts';
import { type PositionedDocument, parseYamlDocument } from './yaml-document.ts';

const moduleExtensions = new Set(['.ts', '.mts', '.js', '.mjs']);

async function loadModule(path: string): Promise<PositionedDocument> {
  try {
    const loaded = (await import(pathToFileURL(path).href)) as { default?: unknown };
    if (loaded.default === undefined) throw new ToolError('config', 'the file has no default export', { location: { file: path } });
    return { file: path, value: loaded.default, locate: () => ({ file: path }) };
  } catch (cause) {
    if (ToolError.isInstance(cause)) throw cause;
    throw new ToolError('config', `cannot load ${path}: ${messageOf(cause)}`, { cause });
  }
}

/** Loads a config, recipe or task file. A module is the user's own code, named by the user; YAML and JSON never run code. */
export async function loadConfigFile(path: string): Promise<PositionedDocument> {
  const absolute = resolve(path);
  const facts = await stat(absolute).catch(() => undefined);
  if (facts === undefined) throw new ToolError('config', `no such file: ${path}`);
  if (!facts.isFile()) throw new ToolError('config', `not a file: ${path}`);
  if (moduleExtensions.has(extname(absolute))) return loadModule(absolute);
  if (facts.size > 16 * 1024 * 1024) throw new ToolError('config', `${path} has ${facts.size} bytes: too large for a configuration file`);
  const text = (await readFile(absolute, 'utf8')).replace(/^\uFEFF/, '');
  return parseYamlDocument(text, path);
}
