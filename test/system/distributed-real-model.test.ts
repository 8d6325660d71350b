// Two workers with the embedded engine share SmolLM2 on ARC-Easy and, with fixed batching, give exactly the figures of a single machine.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportRun } from '../../src/app/distributed/export-run.ts';
import { submit } from '../../src/app/distributed/submit.ts';
import { evaluateRequest } from '../../src/app/evaluate-request.ts';
import type { EvaluationRequest } from '../../src/app/evaluation-request.ts';
import { openSharedStore } from '../../src/store/postgres/shared-store.ts';
import { isOver, startWorker } from './distributed-chaos.ts';
import { startDatabase, type TestDatabase } from './distributed-database.ts';

let server: TestDatabase;
let folder = '';
beforeAll(async () => {
  server = await startDatabase();
  folder = await mkdtemp(join(tmpdir(), 'slmbench-real-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test('SmolLM2 on ARC-Easy', { timeout: 900_000 }, async () => {
  const request: EvaluationRequest = {
    assignments: [],
    models: ['smollm2-135m'],
    tasks: ['arc-easy'],
    settings: { samples: 32, threads: 1, profile: false, deterministic: true },
    generation: {},
    adapters: [],
    dataFile: { columns: [] },
    output: join(folder, 'runs'),
    dryRun: false,
    force: false,
    fresh: false,
    offline: false,
    commandLine: 'test',
  };
  const local = await evaluateRequest(request);
  if (local.kind !== 'record') throw new Error('no record');
  const store = await openSharedStore(server.url(), { environment: server.environment });
  const workers = ['one', 'two'].map((id) => startWorker(server.url(), id, folder, server.environment));
  try {
    const { runId } = await submit(request, store, { samples: 4 });
    for (const end = performance.now() + 600_000; performance.now() < end && !(await isOver(store, runId)); ) await sleep(100);
    const { record } = await exportRun(store, runId, join(folder, 'shared'));
    const busy = await store.database.query(`select distinct worker from slmbench.chunks where state = 'done'`);
    expect(busy).toHaveLength(2);
    const [shared, alone] = [record.results[0]!, local.record.results[0]!];
    expect(record.status).toBe('complete');
    expect(shared.primary?.n).toBe(32);
    expect(shared.primary?.value).toBe(alone.primary?.value);
    expect(shared.metrics.values).toEqual(alone.metrics.values);
  } finally {
    for (const { process: running } of workers) running.kill('SIGTERM');
    await Promise.all(workers.map(({ ended }) => ended));
    await store.close();
  }
});
