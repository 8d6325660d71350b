import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../examples/', import.meta.url));
const run = promisify(execFile);
const examples = (await readdir(folder)).filter((name) => name.endsWith('.ts'));

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(2);
});

test.each(examples)('%s runs on the toy model', async (name) => {
  const { stdout } = await run(process.execPath, [`${folder}${name}`, 'toy'], { timeout: 120_000 });
  expect(stdout.trim()).not.toBe('');
});
