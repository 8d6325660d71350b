// A watch that machines share through a database: one tick for all, missed ones made up for once, never two at a time.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type SharedWatchOptions, watchOnDatabase } from '../../src/app/watch/shared-watch.ts';
import { type TickResult, watchFolder } from '../../src/app/watch/watch-tick.ts';
import { openSharedStore, type SharedStore } from '../../src/store/postgres/shared-store.ts';
import { openWatchSchedule, type WatchSchedule, watchQueue } from '../../src/store/postgres/watch-schedule.ts';
import { readWatchLines, withWatchLock } from '../../src/store/postgres/watch-table.ts';
import { chaosRequest, writeChaosFiles } from './distributed-chaos.ts';
import { startDatabase, type TestDatabase } from './distributed-database.ts';

let server: TestDatabase;
let folder = '';
let count = 0;
let store: SharedStore;
let name = '';
beforeAll(async () => {
  server = await startDatabase();
  process.env['PGPASSWORD'] = server.password;
  folder = await mkdtemp(join(tmpdir(), 'slmbench-watch-shared-'));
});
beforeEach(async () => {
  await store?.close();
  name = `watch${++count}`;
  await server.createDatabase(name);
  store = await openSharedStore(server.url(name));
});
afterAll(async () => {
  await store.close();
  await server.stop();
  delete process.env['PGPASSWORD'];
  await rm(folder, { recursive: true, force: true });
});

/** Options of one machine with a runs folder of its own. */
function machine(own: string, over: Partial<SharedWatchOptions> = {}): SharedWatchOptions & { readonly ticks: TickResult[] } {
  const files = { model: `scripted:${join(folder, name, 'numbers.json')}`, data: join(folder, name, 'numbers.jsonl') };
  const runs = join(folder, name, own);
  const ticks: TickResult[] = [];
  return {
    ticks,
    name: 'nightly',
    request: { ...chaosRequest(files, runs), settings: { profile: false, maxErrorRate: 0.1 } },
    folder: watchFolder(runs, 'nightly.yml'),
    targets: {},
    hooks: {},
    force: false,
    cron: null,
    onTick: (result) => ticks.push(result),
    onNote: () => undefined,
    signal: new AbortController().signal,
    ...over,
  };
}

test('a tick on one machine knows what another machine measured, and compares with its run', async () => {
  writeChaosFiles(join(folder, name), 120, 0);
  const [one, other] = [machine('one'), machine('other')];
  await watchOnDatabase(server.url(name), one);
  expect(one.ticks[0]!.stale.map(({ reason }) => reason)).toEqual(['never measured']);
  await watchOnDatabase(server.url(name), other);
  expect(other.ticks[0]).toMatchObject({ stale: [], runs: [] });
  await writeFile(join(folder, name, 'numbers.json'), JSON.stringify({ name: 'numbers', rules: [{ pattern: '.', text: 'odd' }] }));
  await watchOnDatabase(server.url(name), other);
  // The run before was measured on the first machine: it was fetched from the database.
  expect(other.ticks[1]!.alarms.map(({ kind }) => kind)).toEqual(['model-changed', 'regression']);
  expect(await readWatchLines(store.database, 'nightly')).toHaveLength(5);
});

test('a machine that comes while another one is at a tick is told so', async () => {
  writeChaosFiles(join(folder, name), 20, 0);
  await withWatchLock(store.database, 'nightly', async () => {
    await expect(watchOnDatabase(server.url(name), machine('late'))).rejects.toMatchObject({ code: 'locked' });
    await expect(withWatchLock(store.database, 'weekly', async () => 'free')).resolves.toBe('free');
  });
  await expect(withWatchLock(store.database, 'nightly', async () => 'free again')).resolves.toBe('free again');
});

test('seconds and nonsense are refused as schedules', async () => {
  await expect(watchOnDatabase(server.url(name), machine('a', { cron: '*/5 * * * * *' }))).rejects.toMatchObject({ code: 'usage' });
  await expect(watchOnDatabase(server.url(name), machine('b', { cron: 'every night' }))).rejects.toMatchObject({ code: 'usage' });
});

async function openMachines(pattern: string, machines: number): Promise<WatchSchedule[]> {
  return Promise.all(
    Array.from({ length: machines }, () =>
      openWatchSchedule(store.database, { watch: 'nightly', pattern, timeZone: 'UTC', pollSeconds: 0.5, onWarning: () => undefined }),
    ),
  );
}

test('ticks missed while no machine was there are made up for by one tick on one machine', async () => {
  for (const schedule of await openMachines('0 3 * * *', 1)) await schedule.close();
  // As if the last machine had been there four days ago.
  await store.database.query(`update slmbench_queue.schedule set created_on = created_on - interval '5 days'`);
  await store.database.query(`update slmbench_queue.version set cron_on = now() - interval '4 days'`);
  const stop = new AbortController();
  let ticks = 0;
  const schedules = await openMachines('0 3 * * *', 3);
  const running = schedules.map((schedule) =>
    schedule.run(async () => {
      ticks++;
    }, stop.signal),
  );
  for (const end = performance.now() + 60_000; performance.now() < end && ticks === 0; ) await sleep(100);
  await sleep(8000);
  expect(ticks).toBe(1);
  stop.abort();
  await Promise.all(running);
  for (const schedule of schedules) await schedule.close();
});

test('ticks never overlap over machines; one that comes due meanwhile follows; a failed one is made again', async () => {
  const stop = new AbortController();
  const schedules = await openMachines('* * * * *', 3);
  let [running, most, ticks, failures] = [0, 0, 0, 0];
  const machines = schedules.map((schedule) =>
    schedule.run(async () => {
      most = Math.max(most, ++running);
      await sleep(3000);
      running--;
      if (failures++ === 0) throw new Error('the network is away');
      ticks++;
    }, stop.signal),
  );
  // Many ticks come due at once: one is made, one waits, the others are the same tick.
  const queue = watchQueue('nightly');
  const send = async (): Promise<void> => {
    await store.database.query(`update slmbench_queue.job set start_after = now() where name = $1 and state = 'retry'`, [queue]);
    await store.database.query(
      `insert into slmbench_queue.job (name, data, policy, retry_limit, retry_delay)
       values ($1, '{}', 'stately', 5, 0) on conflict do nothing`,
      [queue],
    );
  };
  for (const end = performance.now() + 60_000; performance.now() < end && ticks < 3; ) {
    await send();
    await sleep(200);
  }
  expect(most).toBe(1);
  expect(ticks).toBeGreaterThanOrEqual(3);
  stop.abort();
  await Promise.all(machines);
  expect(running).toBe(0);
  for (const schedule of schedules) await schedule.close();
});

test('a due tick comes from the database by the minute', { timeout: 200_000 }, async () => {
  const stop = new AbortController();
  const schedules = await openMachines('* * * * *', 2);
  let ticks = 0;
  const running = schedules.map((schedule) =>
    schedule.run(async () => {
      ticks++;
    }, stop.signal),
  );
  for (const end = performance.now() + 150_000; performance.now() < end && ticks < 1; ) await sleep(200);
  stop.abort();
  await Promise.all(running);
  expect(ticks).toBe(1);
  for (const schedule of schedules) await schedule.close();
});
