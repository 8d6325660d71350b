import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchFile } from './fetch-file.ts';
import { listCache, pruneCache } from './file-cache.ts';
import type { SourceContext } from './source-context.ts';

let folder: string;
let context: SourceContext;
let server: Server;
let url: string;
let routes: Record<string, { status?: number; headers?: Record<string, string>; body?: string }>;
let seen: { url: string; authorization: string | undefined }[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fetch file ä-'));
  context = {
    cacheDirectory: join(folder, 'cache'),
    offline: false,
    environment: { HF_HOME: join(folder, 'hf'), HF_ENDPOINT: 'http://127.0.0.1:9' },
  };
  routes = { '/data.txt': { body: 'hello' } };
  seen = [];
  server = createServer((request, response) => {
    seen.push({ url: request.url!, authorization: request.headers.authorization });
    const route = routes[request.url!];
    response.writeHead(route?.status ?? (route ? 200 : 404), route?.headers).end(route?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});
const digest = (text: string) => createHash('sha256').update(text).digest('hex');

test('https: fetched, cached, listed and pruned; the cached file needs no server', async () => {
  const source = { reference: `${url}/data.txt`, sha256: digest('hello') };
  const first = await fetchFile([source], context);
  expect(first).toMatchObject({ sizeBytes: 5, sha256: digest('hello'), fromCache: false });
  expect(await fetchFile([source], { ...context, offline: true })).toMatchObject({ path: first.path, fromCache: true });
  expect(seen.length).toBe(1);
  expect((await listCache(context.cacheDirectory)).map((entry) => [entry.name, entry.sizeBytes])).toEqual([['data.txt', 5]]);
  await pruneCache(context.cacheDirectory);
  expect(await listCache(context.cacheDirectory)).toEqual([]);
});

test('what cannot be reached says what to do: offline, and with nobody listening', async () => {
  const source = { reference: `${url}/data.txt`, sha256: digest('hello') };
  await expect(fetchFile([source], { ...context, offline: true })).rejects.toMatchObject({
    code: 'unavailable',
    hint: expect.stringContaining('without --offline'),
  });
  const port = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  await expect(fetchFile([{ reference: `http://127.0.0.1:${port}/x` }], context)).rejects.toMatchObject({
    code: 'unavailable',
    hint: expect.stringContaining('HTTPS_PROXY'),
  });
});

test('a changed cached file is noticed, removed and fetched again', async () => {
  const source = { reference: `${url}/data.txt`, sha256: digest('hello') };
  const { path } = await fetchFile([source], context);
  writeFileSync(path, 'HELLO');
  expect((await fetchFile([source], context)).sha256).toBe(digest('hello'));
  expect(readFileSync(path, 'utf8')).toBe('hello');
});

test('a failing source gives way to the next, and when all fail each is named with what it said', async () => {
  const good = { reference: `${url}/data.txt` };
  expect((await fetchFile([{ reference: 'file:/no/such/file' }, { reference: `${url}/missing` }, good], context)).servedBy).toBe(
    `${url}/data.txt`,
  );
  const failing = fetchFile([{ reference: 'file:/no/such/file' }, { reference: `${url}/gone?token=s3cret` }], context);
  await expect(failing).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringMatching(/no file \/no\/such\/file[\s\S]*HTTP 404/),
  });
  await expect(failing).rejects.not.toMatchObject({ message: expect.stringContaining('s3cret') });
});

test('a wrong digest is an integrity error, the bad download is gone, the user file is not', async () => {
  const path = join(folder, 'mine.bin');
  writeFileSync(path, 'mine');
  await expect(fetchFile([{ reference: `file:${path}`, sha256: digest('other') }], context)).rejects.toMatchObject({ code: 'integrity' });
  expect(existsSync(path)).toBe(true);
  await expect(fetchFile([{ reference: `${url}/data.txt`, sha256: digest('other') }], context)).rejects.toMatchObject({
    code: 'integrity',
  });
  expect(await listCache(context.cacheDirectory)).toEqual([]);
});

test('parts are joined in order', async () => {
  routes['/a.part1'] = { body: 'one ' };
  routes['/a.part2'] = { body: 'two' };
  const file = await fetchFile([{ reference: `${url}/a.part1 + ${url}/a.part2`, sha256: digest('one two') }], context);
  expect(readFileSync(file.path, 'utf8')).toBe('one two');
  expect(file.path.endsWith('/a')).toBe(true);
});

test('an address from data may not reach this machine; a redirect of the user may stay but not go to metadata services', async () => {
  await expect(fetchFile([{ reference: `${url}/data.txt` }], { ...context, urlsFrom: 'data' })).rejects.toMatchObject({ code: 'access' });
  await expect(
    fetchFile([{ reference: `${url.replace('127.0.0.1', 'localhost')}/data.txt` }], { ...context, urlsFrom: 'data' }),
  ).rejects.toMatchObject({ code: 'access' });
  expect(seen).toEqual([]);
  routes['/hop'] = { status: 302, headers: { location: '/data.txt' } };
  routes['/meta'] = { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } };
  routes['/file'] = { status: 302, headers: { location: 'file:///etc/passwd' } };
  expect((await fetchFile([{ reference: `${url}/hop` }], context)).sha256).toBe(digest('hello'));
  await expect(fetchFile([{ reference: `${url}/meta` }], context)).rejects.toMatchObject({
    code: 'access',
    message: expect.stringContaining('hop 2'),
  });
  await expect(fetchFile([{ reference: `${url}/file` }], context)).rejects.toMatchObject({ code: 'access' });
});

test('a host that accepts but never answers is given up after the time limit', async () => {
  const silent = createTcpServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const start = performance.now();
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/x`;
  await expect(fetchFile([{ reference: address }], { ...context, answerTimeoutMs: 300 })).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('did not answer'),
  });
  expect(performance.now() - start).toBeLessThan(2000);
  silent.close();
});

test('a cache that cannot be written is a storage error, and no further source is tried', async () => {
  const blocked = join(folder, 'a-file');
  writeFileSync(blocked, '');
  const sources = [{ reference: `${url}/data.txt` }, { reference: `${url}/other.txt` }];
  await expect(fetchFile(sources, { ...context, cacheDirectory: join(blocked, 'cache') })).rejects.toMatchObject({
    code: 'storage',
    hint: expect.stringContaining('SLMBENCH_CACHE'),
  });
  expect(seen.length).toBe(0);
});

test('an endless redirect ends', async () => {
  routes['/loop'] = { status: 302, headers: { location: '/loop' } };
  await expect(fetchFile([{ reference: `${url}/loop` }], context)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('redirects'),
  });
});
