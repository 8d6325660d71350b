import { expect, test } from 'vitest';
import { type FakeBackendOptions, fakeBackend } from '../../../test/contract/run-store-fakes.ts';
import { ToolError } from '../../core/errors.ts';
import { defaultGenerationSettings } from '../../core/generation.ts';
import { openEndpoints, poolEndpoints, splitEndpoints } from './endpoint-pool.ts';

const request = { prompt: { kind: 'text', text: 'Q: q3\nA:' }, settings: defaultGenerationSettings } as const;
const pause = (durationMs: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, durationMs));
const endpoint = (name: string, options: FakeBackendOptions) => ({ name, backend: fakeBackend(options) });

test('requests go to the least loaded endpoint, never beyond its limit, and a slow one gets fewer', async () => {
  const inFlight = { a: 0, b: 0 };
  let most = 0;
  const answer = (name: 'a' | 'b', durationMs: number) => async () => {
    most = Math.max(most, ++inFlight[name]);
    await pause(durationMs);
    inFlight[name]--;
    return 'x';
  };
  const pool = poolEndpoints([endpoint('a', { answer: answer('a', 5) }), endpoint('b', { answer: answer('b', 40) })], { limit: 2 });
  expect(pool.capabilities.preferredConcurrency.generate).toBe(8);
  await Promise.all(Array.from({ length: 60 }, () => pool.generate(request)));
  const [a, b] = pool.endpoints();
  expect(most).toBe(2);
  expect(a!.answered + b!.answered).toBe(60);
  expect(a!.answered).toBeGreaterThan(2 * b!.answered);
  expect(b!.answered).toBeGreaterThan(0);
});

test('a dead endpoint costs no answer, rests, and is used again when it is back', async () => {
  let isDead = true;
  const dead = endpoint('dead', {
    answer: () => {
      if (isDead) throw new ToolError('transport', 'connection refused', { isRetryable: true });
      return 'back';
    },
  });
  const pool = poolEndpoints([dead, endpoint('well', { answer: () => 'well' })], { pauseMs: 30 });
  const answers = await Promise.all(Array.from({ length: 20 }, () => pool.generate(request)));
  expect(answers.every((answer) => answer.text.includes('well'))).toBe(true);
  expect(pool.endpoints()[0]).toMatchObject({ state: 'resting', answered: 0 });
  expect(pool.endpoints()[0]!.failures).toBeLessThanOrEqual(4);
  isDead = false;
  for (let tries = 0; tries < 100 && pool.endpoints()[0]!.answered === 0; tries++) {
    await pause(10);
    await pool.generate(request);
  }
  expect(pool.endpoints()[0]!.answered).toBeGreaterThan(0);
});

test('when all are dead the failure is told; other errors are not asked elsewhere', async () => {
  let calls = 0;
  const failing = (code: 'transport' | 'context-overflow') => (): string => {
    calls++;
    throw new ToolError(code, 'no');
  };
  const dead = () =>
    poolEndpoints(
      ['a', 'b'].map((name) => endpoint(name, { answer: failing('transport') })),
      { pauseMs: 1 },
    );
  await expect(dead().generate(request)).rejects.toMatchObject({ code: 'transport' });
  expect(calls).toBe(2);
  calls = 0;
  const long = poolEndpoints(['a', 'b'].map((name) => endpoint(name, { answer: failing('context-overflow') })));
  await expect(long.generate(request)).rejects.toMatchObject({ code: 'context-overflow' });
  expect(calls).toBe(1);
});

test('draining lets requests in flight end and sends no more', async () => {
  const slow = (name: string) => endpoint(name, { answer: () => pause(30).then(() => name) });
  const pool = poolEndpoints([slow('a'), slow('b')]);
  const running = Promise.all(Array.from({ length: 4 }, () => pool.generate(request)));
  await pool.drain('a');
  expect(pool.endpoints()[0]).toMatchObject({ state: 'draining', inFlight: 0 });
  await running;
  const before = pool.endpoints()[0]!.answered;
  await Promise.all(Array.from({ length: 6 }, () => pool.generate(request)));
  expect(pool.endpoints()[0]!.answered).toBe(before);
  await pool.drain('b');
  await expect(pool.generate(request)).rejects.toMatchObject({ code: 'transport' });
});

test('several addresses in one reference', async () => {
  expect(splitEndpoints('http://a:1/v1+https://b/v1')).toEqual(['http://a:1/v1', 'https://b/v1']);
  expect(splitEndpoints('http://a/x+y')).toEqual(['http://a/x+y']);
  const opened: string[] = [];
  const open = async (url: string) => {
    opened.push(url);
    return fakeBackend();
  };
  const pool = await openEndpoints('http://a:1/v1+http://b:2/v1', open);
  expect(opened).toEqual(['http://a:1/v1', 'http://b:2/v1']);
  expect(pool.identity.settings['endpoints']).toBe(2);
});
