// Rows of JSON Lines and JSON files, whichever of the two the content really is.
import { readFile, stat } from 'node:fs/promises';
import { messageOf, ToolError } from '../../core/errors.ts';
import { readBytes } from './byte-stream.ts';
import { duplicateKey, jsonProblem, parseExactJson } from './json-text.ts';
import type { RawRow, ReadOptions, SourceRow } from './source-row.ts';
import { refuseUtf16 } from './text-encoding.ts';
import { readLines } from './text-lines.ts';

/** V8 cannot hold a longer text; an array file must be one text. */
const maxWholeFileBytes = 400e6;

/** Members that hold the rows when a JSON file is one object. */
const rowMembers = ['data', 'rows', 'examples', 'instances', 'items'];

/**
 * Reads JSON Lines, a JSON array of objects, or a JSON object with such an array.
 * @throws ToolError `data` naming file and line
 */
export async function* readJsonRows(path: string, options: ReadOptions): AsyncGenerator<SourceRow> {
  const first = await firstCharacter(path, options.signal);
  if (first === '[' || (first === '{' && /\.json$/i.test(path))) {
    const rows = await tryWholeFile(path, first, options);
    if (rows !== undefined) {
      yield* rows;
      return;
    }
  }
  yield* readJsonLines(path, options);
}

async function* readJsonLines(path: string, options: ReadOptions): AsyncGenerator<SourceRow> {
  for await (const { number, text } of readLines(path, options)) {
    if (text.trim() === '') continue;
    try {
      yield { fields: parseLine(text, path, number, options), line: number };
    } catch (thrown) {
      if (options.skipBadRows !== true || !ToolError.isInstance(thrown)) throw thrown;
      options.notes.notes.push(`dropped: ${thrown.message}`);
    }
  }
}

function parseLine(text: string, path: string, line: number, options: ReadOptions): RawRow {
  const location = { file: path, line };
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (thrown) {
    throw new ToolError('data', `${path}:${line}: ${jsonProblem(text, messageOf(thrown))}`, { location, cause: thrown });
  }
  if (!isObject(value)) throw new ToolError('data', `${path}:${line}: expected an object, found ${kindOf(value)}`, { location });
  const twice = duplicateKey(text);
  if (twice !== undefined) options.notes.notes.push(`${path}:${line}: key "${twice}" stands twice; the last one counts`);
  return value;
}

async function tryWholeFile(path: string, first: string, options: ReadOptions): Promise<SourceRow[] | undefined> {
  const { size } = await stat(path);
  if (size > maxWholeFileBytes) {
    if (first === '{') return undefined;
    throw new ToolError('data', `${path}: a JSON array of ${(size / 1e6).toFixed(0)} MB is too large to read at once`, {
      hint: 'convert it to JSON Lines: jq -c ".[]"',
    });
  }
  const text = await readText(path);
  let value: unknown;
  try {
    value = parseExactJson(text);
  } catch (thrown) {
    // Objects line by line in a `.json` file are common; their own reader names the bad line.
    const isLines = /^\s*(\{.*\}|\[.*\])\s*,?\s*\r?\n\s*[[{]/.test(text.slice(0, 1_000_000)) || first === '{';
    if (isLines) return undefined;
    throw new ToolError('data', `${path}: ${jsonProblem(text, messageOf(thrown))}`, { cause: thrown, location: { file: path } });
  }
  if (Array.isArray(value)) return toRows(value, path, options);
  if (!isObject(value)) return undefined;
  const member = options.member ?? rowMembers.find((name) => Array.isArray((value as RawRow)[name]));
  return member === undefined ? [{ fields: value }] : toRows(value[member] as unknown[], path, options);
}

function toRows(values: readonly unknown[], path: string, options: ReadOptions): SourceRow[] {
  return values.flatMap((value, index) => {
    if (isObject(value)) return [{ fields: value }];
    const message = `${path}: item ${index + 1}: expected an object, found ${kindOf(value)}`;
    if (options.skipBadRows !== true) throw new ToolError('data', message, { location: { file: path } });
    options.notes.notes.push(`dropped: ${message}`);
    return [];
  });
}

const splitNames = /^(train|training|test|validation|valid|val|dev)$/i;

/**
 * The members of a JSON file `{ "train": [...], "test": [...] }` that hold rows: at least one is named for a split, or all members are lists
 * of rows. Empty for every other file.
 */
export async function splitMembers(path: string): Promise<readonly string[]> {
  if ((await firstCharacter(path, undefined)) !== '{' || (await stat(path)).size > maxWholeFileBytes) return [];
  let value: unknown;
  try {
    value = parseExactJson(await readText(path));
  } catch {
    // The reader of the rows tells what is wrong with the file.
    return [];
  }
  const members = Object.entries(value as RawRow);
  const lists = members.filter(([, list]) => Array.isArray(list) && list.length > 0 && list.every(isObject)).map(([name]) => name);
  const named = lists.filter((name) => splitNames.test(name));
  if (named.length > 0) return named;
  return lists.length > 1 && lists.length === members.length && !lists.some((name) => rowMembers.includes(name)) ? lists : [];
}

async function readText(path: string): Promise<string> {
  const bytes = /\.gz$/i.test(path) ? await readAll(path) : await readFile(path);
  refuseUtf16(bytes, path);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (thrown) {
    throw new ToolError('data', `${path}: the bytes are not utf-8`, { cause: thrown, hint: 'save the file as UTF-8' });
  }
}

async function readAll(path: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBytes(path)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function firstCharacter(path: string, signal: AbortSignal | undefined): Promise<string> {
  for await (const chunk of readBytes(path, signal)) {
    const text = chunk
      .subarray(0, 4096)
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trimStart();
    if (text !== '') return text[0]!;
  }
  return '';
}

function isObject(value: unknown): value is RawRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
