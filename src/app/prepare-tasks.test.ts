// Tasks of one name: the same file is one task, different files are never dropped in silence.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runSettingsSchema } from '../config/run-recipe.ts';
import { prepareTasks } from './prepare-tasks.ts';
import { openWorkspace } from './workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'slmbench-tasks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function dataFile(place: string, first: string): string {
  mkdirSync(join(folder, place), { recursive: true });
  const file = join(folder, place, 'x.tsv');
  writeFileSync(file, `text\tlabel\n${first}\tpos\nbad\tneg\nfine\tpos\nawful\tneg\n`);
  return file;
}

async function keysOf(names: readonly string[]): Promise<string[]> {
  const tasks = await prepareTasks({
    uses: names.map((name) => ({ name })),
    settings: runSettingsSchema.parse({}),
    dataFile: { columns: [], split: 'test' },
    workspace: await openWorkspace({ output: folder, offline: true }),
    onNote: () => {},
  });
  return tasks.map(({ task }) => task.key);
}

test('two data files of one name are refused with both paths', async () => {
  const [a, b] = [dataFile('a', 'good'), dataFile('b', 'nice')];
  await expect(keysOf([a, b])).rejects.toMatchObject({ code: 'usage', message: `two tasks are called "x.tsv": ${a} and ${b}` });
});

test('one file by two paths is one task', async () => {
  const file = dataFile('c', 'good');
  expect(await keysOf([file, join(folder, 'c', '.', '/x.tsv'), `${folder}/c/../c/x.tsv`])).toEqual(['x.tsv']);
});

test('a built-in task named twice is one task', async () => {
  expect(await keysOf(['sentiment-mini', 'sentiment-mini'])).toEqual(['sentiment-mini']);
});
