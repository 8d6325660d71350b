// A watch measures only what changed, tells about real regressions, and sends no secrets.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendHistory, readHistory } from '../../src/app/watch/history.ts';
import { notify } from '../../src/app/watch/notify.ts';
import { redactSecrets } from '../../src/app/watch/redact-secrets.ts';
import { openSchedule } from '../../src/app/watch/schedule.ts';
import { watch } from '../../src/app/watch/watch.ts';
import { localPlace } from '../../src/app/watch/watch-place.ts';
import { type TickResult, watchFolder } from '../../src/app/watch/watch-tick.ts';
import { chaosRequest, writeChaosFiles } from './distributed-chaos.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slmbench-watch-'));
});
afterAll(async () => rm(folder, { recursive: true, force: true }));

async function tick(targets = {}): Promise<TickResult> {
  const files = { model: `scripted:${join(folder, 'numbers.json')}`, data: join(folder, 'numbers.jsonl') };
  const results: TickResult[] = [];
  await watch({
    request: { ...chaosRequest(files, join(folder, 'runs')), settings: { profile: false, maxErrorRate: 0.1 } },
    folder: watchFolder(join(folder, 'runs'), 'nightly.yml'),
    place: localPlace(watchFolder(join(folder, 'runs'), 'nightly.yml')),
    pace: null,
    targets,
    hooks: {},
    force: false,
    cron: null,
    onTick: (result) => results.push(result),
    onNote: () => undefined,
    signal: new AbortController().signal,
  });
  return results[0]!;
}

test('first tick measures, the second finds nothing new, a worse model behind the same name raises an alarm', async () => {
  writeChaosFiles(folder, 120, 0);
  const first = await tick();
  expect(first.stale.map(({ reason }) => reason)).toEqual(['never measured']);
  expect(first.runs).toHaveLength(1);
  expect(await tick()).toMatchObject({ stale: [], runs: [], alarms: [] });
  await writeFile(join(folder, 'numbers.json'), JSON.stringify({ name: 'numbers', rules: [{ pattern: '.', text: 'odd' }] }));
  const alarmFile = join(folder, 'alarms.jsonl');
  const worse = await tick({ file: alarmFile });
  expect(worse.stale[0]!.reason).toMatch(/^the model changed/);
  expect(worse.alarms.map(({ kind }) => kind)).toEqual(['model-changed', 'regression']);
  expect((await readFile(alarmFile, 'utf8')).trim().split('\n')).toHaveLength(2);
  const state = watchFolder(join(folder, 'runs'), 'nightly.yml');
  const history = await readHistory(state);
  expect(history.entries).toHaveLength(2);
  expect(history.ticks).toHaveLength(3);
  expect(await readFile(join(state, 'trend.svg'), 'utf8')).toContain('<polyline');
  expect(await readFile(join(state, 'trend.md'), 'utf8')).toContain('numbers on');
  // Better again: told as a change, not as an alarm.
  writeChaosFiles(folder, 120, 0);
  expect((await tick()).alarms.map(({ kind }) => kind)).toEqual(['model-changed']);
});

test('a torn last line of the history is passed over, damage elsewhere is named with its line', async () => {
  const place = join(folder, 'torn');
  await appendHistory(place, [{ tick: '2026-11-30T03:00:00.000Z', stale: 0, alarms: 0 }]);
  await writeFile(join(place, 'history.jsonl'), `${await readFile(join(place, 'history.jsonl'), 'utf8')}{"tick":"2026`);
  expect((await readHistory(place)).ticks).toHaveLength(1);
  await writeFile(join(place, 'history.jsonl'), 'nonsense\n');
  await expect(readHistory(place)).rejects.toMatchObject({ code: 'integrity', message: expect.stringContaining(':1:') });
});

test('missed ticks are made up for once, and ticks never overlap', async () => {
  const schedule = openSchedule('0 3 * * *', 'UTC');
  const now = new Date('2026-11-30T12:00:00Z');
  expect(schedule.missed(new Date('2026-11-27T03:00:05Z'), now)).toBe(true);
  expect(schedule.missed(new Date('2026-11-30T03:00:05Z'), now)).toBe(false);
  expect(schedule.missed(null, now)).toBe(false);
  expect(schedule.next(now)?.toISOString()).toBe('2026-12-01T03:00:00.000Z');
  expect(() => openSchedule('every night')).toThrow(expect.objectContaining({ code: 'usage' }));
  const stop = new AbortController();
  let [running, most, ticks] = [0, 0, 0];
  const done = openSchedule('* * * * * *').run(async () => {
    most = Math.max(most, ++running);
    ticks++;
    await new Promise((resolve) => setTimeout(resolve, 2300));
    running--;
  }, stop.signal);
  await new Promise((resolve) => setTimeout(resolve, 5500));
  stop.abort();
  await done;
  expect(most).toBe(1);
  expect(ticks).toBeGreaterThanOrEqual(1);
  expect(running).toBe(0);
});

test('webhook, file and command get the alarm without secrets; a broken one is reported, not thrown', async () => {
  const bodies: string[] = [];
  let refusals = 1;
  const server = createServer((request, response) => {
    if (refusals-- > 0) {
      response.writeHead(503).end();
      return;
    }
    request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
    request.on('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env['TEAM_API_KEY'] = 'sk-test-1234567890abcdef';
  const alarm = {
    kind: 'regression',
    text: `failed with sk-test-1234567890abcdef at http://ann:pa55word@host/v1`,
    at: 'now',
    recipe: 'r',
    runId: null,
    details: { encoded: Buffer.from('sk-test-1234567890abcdef').toString('base64') },
  } as const;
  const file = join(folder, 'out.jsonl');
  const copy = join(folder, 'copy.json');
  const { port } = server.address() as { port: number };
  const failures = await notify(alarm, { url: `http://127.0.0.1:${port}/hook`, file, command: `cat > '${copy}'` });
  expect(failures).toEqual([]);
  for (const text of [...bodies, await readFile(file, 'utf8'), await readFile(copy, 'utf8')]) {
    expect(text).not.toMatch(/sk-test|pa55word|c2stdGVzd/);
    expect(text).toContain('***');
  }
  expect(bodies).toHaveLength(1);
  expect(await notify(alarm, { command: 'exit 3', url: `http://127.0.0.1:${port}/hook` })).toEqual(['command: the command ended with 3']);
  server.close();
  expect(redactSecrets('short x', { MY_KEY: 'x' })).toBe('short x');
  delete process.env['TEAM_API_KEY'];
});
