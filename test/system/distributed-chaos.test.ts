// Nothing is lost and nothing doubled, whatever dies. Five seeds here; bench/distributed/chaos-nightly.ts runs a hundred.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chaosRound } from './distributed-chaos.ts';
import { startDatabase, type TestDatabase } from './distributed-database.ts';

let server: TestDatabase;
let folder = '';
beforeAll(async () => {
  server = await startDatabase();
  folder = await mkdtemp(join(tmpdir(), 'slmbench-chaos-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test.each([1, 2, 3, 4, 5])(
  'seed %i: 40 kills, two restarts of the database and a partition leave the local result',
  { timeout: 600_000 },
  async (seed) => {
    const result = await chaosRound(server, `chaos${seed}`, join(folder, String(seed)), {
      seed,
      samples: 2000,
      workers: 4,
      killsPerWorker: 10,
      restarts: 2,
      latencyMs: 600,
    });
    expect(result).toMatchObject({
      status: 'complete',
      kills: 40,
      restarts: 2,
      cutInFlight: true,
      rows: 2000,
      isIdentical: true,
      differences: [],
    });
    // A kill may fall between a chunk's end and the next claim, but not often.
    expect(result.killsInFlight).toBeGreaterThanOrEqual(36);
  },
);
