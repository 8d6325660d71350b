// Reads benchmark records: our own, or LMTask's, by file or by the folder that holds one.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ToolError } from '../../core/errors.ts';
import { type BenchmarkRecord, benchmarkRecordSchema } from '../../core/specialise-record.ts';
import { fromLmtaskRecord, isLmtaskRecord } from './import-lmtask.ts';

export interface FoundBenchmark {
  readonly file: string;
  readonly record: BenchmarkRecord;
}

const schemaName = /^slmbench\/benchmark\/(\d+)$/;

/** Whether a JSON value is a benchmark record of any known kind. */
export function isBenchmarkValue(value: unknown): boolean {
  const schema = (value as { schema?: unknown } | null)?.schema;
  return (typeof schema === 'string' && schemaName.test(schema)) || isLmtaskRecord(value);
}

/** @throws ToolError `data` for anything that is no benchmark record, or one of a newer version */
export function parseBenchmark(value: unknown, file: string): BenchmarkRecord {
  if (isLmtaskRecord(value)) return fromLmtaskRecord(value, file);
  const schema = (value as { schema?: unknown } | null)?.schema;
  const version = typeof schema === 'string' ? Number(schemaName.exec(schema)?.[1] ?? 0) : 0;
  if (version > 1) throw new ToolError('data', `${file} has schema ${String(schema)}; this slmbench reads slmbench/benchmark/1`);
  const parsed = benchmarkRecordSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new ToolError('data', `${file} is not a benchmark record: ${issue.path.join('.') || 'schema'}: ${issue.message}`);
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new ToolError(cause.code === 'ENOENT' ? 'not-found' : 'storage', `cannot read ${file}: ${messageOf(cause)}`, { cause });
  });
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new ToolError('data', `${file} is not JSON: ${messageOf(cause)}`, { cause });
  }
}

export async function readBenchmark(file: string): Promise<FoundBenchmark> {
  return { file, record: parseBenchmark(await readJson(file), file) };
}

/** All records in a folder, two levels deep; other JSON files are passed over. */
async function inFolder(folder: string, depth: number): Promise<FoundBenchmark[]> {
  const found: FoundBenchmark[] = [];
  const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth > 0) found.push(...(await inFolder(path, depth - 1)));
    if (!entry.isFile() || !entry.name.endsWith('.json')) continue;
    const value = await readJson(path).catch(() => null);
    if (isBenchmarkValue(value)) found.push({ file: path, record: parseBenchmark(value, path) });
  }
  return found;
}

/** Records of files and folders, in the given order. @throws ToolError `not-found` where a path holds none */
export async function readBenchmarks(paths: readonly string[]): Promise<FoundBenchmark[]> {
  const all: FoundBenchmark[] = [];
  for (const path of paths) {
    const facts = await stat(path).catch(() => null);
    if (facts === null) throw new ToolError('not-found', `there is no file or folder ${path}`);
    const found = facts.isDirectory() ? await inFolder(path, 2) : [await readBenchmark(path)];
    if (found.length === 0) throw new ToolError('not-found', `${path} holds no benchmark record`, { hint: 'slmbench benchmark makes one' });
    all.push(...found);
  }
  return all;
}

/** Whether a path is a benchmark record or a folder that holds one; run folders are none. */
export async function isBenchmarkPath(path: string): Promise<boolean> {
  const facts = await stat(path).catch(() => null);
  if (facts === null) return false;
  if (facts.isFile()) return isBenchmarkValue(await readJson(path).catch(() => null));
  if ((await stat(join(path, 'plan.json')).catch(() => null)) !== null) return false;
  return (await inFolder(path, 2)).length > 0;
}
