// Throughput, claim latency and overhead of the queue path: `node bench/distributed/queue-throughput.ts [samples] [latencyMs]`.
// Four workers share one run of the scripted backend; latency 0 measures the harness alone, 100 its share of ordinary samples.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { submit } from '../../src/app/distributed/submit.ts';
import { openSharedStore } from '../../src/store/postgres/shared-store.ts';
import { chaosRequest, isOver, startWorker, writeChaosFiles } from '../../test/system/distributed-chaos.ts';
import { startDatabase } from '../../test/system/distributed-database.ts';

const samples = Number(process.argv[2] ?? 20_000);
const latencyMs = Number(process.argv[3] ?? 0);
const workerCount = 4;
const concurrency = 4;
const server = await startDatabase();
const folder = await mkdtemp(join(tmpdir(), 'slmbench-throughput-'));
await server.createDatabase('bench');
const store = await openSharedStore(server.url('bench'), { environment: server.environment });
const workers = Array.from({ length: workerCount }, (_, slot) => startWorker(server.url('bench'), `w${slot}`, folder, server.environment));
// Workers that are still starting would be measured as slow ones.
while ((await store.database.query('select from slmbench.workers')).length < workerCount) await sleep(100);
const request = chaosRequest(writeChaosFiles(folder, samples, latencyMs), join(folder, 'runs'));
const { runId, chunks } = await submit(request, store);
const startMs = performance.now();
while (!(await isOver(store, runId))) await sleep(20);
const seconds = (performance.now() - startMs) / 1000;
const ideal = (samples * latencyMs) / 1000 / (workerCount * concurrency);
process.stdout.write(
  `${JSON.stringify({ samples, chunks, latencyMs, seconds, samplesPerSecond: samples / seconds, overhead: ideal === 0 ? null : seconds / ideal - 1 })}\n`,
);
for (const worker of workers) worker.process.kill('SIGTERM');
await Promise.all(workers.map(({ ended }) => ended));
await store.close();
await server.stop();
await rm(folder, { recursive: true, force: true });
process.exit(0);
