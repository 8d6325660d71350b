// One round of chaos: workers killed again and again, the database restarted, one worker cut off; the result must be the local one.
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { canonicalText } from '../../src/app/canonical.ts';
import { exportRun } from '../../src/app/distributed/export-run.ts';
import { submit } from '../../src/app/distributed/submit.ts';
import { evaluateRequest } from '../../src/app/evaluate-request.ts';
import type { EvaluationRequest } from '../../src/app/evaluation-request.ts';
import { openRun } from '../../src/app/open-run.ts';
import { verify } from '../../src/app/verify.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import { createRandom } from '../../src/stats/random.ts';
import { openSharedStore, type SharedStore } from '../../src/store/postgres/shared-store.ts';
import type { TestDatabase } from './distributed-database.ts';
import { openRelay } from './distributed-proxy.ts';
import type { WorkerChildOptions } from './distributed-worker-child.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly samples: number;
  readonly workers: number;
  readonly killsPerWorker: number;
  readonly restarts: number;
  readonly latencyMs: number;
}

export interface ChaosResult {
  readonly status: string;
  readonly kills: number;
  /** Kills at which the killed worker held a chunk. */
  readonly killsInFlight: number;
  readonly restarts: number;
  /** The worker that was cut off held a chunk when it happened. */
  readonly cutInFlight: boolean;
  readonly rows: number;
  readonly isIdentical: boolean;
  readonly differences: readonly unknown[];
  readonly durationMs: number;
}

const lostAfterSeconds = 2;
const mostSelfEnded = 30;
const child = fileURLToPath(new URL('./distributed-worker-child.ts', import.meta.url));

/**
 * Data and script: most answers right, some wrong, empty or failing, so that every outcome is there to be lost or doubled.
 * @param hasFailures - false: none fails, for measurements that must not count second tries
 */
export function writeChaosFiles(
  folder: string,
  samples: number,
  latencyMs: number,
  hasFailures = true,
): { readonly model: string; readonly data: string } {
  mkdirSync(folder, { recursive: true });
  const rows = Array.from({ length: samples }, (_, index) => ({
    text: `item ${index} of the list`,
    label: index % 2 === 0 ? 'even' : 'odd',
  }));
  const data = join(folder, 'numbers.jsonl');
  writeFileSync(data, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const script = {
    name: 'numbers',
    defaults: { latencyMs },
    rules: [
      { pattern: 'item \\d*77 of', text: '' },
      ...(hasFailures ? [{ pattern: 'item \\d*501 of', fail: { code: 'backend', message: 'scripted failure' } }] : []),
      { pattern: 'item \\d*3[0-4] of', text: 'odd' },
      { pattern: 'item \\d*[02468] of', text: 'even' },
      { pattern: 'item \\d+ of', text: 'odd' },
    ],
  };
  const model = join(folder, 'numbers.json');
  writeFileSync(model, JSON.stringify(script));
  return { model: `scripted:${model}`, data };
}

export function chaosRequest(
  files: ReturnType<typeof writeChaosFiles>,
  output: string,
  over: Partial<EvaluationRequest> = {},
): EvaluationRequest {
  return {
    assignments: [],
    models: [files.model],
    tasks: [files.data],
    settings: { concurrency: 4, maxErrorRate: 0.1, profile: false },
    generation: {},
    adapters: [],
    dataFile: { columns: [], taskType: 'classification' },
    output,
    dryRun: false,
    force: false,
    fresh: false,
    offline: true,
    commandLine: 'slmbench submit',
    ...over,
  };
}

export interface WorkerProcess {
  readonly id: string;
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
}

export function startWorker(
  url: string,
  id: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
  options: WorkerChildOptions = {},
): WorkerProcess {
  const facts: WorkerChildOptions = { lostAfterSeconds, ...options };
  const started = spawn(process.execPath, [child, url, id, join(folder, 'runs'), JSON.stringify(facts)], {
    // Starting is most of a worker's short life here: compiled modules are kept. The worker runs under plain Node, not under the test runner.
    env: { ...process.env, VITEST: undefined, NODE_ENV: undefined, NODE_COMPILE_CACHE: join(folder, 'compiled'), ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  started.stderr.pipe(createWriteStream(join(folder, 'workers.log'), { flags: 'a' }));
  return { id, process: started, ended: new Promise((resolve) => started.once('exit', (code) => resolve(code))) };
}

export async function isOver(store: SharedStore, runId: string): Promise<boolean> {
  const [row] = await store.database.query<{ over: boolean }>(
    'select s.ended is not null as over from slmbench.submissions s join slmbench.runs r on r.number = s.run where r.id = $1',
    [runId],
  );
  return row!.over;
}

async function holdsChunk(store: SharedStore, id: string): Promise<boolean> {
  const rows = await store.database.query(`select from slmbench.chunks where worker = $1 and state = 'active'`, [id]);
  return rows.length > 0;
}

/** Slots whose worker holds a chunk and may still be killed. */
async function holders(store: SharedStore, workers: readonly WorkerProcess[], killsLeft: readonly number[]): Promise<number[]> {
  const rows = await store.database.query<{ worker: string }>(`select distinct worker from slmbench.chunks where state = 'active'`);
  const names = new Set(rows.map(({ worker }) => worker));
  return workers.flatMap(({ id }, slot) => (names.has(id) && killsLeft[slot]! > 0 ? [slot] : []));
}

async function waitFor(condition: () => Promise<boolean>, limitMs: number): Promise<boolean> {
  for (const end = performance.now() + limitMs; performance.now() < end; ) {
    if (await condition()) return true;
    await sleep(20);
  }
  return false;
}

async function canonicalOf(folder: string): Promise<string> {
  let text = '';
  for await (const line of canonicalText(await openRun(folder, await openWorkspace({ offline: true })))) text += line;
  return text;
}

/** @param folder - a fresh folder for data, runs and logs */
export async function chaosRound(server: TestDatabase, name: string, folder: string, options: ChaosOptions): Promise<ChaosResult> {
  const startMs = performance.now();
  const random = createRandom(options.seed, 'chaos');
  const files = writeChaosFiles(folder, options.samples, options.latencyMs);
  await server.createDatabase(name);
  const store = await openSharedStore(server.url(name), { environment: server.environment, patienceMs: 60_000 });
  const relay = await openRelay(server.port);
  const cutUrl = server.url(name).replace(`:${server.port}/`, `:${relay.port}/`);
  let generation = 0;
  // The first worker reaches the database through the relay.
  const start = (slot: number): WorkerProcess =>
    startWorker(slot === 0 ? cutUrl : server.url(name), `w${slot}-${generation++}`, folder, server.environment);
  const workers = Array.from({ length: options.workers }, (_, slot) => start(slot));
  const killsLeft = workers.map(() => options.killsPerWorker);
  let [kills, killsInFlight, restarts, selfEnded] = [0, 0, 0, 0];
  let cutInFlight = false;
  try {
    const { runId } = await submit(chaosRequest(files, join(folder, 'runs')), store, { samples: 25, longestRetryDelaySeconds: 1 });
    const total = options.workers * options.killsPerWorker;
    const restartAt = Array.from({ length: options.restarts }, (_, index) => Math.floor(((index + 1) * total) / (options.restarts + 1)));
    const cutAt = Math.floor(total / 4);
    while (kills < total && !(await isOver(store, runId))) {
      // A worker that came while the database was away has ended by itself: a cluster starts it again, and so does this.
      for (const [slot, { process: running }] of workers.entries()) {
        if (running.exitCode === null) continue;
        if (++selfEnded > mostSelfEnded) throw new Error(`workers end by themselves; see ${folder}/workers.log`);
        workers[slot] = start(slot);
      }
      // A random one of those that are at work now.
      const busy = await holders(store, workers, killsLeft);
      if (busy.length === 0) {
        await sleep(20);
        continue;
      }
      if (!cutInFlight && kills >= cutAt && busy.includes(0)) {
        relay.cut();
        cutInFlight = true;
        setTimeout(relay.heal, (lostAfterSeconds + 2) * 1000);
      }
      const slot = busy[random.below(busy.length)]!;
      const victim = workers[slot]!;
      await sleep(random.below(150));
      victim.process.kill('SIGKILL');
      await victim.ended;
      // Asked after its death: what it holds now it held when it died.
      if (await holdsChunk(store, victim.id)) killsInFlight++;
      kills++;
      killsLeft[slot]!--;
      workers[slot] = start(slot);
      if (restartAt.includes(kills)) {
        await server.restart();
        restarts++;
      }
    }
    if (!(await waitFor(() => isOver(store, runId), 180_000))) throw new Error(`the run did not end; see ${folder}/workers.log`);
    const { record, folder: shared } = await exportRun(store, runId, join(folder, 'shared'));
    const local = await evaluateRequest(chaosRequest({ ...files, ...writeChaosFiles(folder, options.samples, 0) }, join(folder, 'local')));
    if (local.kind !== 'record') throw new Error('no local record');
    const [one, other] = [await canonicalOf(shared), await canonicalOf(local.folder)];
    const { differences } = await verify(shared, await openWorkspace({ offline: true, output: join(folder, 'shared') }));
    const [count] = await store.database.query<{ n: string }>('select count(*) as n from slmbench.predictions');
    return {
      status: record.status,
      kills,
      killsInFlight,
      restarts,
      cutInFlight,
      rows: Number(count!.n),
      isIdentical: withoutDigest(one) === withoutDigest(other),
      differences,
      durationMs: performance.now() - startMs,
    };
  } finally {
    relay.heal();
    for (const { process: running } of workers) running.kill('SIGKILL');
    await Promise.all(workers.map(({ ended }) => ended));
    await relay.close();
    await store.close();
  }
}

/** The local run answers without delay, so its script has another digest: the model's identity, not an answer. */
function withoutDigest(canonical: string): string {
  return canonical
    .replace(/"digest":"[0-9a-f]{64}","key"/, '"key"')
    .replace(/"backend":"scripted","digest":"[0-9a-f]{64}"/, '"backend":"scripted"');
}
