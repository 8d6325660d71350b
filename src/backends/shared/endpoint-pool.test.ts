import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FakeBackendOptions, fakeBackend } from '../../../test/contract/run-store-fakes.ts';
import { ToolError } from '../../core/errors.ts';
import { defaultGenerationSettings } from '../../core/generation.ts';
import { parseDrainFile } from './drain-file.ts';
import { parseEndpoints } from './endpoint-address.ts';
import { type EndpointPool, type EndpointSource, openEndpointPool } from './endpoint-pool.ts';
import { openEndpoints } from './open-endpoints.ts';

const request = { prompt: { kind: 'text', text: 'Q: q3\nA:' }, settings: defaultGenerationSettings } as const;
const pause = (durationMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, durationMs));
const refused = (): ToolError => new ToolError('transport', 'connection refused');
const endpoint = (name: string, options: FakeBackendOptions = {}, limit: number | null = null): EndpointSource => ({
  name,
  limit,
  open: async () => fakeBackend(options),
});
/** A server that can be killed and started again. */
function mortal(name: string) {
  const state = { isDead: false, opened: 0 };
  const fail = (): void => {
    if (state.isDead) throw refused();
  };
  const source: EndpointSource = {
    name,
    limit: null,
    open: async () => {
      state.opened++;
      fail();
      return fakeBackend({
        answer: async () => {
          fail();
          await pause(2);
          fail();
          return name;
        },
      });
    },
  };
  return Object.assign(state, { source });
}
const askMany = (pool: EndpointPool, count: number) => Promise.all(Array.from({ length: count }, () => pool.generate(request)));
async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries++) await pause(5);
  expect(condition()).toBe(true);
}

test('requests go to the least loaded endpoint, never beyond its own limit, and a slow one gets fewer', async () => {
  const inFlight = { a: 0, b: 0 };
  const most = { a: 0, b: 0 };
  const answer = (name: 'a' | 'b', durationMs: number) => async () => {
    most[name] = Math.max(most[name], ++inFlight[name]);
    await pause(durationMs);
    inFlight[name]--;
    return 'x';
  };
  const pool = await openEndpointPool([endpoint('a', { answer: answer('a', 5) }, 3), endpoint('b', { answer: answer('b', 40) }, 1)]);
  expect(pool.capabilities.preferredConcurrency).toEqual({ generate: 4, score: 4 });
  await askMany(pool, 60);
  const [a, b] = pool.endpoints();
  expect(most).toEqual({ a: 3, b: 1 });
  expect(a!.answered + b!.answered).toBe(60);
  expect(a!.answered).toBeGreaterThan(2 * b!.answered);
  expect(b!.answered).toBeGreaterThan(0);
});

test('an endpoint that dies costs no answer, rests, and is used again when it is back', async () => {
  const weak = mortal('weak');
  const pool = await openEndpointPool([weak.source, endpoint('well', { answer: () => pause(2).then(() => 'well') })], { pauseMs: 10 });
  await askMany(pool, 8);
  expect(pool.endpoints()[0]!.answered).toBeGreaterThan(0);
  const running = askMany(pool, 40);
  weak.isDead = true;
  expect((await running).every((answer) => answer.text.length > 0)).toBe(true);
  expect(pool.endpoints()[0]!.state).toBe('resting');
  const before = pool.endpoints()[0]!.answered;
  weak.isDead = false;
  await until(() => pool.endpoints()[0]!.state === 'up');
  await askMany(pool, 20);
  expect(pool.endpoints()[0]!.answered).toBeGreaterThan(before);
});

test('an endpoint that cannot be reached at the start joins later; a run begins with the others', async () => {
  const late = mortal('late');
  late.isDead = true;
  const pool = await openEndpointPool([late.source, endpoint('well')], { pauseMs: 10 });
  expect(pool.identity.settings).toMatchObject({ endpoints: 2, endpointsReached: 1 });
  await askMany(pool, 10);
  late.isDead = false;
  await until(() => pool.endpoints()[0]!.state === 'up');
  await askMany(pool, 10);
  expect(pool.endpoints()[0]!.answered).toBeGreaterThan(0);
  expect(pool.identity.settings['endpointsReached']).toBeUndefined();
});

test('an endpoint that comes back with another model is not used again', async () => {
  const weak = mortal('weak');
  let served = 'm.gguf';
  const source: EndpointSource = {
    ...weak.source,
    open: async () => {
      const backend = await weak.source.open();
      return { ...backend, model: { ...backend.model, file: served } };
    },
  };
  const well = endpoint('well');
  const other: EndpointSource = {
    ...well,
    open: async () => {
      const backend = await well.open();
      return { ...backend, model: { ...backend.model, file: 'm.gguf' } };
    },
  };
  const pool = await openEndpointPool([source, other], { pauseMs: 5 });
  weak.isDead = true;
  await askMany(pool, 12);
  served = 'other.gguf';
  weak.isDead = false;
  await until(() => pool.endpoints()[0]!.state === 'refused');
  await askMany(pool, 4);
  await pool.close();
  await expect(openEndpointPool([source, other])).rejects.toMatchObject({ code: 'config' });
});

test('when all are dead the failure is told after a while; both back in time is no failure; other errors are not asked elsewhere', async () => {
  const [a, b] = [mortal('a'), mortal('b')];
  const pool = await openEndpointPool([a.source, b.source], { pauseMs: 1, patience: 4 });
  a.isDead = true;
  b.isDead = true;
  await expect(pool.generate(request)).rejects.toMatchObject({ code: 'transport' });
  expect(a.opened).toBeGreaterThan(1);
  const [e, f] = [mortal('e'), mortal('f')];
  const restarted = await openEndpointPool([e.source, f.source], { pauseMs: 30 });
  e.isDead = true;
  f.isDead = true;
  const asked = restarted.generate(request);
  setTimeout(() => {
    f.isDead = false;
  }, 60);
  expect((await asked).text).toBe('f');
  let calls = 0;
  const failing = (): string => {
    calls++;
    throw new ToolError('context-overflow', 'no');
  };
  const long = await openEndpointPool([endpoint('a', { answer: failing }), endpoint('b', { answer: failing })]);
  await expect(long.generate(request)).rejects.toMatchObject({ code: 'context-overflow' });
  expect(calls).toBe(1);
  await expect(openEndpointPool([a.source, b.source])).rejects.toMatchObject({ code: 'transport' });
});

test('a request that takes too long is asked once of each endpoint, not again and again', async () => {
  let calls = 0;
  const slow = (): string => {
    calls++;
    throw new ToolError('timeout', 'too long');
  };
  const pool = await openEndpointPool([endpoint('a', { answer: slow }), endpoint('b', { answer: slow })], { pauseMs: 1 });
  await expect(pool.generate(request)).rejects.toMatchObject({ code: 'timeout' });
  expect(calls).toBe(2);
});

test('draining lets requests in flight end and sends no more; all drained means waiting, not failing', async () => {
  const slow = (name: string) => endpoint(name, { answer: () => pause(30).then(() => name) });
  const pool = await openEndpointPool([slow('a'), slow('b')]);
  const running = askMany(pool, 4);
  await pause(1);
  pool.drain(new Set(['a']));
  expect(pool.endpoints()[0]).toMatchObject({ state: 'draining', inFlight: 2 });
  await running;
  const before = pool.endpoints()[0]!.answered;
  expect((await askMany(pool, 6)).every(({ text }) => text === 'b')).toBe(true);
  expect(pool.endpoints()[0]!.answered).toBe(before);
  pool.drain(new Set(['a', 'b']));
  const waiting = pool.generate(request);
  await pause(20);
  pool.drain(new Set(['b']));
  expect((await waiting).text).toBe('a');
  pool.drain(new Set(['a', 'b']));
  const stop = new AbortController();
  const stopped = pool.generate(request, { signal: stop.signal });
  stop.abort(new Error('stopped'));
  await expect(stopped).rejects.toThrow('stopped');
});

test('several addresses in one reference, each with its limit', async () => {
  expect(parseEndpoints('http://a:1/v1+https://b/v1#limit=8')).toEqual([
    { url: 'http://a:1/v1', name: 'a:1', limit: null },
    { url: 'https://b/v1', name: 'b', limit: 8 },
  ]);
  expect(parseEndpoints('http://a/x+y')).toEqual([{ url: 'http://a/x+y', name: 'a', limit: null }]);
  for (const wrong of ['http://a#limit=0', 'http://a#limit=many', 'http://a#weight=2', 'http://a/v1+http://a/v1']) {
    expect(() => parseEndpoints(wrong)).toThrow(expect.objectContaining({ code: 'usage' }));
  }
  const opened: [string, boolean][] = [];
  const open = async (url: string, isOneOfMany: boolean) => {
    opened.push([url, isOneOfMany]);
    return fakeBackend();
  };
  const pool = await openEndpoints('http://a:1/v1#limit=2+http://b:2/v1', { open });
  const urls: [string, boolean][] = [
    ['http://a:1/v1', true],
    ['http://b:2/v1', true],
  ];
  expect(opened).toEqual(urls);
  expect(pool.identity.settings['endpoints']).toBe(2);
  expect(pool.capabilities.preferredConcurrency.generate).toBe(6);
  opened.length = 0;
  expect((await openEndpoints('http://a:1/v1', { open })).identity.settings['endpoints']).toBeUndefined();
  expect((await openEndpoints('http://a:1/v1#limit=3', { open })).capabilities.preferredConcurrency.generate).toBe(3);
  expect(opened).toEqual([
    ['http://a:1/v1', false],
    ['http://a:1/v1', false],
  ]);
});

test('the drain file steers a pool while it works', async () => {
  expect(parseDrainFile('a:1 # broken fan\n\nhttp://b:2/v1\n#c:3\n')).toEqual(new Set(['a:1', 'b:2']));
  const folder = mkdtempSync(join(tmpdir(), 'slmbench-drain-'));
  const file = join(folder, 'drain');
  const environment = { SLMBENCH_DRAIN_FILE: file };
  const pool = (await openEndpoints('http://a:1/v1+http://b:2/v1', { open: async () => fakeBackend(), environment })) as EndpointPool;
  expect(pool.endpoints().map(({ state }) => state)).toEqual(['up', 'up']);
  writeFileSync(file, 'b:2\n');
  await until(() => pool.endpoints()[1]!.state === 'draining');
  rmSync(file);
  await until(() => pool.endpoints()[1]!.state === 'up');
  await pool.close();
  rmSync(folder, { recursive: true });
});
