import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { main } from './main.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const recipe = join(root, 'recipes/intents-smollm2-135m.yml');
const records = join(root, 'test/golden/specialise');

afterEach(() => vi.restoreAllMocks());

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const text = { out: '', err: '' };
  const take = (key: 'out' | 'err') => (chunk: unknown) => {
    text[key] += typeof chunk === 'string' ? chunk : Buffer.from(chunk as Uint8Array).toString('latin1');
    return true;
  };
  vi.spyOn(process.stdout, 'write').mockImplementation(take('out') as never);
  vi.spyOn(process.stderr, 'write').mockImplementation(take('err') as never);
  const code = await main(args);
  vi.restoreAllMocks();
  return { code, ...text };
}

test('a recipe may stand before or after the verb', async () => {
  const before = await run('-c', recipe, 'config', '--resolved');
  const after = await run('config', '-c', recipe, '--resolved');
  expect(before).toEqual(after);
  expect(before.out).toMatch(/dataset\.split\.sizes\.test = 128 +# .*intents\.yml:10:\d+/);
  expect((await run('config', '-c', recipe, '--resolved', '--set', 'training.maxSteps=7')).out).toContain('training.maxSteps = 7');
});

test('mistakes are usage or config errors with a hint', async () => {
  expect(await run('benchmark')).toMatchObject({ code: 2, err: expect.stringContaining('-c recipe.yml') });
  expect(await run('benchmark', '-c', recipe, '--force', 'tets')).toMatchObject({ code: 2 });
  expect(await run('train', '-c', recipe, '--set', 'task.labls=x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('did you mean "labels"'),
  });
  expect(await run('export', '-c', recipe, '--kind', 'ggfu', '--offline')).toMatchObject({ code: 2 });
});

test('published records are verified, reported in each format and indexed', async () => {
  expect(await run('verify', records)).toMatchObject({ code: 0, out: expect.stringMatching(/(verified fpb_\w+: 11 metrics.*\n){4}/) });
  expect((await run('report', join(records, 'lmtask_qwen3.json'))).out).toContain('196 of 256 (76.6 %)');
  expect((await run('report', records)).out.trim().split('\n')).toHaveLength(6);
  expect((await run('report', records, '-f', 'csv')).out.split('\r\n')).toHaveLength(6);
  expect((await run('report', records, '-f', 'tex')).out).toContain('\\toprule');
  expect(JSON.parse((await run('report', records, '-f', 'json')).out)).toHaveLength(4);
  expect((await run('report', records, '-f', 'html')).out).toMatch(/^<!doctype html>/);
  expect((await run('report', records, '-f', 'xlsx')).out).toMatch(/^PK/);
  const file = join(await mkdtemp(join(tmpdir(), 'slmbench cli ')), 'B.md');
  expect(await run('index', file, '--records', records)).toMatchObject({ code: 0 });
  expect(await run('index', file, '--records', records, '--check')).toMatchObject({ code: 0, out: expect.stringContaining('up to date') });
  await writeFile(file, (await readFile(file, 'utf8')).replace('0.9492', '0.9531'));
  expect(await run('index', file, '--records', records, '--check')).toMatchObject({ code: 3 });
});

test('a tampered record does not verify', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'slmbench cli ')), 'r.json');
  await writeFile(file, (await readFile(join(records, 'lmtask_gemma4.json'), 'utf8')).replace('0.94921875', '0.953125'));
  expect(await run('verify', file)).toMatchObject({ code: 1, out: expect.stringContaining('NOT verified') });
});

test('the service stays on this machine unless a token guards it', async () => {
  expect(await run('serve', recipe, '--host', '0.0.0.0', '--offline')).toMatchObject({
    code: 2,
    err: expect.stringContaining('SLMBENCH_TOKEN'),
  });
});
