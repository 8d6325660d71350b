import { describe, expect, it } from 'vitest';
import { ToolError } from '../../core/errors.ts';
import { askPatiently } from './ask-patiently.ts';
import { createLoadLimiter } from './load-limiter.ts';
import { PassingFault, retryAfterMs } from './server-fault.ts';

/** A server that refuses what is beyond `capacity` requests in flight. */
async function drive(
  capacity: number,
  requests: number,
): Promise<{ readonly limit: number; readonly refused: number; readonly done: number }> {
  const limiter = createLoadLimiter({ start: 1, maximum: 256 });
  let inServer = 0;
  let refused = 0;
  let done = 0;
  await Promise.all(
    Array.from({ length: requests }, async () => {
      for (;;) {
        await limiter.acquire();
        if (inServer >= capacity) {
          refused++;
          limiter.release('overloaded');
          continue;
        }
        inServer++;
        await new Promise((resolve) => setImmediate(resolve));
        inServer--;
        done++;
        limiter.release('done');
        return;
      }
    }),
  );
  return { limit: limiter.limit(), refused, done };
}

describe('load limiter', () => {
  it('grows while the server keeps up, and settles near what it can do', async () => {
    const { limit, refused, done } = await drive(16, 3000);
    expect(done).toBe(3000);
    expect(limit).toBeGreaterThanOrEqual(7);
    expect(limit).toBeLessThanOrEqual(17);
    expect(refused / done).toBeLessThan(0.05);
  });

  it('reaches the maximum quickly where nothing is refused', async () => {
    const { limit, refused } = await drive(Number.POSITIVE_INFINITY, 1200);
    expect(limit).toBe(256);
    expect(refused).toBe(0);
  });

  it('counts a storm of refusals once, and never goes below one', async () => {
    const limiter = createLoadLimiter({ start: 32, maximum: 64 });
    await Promise.all(Array.from({ length: 32 }, () => limiter.acquire()));
    for (let refusal = 0; refusal < 32; refusal++) limiter.release('overloaded');
    expect(limiter.limit()).toBe(16);
    for (let round = 0; round < 40; round++) {
      await limiter.acquire();
      limiter.release('overloaded');
    }
    expect(limiter.limit()).toBe(1);
    expect(limiter.inFlight()).toBe(0);
  });

  it('lets a waiting request be cancelled without losing its place', async () => {
    const limiter = createLoadLimiter({ start: 1, maximum: 1 });
    await limiter.acquire();
    const abort = new AbortController();
    const waiting = limiter.acquire(abort.signal);
    const next = limiter.acquire();
    abort.abort(new Error('no more'));
    await expect(waiting).rejects.toThrow('no more');
    limiter.release('done');
    await next;
    expect(limiter.inFlight()).toBe(1);
  });
});

describe('patience', () => {
  const quick = { retries: 0, overloadRetries: 1, firstPauseMs: 1 };
  const fault = (after: number | null = null, overload = false) =>
    new PassingFault(new ToolError('transport', 'turned away'), after, overload);

  it('tries again what may pass, as often as allowed, and then says so', async () => {
    let tries = 0;
    const attempt = async () => {
      tries++;
      throw fault();
    };
    const thrown = await askPatiently(attempt, { ...quick, retries: 3 }, null).catch((error: unknown) => error);
    expect(tries).toBe(4);
    expect(thrown).toMatchObject({ code: 'transport', message: 'turned away (after 3 retries)', isRetryable: false });
  });

  it('never tries again what the server answered', async () => {
    let tries = 0;
    const attempt = async () => {
      tries++;
      throw new ToolError('backend', 'HTTP 500');
    };
    await expect(askPatiently(attempt, { ...quick, retries: 3 }, null)).rejects.toThrow('HTTP 500');
    expect(tries).toBe(1);
  });

  it('waits as long as the server asks', async () => {
    let tries = 0;
    const startMs = performance.now();
    const attempt = async () => {
      if (++tries === 1) throw fault(120, true);
      return 'answer';
    };
    expect(await askPatiently(attempt, { ...quick, retries: 1 }, createLoadLimiter({ maximum: 4 }))).toBe('answer');
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(118);
  });

  it('a refusal of one holds back the others for that time', async () => {
    const limiter = createLoadLimiter({ start: 4, maximum: 4 });
    await limiter.acquire();
    limiter.release('overloaded', 80);
    const startMs = performance.now();
    await limiter.acquire();
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(79);
  });

  it('stops waiting when cancelled', async () => {
    const abort = new AbortController();
    const work = askPatiently(async () => Promise.reject(fault(60_000)), { ...quick, retries: 3 }, null, abort.signal);
    setTimeout(() => abort.abort(), 10);
    await expect(work).rejects.toMatchObject({ code: 'interrupted' });
  });

  it.each([
    ['1', 1000],
    ['0.5', 500],
    ['100000', 120_000],
    ['-3', 0],
    ['soon', null],
    [undefined, null],
  ])('reads Retry-After %j', (header, expected) => {
    expect(retryAfterMs(header) === null ? null : Math.round(retryAfterMs(header)!)).toBe(expected);
  });

  it('reads Retry-After as a date', () => {
    const inFive = new Date(Date.now() + 5000).toUTCString();
    expect(retryAfterMs(inFive)).toBeGreaterThan(3000);
    expect(retryAfterMs(inFive)).toBeLessThanOrEqual(5000);
  });
});
