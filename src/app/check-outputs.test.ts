// Outputs outside the run folder are refused before the run, not after it.
import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { checkOutputs } from './check-outputs.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slmbench-outputs-'));
  await writeFile(join(folder, 'file'), '');
  await mkdir(join(folder, 'folder.json'));
});

test.each([
  ['a record under a file', { output: 'file/x.json' }, /folder of the record .*file: .*not a folder/],
  ['a record deeper under a file', { output: 'file/sub/x.json' }, /a part of the path is a file/],
  ['a record in place of a folder', { output: 'folder.json' }, /folder\.json: it is a folder/],
  ['a record where nothing can be made', { output: '/proc/none/x.json' }, /cannot use the folder of the record \/proc\/none/],
  ['reports in place of a file', { reportFolder: 'file' }, /cannot use report folder .*file: it exists already and is not a folder/],
  ['reports under a file', { reportFolder: 'file/reports' }, /a part of the path is a file/],
])('%s', async (_, outputs, message) => {
  const here = Object.fromEntries(Object.entries(outputs).map(([name, path]) => [name, path.startsWith('/') ? path : join(folder, path)]));
  await expect(checkOutputs(here)).rejects.toMatchObject({ code: 'usage', message: expect.stringMatching(message) });
});

test('folders that are missing are made and left empty', async () => {
  await checkOutputs({ output: join(folder, 'new/r.json'), reportFolder: join(folder, 'mit raum/ä') });
  expect(await readdir(join(folder, 'new'))).toEqual([]);
  expect(await readdir(join(folder, 'mit raum/ä'))).toEqual([]);
});

test('a run folder is left to the store', async () => {
  await checkOutputs({ output: join(folder, 'runs') });
  expect(await readdir(folder)).not.toContain('runs');
});
