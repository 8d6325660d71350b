import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LoopbackHub, startLoopbackHub } from './__fixtures__/loopback-hub.ts';
import { fetchFile } from './fetch-file.ts';
import { listHubFiles } from './hf/hub-api.ts';
import type { FetchProgress, SourceContext } from './source-context.ts';

const weights = randomBytes(3_000_000);
const files = {
  'model-Q4_K_M.gguf': { content: weights, large: true },
  'model-Q8_0.gguf': { content: Buffer.from('eight'), large: true },
  'config.json': { content: Buffer.from('{"a":1}'), large: false },
  'sub/..\\..\\evil.gguf': { content: Buffer.from('x'), large: true },
};
const sha256 = createHash('sha256').update(weights).digest('hex');
let hub: LoopbackHub;
let folder: string;
let context: SourceContext;

beforeEach(async () => {
  hub = await startLoopbackHub('owner/repo', files);
  folder = mkdtempSync(join(tmpdir(), 'hub-'));
  context = {
    cacheDirectory: join(folder, 'cache'),
    offline: false,
    environment: { HF_ENDPOINT: hub.url, HF_HOME: join(folder, 'hf'), HF_TOKEN: 'good' },
  };
});
afterEach(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});
const fetchModel = (options: Partial<SourceContext> = {}, expected: { sha256?: string } = {}) =>
  fetchFile([{ reference: 'hf:owner/repo@main/model-Q4_K_M.gguf', ...expected }], { ...context, ...options });

test('a large file follows the redirect without the token and lands in the hub cache layout', async () => {
  const progress: FetchProgress[] = [];
  const file = await fetchModel({ onProgress: (step) => progress.push(step) });
  expect(file).toMatchObject({ sha256, sizeBytes: weights.length, fromCache: false, revision: hub.commit });
  expect(file.path).toBe(join(folder, 'hf/hub/models--owner--repo/snapshots', hub.commit, 'model-Q4_K_M.gguf'));
  expect(readdirSync(join(folder, 'hf/hub/models--owner--repo/blobs'))).toEqual([sha256]);
  expect(readFileSync(join(folder, 'hf/hub/models--owner--repo/refs/main'), 'utf8')).toBe(hub.commit);
  const toHub = hub.requests.filter((request) => request.server === 'hub');
  const toContent = hub.requests.filter((request) => request.server === 'content');
  expect(toHub.every((request) => request.headers.authorization === 'Bearer good')).toBe(true);
  expect(toContent.length).toBeGreaterThan(0);
  expect(toContent.some((request) => request.headers.authorization !== undefined)).toBe(false);
  expect(progress.at(-1)).toMatchObject({ doneBytes: weights.length, totalBytes: weights.length, name: 'model-Q4_K_M.gguf' });
});

test('a broken transfer resumes by a range and the bytes are right', async () => {
  hub.breakAfterBytes = 1_000_000;
  expect((await fetchModel()).sha256).toBe(sha256);
  const ranges = hub.requests.filter((request) => request.server === 'content').map((request) => request.headers.range);
  expect(ranges[0]).toBeUndefined();
  expect(Number(/bytes=(\d+)-/.exec(ranges[1]!)![1])).toBeGreaterThan(0);
});

test('a partial file of another version is not continued', async () => {
  const blobs = join(folder, 'hf/hub/models--owner--repo/blobs');
  mkdirSync(blobs, { recursive: true });
  writeFileSync(join(blobs, `${sha256}.part`), 'stale');
  writeFileSync(join(blobs, `${sha256}.part.json`), JSON.stringify({ etag: '"other"' }));
  expect((await fetchModel()).sha256).toBe(sha256);
});

test('a small file is checked by its git object id', async () => {
  const file = await fetchFile([{ reference: 'hf:owner/repo/config.json' }], context);
  expect(readFileSync(file.path, 'utf8')).toBe('{"a":1}');
});

test('the second fetch of a pinned file makes no request, offline neither; an unreachable hub falls back to the cache', async () => {
  await fetchModel();
  const before = hub.requests.length;
  expect(await fetchModel({}, { sha256 })).toMatchObject({ fromCache: true });
  expect(await fetchModel({ offline: true })).toMatchObject({ fromCache: true, sha256 });
  expect(hub.requests.length).toBe(before);
  await hub.close();
  expect(await fetchModel()).toMatchObject({ fromCache: true, sha256 });
});

test('offline without a cache is a clear error and makes no request', async () => {
  await expect(fetchModel({ offline: true })).rejects.toMatchObject({ code: 'unavailable' });
  expect(hub.requests).toEqual([]);
});

test('gated: access error with the licence page; the token opens it', async () => {
  hub.gated = true;
  const anonymous = { HF_ENDPOINT: hub.url, HF_HOME: join(folder, 'hf') };
  await expect(fetchModel({ environment: anonymous })).rejects.toMatchObject({
    code: 'access',
    hint: expect.stringContaining(`${hub.url}/owner/repo`),
  });
  expect((await fetchModel()).sha256).toBe(sha256);
});

test('a missing file, revision and repository each say so, the file with the nearest name', async () => {
  await expect(fetchFile([{ reference: 'hf:owner/repo/model-Q4_K_N.gguf' }], context)).rejects.toMatchObject({
    code: 'not-found',
    hint: 'did you mean "model-Q4_K_M.gguf"?',
  });
  await expect(fetchFile([{ reference: 'hf:owner/repo@v9/config.json' }], context)).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('revision "v9"'),
  });
  await expect(fetchFile([{ reference: 'hf:owner/other/config.json' }], context)).rejects.toMatchObject({ code: 'not-found' });
});

test('the listing is read over all pages; a name that leaves the folder is not in it', async () => {
  const listing = await listHubFiles({ repositoryKind: 'models', repository: 'owner/repo', revision: 'main' }, context);
  expect(listing.commit).toBe(hub.commit);
  expect(listing.files.map((file) => file.path)).toEqual(['model-Q4_K_M.gguf', 'model-Q8_0.gguf', 'config.json']);
});

test('429 with Retry-After is waited for', async () => {
  hub.busyTimes = 1;
  hub.hubBusyTimes = 1;
  const start = performance.now();
  await fetchModel();
  expect(performance.now() - start).toBeGreaterThan(1900);
});

test('a wrong sha256 is an integrity error and no file stays', async () => {
  await expect(fetchModel({}, { sha256: '0'.repeat(64) })).rejects.toMatchObject({ code: 'integrity' });
  expect(existsSync(join(folder, 'hf/hub/models--owner--repo/blobs', sha256))).toBe(false);
});

test.skipIf(process.platform !== 'linux')('a full disk is a storage error and leaves no half file', async () => {
  const blobs = join(folder, 'hf/hub/models--owner--repo/blobs');
  mkdirSync(blobs, { recursive: true });
  symlinkSync('/dev/full', join(blobs, `${sha256}.part`));
  await expect(fetchModel()).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('disk is full') });
  expect(readdirSync(blobs)).toEqual([]);
});

test('two fetches at once transfer the bytes once', async () => {
  const [first, second] = await Promise.all([fetchModel(), fetchModel()]);
  expect(first.sha256).toBe(second.sha256);
  expect(hub.requests.filter((request) => request.server === 'content').length).toBe(1);
});

test('an abort stops at once and the next call resumes', async () => {
  const abort = new AbortController();
  await expect(fetchModel({ signal: abort.signal, onProgress: () => abort.abort() })).rejects.toMatchObject({ code: 'interrupted' });
  expect((await fetchModel()).sha256).toBe(sha256);
});
