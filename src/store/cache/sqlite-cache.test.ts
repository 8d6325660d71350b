import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteCache } from './sqlite-cache.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slmbench-cache-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('answers and explanations come back in another session, unknown keys are undefined', async () => {
  const path = join(folder, 'deep', 'answers.sqlite');
  const first = openSqliteCache({ path });
  await first.set('k', { text: 'ä\u0000"', list: [1, null] }, { why: 1 });
  await first.set('k', { text: 'newer' }, { why: 2 });
  await first.close();
  await first.close();
  const second = openSqliteCache({ path });
  expect(await second.get('k')).toEqual({ text: 'newer' });
  expect(await second.explain('k')).toEqual({ why: 2 });
  expect(await second.get('other')).toBeUndefined();
  expect(await second.explain('other')).toBeUndefined();
  expect(second.stats().entries).toBe(1);
  await second.close();
});

test('the least recently used answers leave first when the cache is over its size', async () => {
  let now = 0;
  const cache = openSqliteCache({ path: ':memory:', now: () => now });
  for (let index = 0; index < 10; index++) {
    now += 100_000;
    await cache.set(`k${index}`, 'x'.repeat(1000), null);
  }
  now += 100_000;
  expect(await cache.get('k0')).toBeDefined();
  expect(cache.prune(5100)).toBe(5);
  const left: string[] = [];
  for (let index = 0; index < 10; index++) if ((await cache.get(`k${index}`)) !== undefined) left.push(`k${index}`);
  expect(left).toEqual(['k0', 'k6', 'k7', 'k8', 'k9']);
  expect(cache.stats()).toMatchObject({ entries: 5 });
  expect(cache.prune(0)).toBe(5);
  expect(cache.stats()).toEqual({ entries: 0, bytes: 0, oldestUse: null, newestUse: null });
  await cache.close();
});

test('the size limit holds while answers are written', async () => {
  const cache = openSqliteCache({ path: ':memory:', maxBytes: 50_000 });
  for (let index = 0; index < 2000; index++) await cache.set(`k${index}`, 'x'.repeat(1000), null);
  expect(cache.stats().bytes).toBeLessThan(50_000 + 600 * 1100);
  await cache.close();
});

test('two processes write one cache at once', async () => {
  const path = join(folder, 'answers.sqlite');
  const module = pathToFileURL(join(import.meta.dirname, 'sqlite-cache.ts')).href;
  const script = (name: string): string => `
    const { openSqliteCache } = await import(${JSON.stringify(module)});
    const cache = openSqliteCache({ path: ${JSON.stringify(path)} });
    for (let i = 0; i < 300; i++) { await cache.set('${name}' + i, { i }, null); await cache.get('a' + i); }
    await cache.close();`;
  const run = (name: string): Promise<number | null> =>
    new Promise((resolve) =>
      spawn(process.execPath, ['--input-type=module', '-e', script(name)], { stdio: 'inherit' }).on('exit', resolve),
    );
  expect(await Promise.all([run('a'), run('b')])).toEqual([0, 0]);
  const cache = openSqliteCache({ path });
  expect(cache.stats().entries).toBe(600);
  expect(await cache.get('b299')).toEqual({ i: 299 });
  await cache.close();
});

test('a file that is no cache, or one of another version, is a clear error', () => {
  const path = join(folder, 'answers.sqlite');
  writeFileSync(path, 'not a database, but long enough to look like one '.repeat(20));
  expect(() => openSqliteCache({ path })).toThrow(/cannot open response cache/);
  const newer = join(folder, 'newer.sqlite');
  const database = new DatabaseSync(newer);
  database.exec('pragma user_version = 99');
  database.close();
  expect(() => openSqliteCache({ path: newer })).toThrow(/version 99/);
});

test('a damaged entry is a miss', async () => {
  const path = join(folder, 'answers.sqlite');
  const cache = openSqliteCache({ path });
  await cache.set('k', 1, null);
  const database = new DatabaseSync(path);
  database.exec(`update answer set value = '{"torn'`);
  database.close();
  expect(await cache.get('k')).toBeUndefined();
  await cache.close();
});
