// Throughput, CPU, claim latency and overhead of the queue path: `node bench/distributed/queue-throughput.ts [samples] [samples of 100 ms]`.
// Four workers share runs of the scripted backend: one that answers at once shows what the harness costs, one that takes 100 ms a
// sample shows its share of ordinary work, beside the same run in one process with as many requests in flight.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { submit } from '../../src/app/distributed/submit.ts';
import { evaluateRequest } from '../../src/app/evaluate-request.ts';
import { openSharedStore } from '../../src/store/postgres/shared-store.ts';
import { chaosRequest, isOver, startWorker, writeChaosFiles } from '../../test/system/distributed-chaos.ts';
import { freePort, startDatabase } from '../../test/system/distributed-database.ts';
import { cpuSecondsOfTree, parentOf } from './process-cpu.ts';

const fastSamples = Number(process.argv[2] ?? 20_000);
const slowSamples = Number(process.argv[3] ?? 12_000);
const slowMs = 100;
const workerCount = 4;
const concurrency = 4;
const server = await startDatabase();
const folder = await mkdtemp(join(tmpdir(), 'slmbench-throughput-'));
await server.createDatabase('bench');
const store = await openSharedStore(server.url('bench'), { environment: server.environment });
const [backend] = await store.database.query<{ id: number }>('select pg_backend_pid() as id');
const postmaster = parentOf(backend!.id);
const ports = await Promise.all(Array.from({ length: workerCount }, freePort));
const workers = ports.map((metricsPort, slot) =>
  startWorker(server.url('bench'), `w${slot}`, folder, server.environment, { metricsPort, lostAfterSeconds: 30 }),
);
// Workers that are still starting would be measured as slow ones.
while ((await store.database.query('select from slmbench.workers')).length < workerCount) await sleep(100);

interface Measured {
  readonly seconds: number;
  readonly chunks: number;
  readonly workerCpuMs: number;
  readonly databaseCpuMs: number;
}

function cpuSeconds(): { readonly worker: number; readonly database: number } {
  return {
    worker: workers.reduce((sum, worker) => sum + cpuSecondsOfTree(worker.process.pid!), 0),
    database: cpuSecondsOfTree(postmaster),
  };
}

async function measure(name: string, samples: number, latencyMs: number): Promise<Measured> {
  const request = chaosRequest(writeChaosFiles(join(folder, name), samples, latencyMs, false), join(folder, 'runs'));
  const before = cpuSeconds();
  const startMs = performance.now();
  const { runId, chunks } = await submit(request, store);
  while (!(await isOver(store, runId))) await sleep(20);
  const seconds = (performance.now() - startMs) / 1000;
  const after = cpuSeconds();
  return {
    seconds,
    chunks,
    workerCpuMs: ((after.worker - before.worker) * 1000) / samples,
    databaseCpuMs: ((after.database - before.database) * 1000) / samples,
  };
}

/** Claims of all workers: how many, and the share that took at most 100 ms. */
async function claims(): Promise<{ readonly claims: number; readonly within100ms: number }> {
  const texts = await Promise.all(ports.map(async (port) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()));
  const sum = (pattern: RegExp): number => texts.reduce((total, text) => total + Number(pattern.exec(text)?.[1] ?? 0), 0);
  const all = sum(/slmbench_claim_seconds_count\S* (\d+)/);
  return { claims: all, within100ms: sum(/slmbench_claim_seconds_bucket\{le="0.1",\S* (\d+)/) / all };
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits));
const fast = await measure('fast', fastSamples, 0);
process.stdout.write(
  `${JSON.stringify({
    samples: fastSamples,
    chunks: fast.chunks,
    seconds: round(fast.seconds, 2),
    samplesPerSecond: Math.round(fastSamples / fast.seconds),
    cpuMsPerSample: { workers: round(fast.workerCpuMs, 3), database: round(fast.databaseCpuMs, 3) },
    samplesPerSecondOnTwoCores: Math.round(2000 / (fast.workerCpuMs + fast.databaseCpuMs)),
    ...(await claims()),
  })}\n`,
);
if (slowSamples > 0) {
  const slow = await measure('slow', slowSamples, slowMs);
  const inFlight = workerCount * concurrency;
  const localStartMs = performance.now();
  await evaluateRequest(
    chaosRequest(writeChaosFiles(join(folder, 'local'), slowSamples, slowMs, false), join(folder, 'local-runs'), {
      settings: { concurrency: inFlight, maxErrorRate: 0.1, profile: false },
    }),
  );
  const localSeconds = (performance.now() - localStartMs) / 1000;
  process.stdout.write(
    `${JSON.stringify({
      samples: slowSamples,
      sampleMs: slowMs,
      inFlight,
      chunks: slow.chunks,
      seconds: round(slow.seconds, 2),
      localSeconds: round(localSeconds, 2),
      idealSeconds: round((slowSamples * slowMs) / 1000 / inFlight, 2),
      overLocal: round(slow.seconds / localSeconds - 1, 4),
      ...(await claims()),
    })}\n`,
  );
}
for (const worker of workers) worker.process.kill('SIGTERM');
await Promise.all(workers.map(({ ended }) => ended));
await store.close();
await server.stop();
await rm(folder, { recursive: true, force: true });
process.exit(0);
