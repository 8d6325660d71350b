// Datasets the user has as files: one file, or a folder with one file (or several) a split.
import { readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import type { Dataset, DatasetInfo } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { loadFiles } from './load-files.ts';
import type { LoadOptions } from './load-options.ts';
import { makeDataset } from './make-dataset.ts';
import { formatOfName } from './read-rows.ts';
import { splitOfPath } from './split-name.ts';

const ownFile: Pick<DatasetInfo, 'description' | 'licence'> = {
  description: 'a file of the user',
  licence: { name: 'unknown', redistributable: false },
};

/** @throws ToolError `not-found` for a missing path (with the nearest name beside it) */
export async function loadFileDataset(path: string, options: LoadOptions): Promise<Dataset> {
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined) throw await missingPath(path);
  const texts = facts.isDirectory() ? await textDataset(path, options) : undefined;
  if (texts !== undefined) return texts;
  const members = facts.isDirectory() || !/\.json(\.gz)?$/i.test(path) ? undefined : await membersBySplit(path);
  const splits = facts.isDirectory()
    ? await splitsOfFolder(path)
    : new Map([...(members?.keys() ?? [splitOfPath(basename(path)) ?? 'test'])].map((split) => [split, [path]]));
  const name = basename(resolve(path));
  return makeDataset({
    info: { name, title: name, ...ownFile },
    splitNames: [...splits.keys()],
    provenance: { kind: 'file', reference: name },
    load: async (split) => {
      const files = splits.get(split)!.map((file) => ({ reference: `file:${file}` }));
      return await loadFiles({ split, kind: 'file', reference: name, files, member: members?.get(split) }, options);
    },
  });
}

/** A folder of text files; undefined for a folder with other data in it. */
async function textDataset(path: string, options: LoadOptions): Promise<Dataset | undefined> {
  const names = await readdir(path);
  if (names.some((name) => formatOfName(name) !== undefined && formatOfName(name) !== 'text')) return undefined;
  const { loadTextFolder, textFilesOf } = await import('./text-folder.ts');
  const splits = await textFilesOf(path);
  if (splits.size === 0) return undefined;
  const name = basename(resolve(path));
  return makeDataset({
    info: { name, title: name, ...ownFile },
    splitNames: [...splits.keys()],
    provenance: { kind: 'file', reference: name },
    load: async (split) => await loadTextFolder(resolve(path), split, splits.get(split)!, options),
  });
}

/** Member of a JSON file by the split it holds; undefined where the file is one split. */
export async function membersBySplit(path: string): Promise<ReadonlyMap<string, string> | undefined> {
  const { splitMembers } = await import('./formats/json-rows.ts');
  const members = await splitMembers(path);
  return members.length === 0 ? undefined : new Map(members.map((member) => [splitOfPath(member.toLowerCase()) ?? member, member]));
}

async function splitsOfFolder(folder: string): Promise<Map<string, string[]>> {
  const names = (await readdir(folder)).filter((name) => formatOfName(name) !== undefined && formatOfName(name) !== 'text').sort();
  const splits = new Map<string, string[]>();
  for (const name of names) {
    const split = splitOfPath(name);
    if (split !== undefined) splits.set(split, [...(splits.get(split) ?? []), join(folder, name)]);
  }
  if (splits.size > 0) return splits;
  throw new ToolError('data', `${folder}: no file in it is named for a split`, {
    hint: `name files train.jsonl, validation.jsonl, test.jsonl, or name one file${names.length === 0 ? '' : `: ${names.slice(0, 5).join(', ')}`}`,
  });
}

async function missingPath(path: string): Promise<ToolError> {
  const folder = resolve(path, '..');
  const names = await readdir(folder).catch(() => undefined);
  const hint = names === undefined ? `the folder ${folder} does not exist either` : suggestName(basename(path), names);
  return new ToolError('not-found', `there is no file or folder ${path}`, { hint });
}
