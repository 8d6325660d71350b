// The distributed use cases as the command line calls them: each opens the shared store, does its work and closes it.
import type { EventListener } from '../../core/events.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';
import { loadSharedStore } from '../../store/registry.ts';
import type { EvaluationHooks, EvaluationRequest, EvaluationResult } from '../evaluation-request.ts';
import { openWorkspace } from '../workspace.ts';
import { readStatus } from './control.ts';
import { exportRun } from './export-run.ts';
import { countSamples, openSharedProgress } from './shared-progress.ts';
import { type SubmitOptions, type Submitted, submit } from './submit.ts';
import { defaultLostAfterSeconds, newWorkerId, runWorker, type WorkerOptions } from './worker.ts';
import { openWorkerLog } from './worker-log.ts';
import { openWorkerMetrics, serveHealth } from './worker-metrics.ts';

/** How long a worker waits for a database that is away. */
const patienceMs = 15 * 60_000;
const tellOthersEveryMs = 10_000;

export async function withSharedStore<T>(database: string | undefined, work: (store: SharedStore) => Promise<T>): Promise<T> {
  const store = await loadSharedStore(database);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export async function submitTo(
  database: string | undefined,
  request: EvaluationRequest,
  options: SubmitOptions,
  listener: EventListener,
): Promise<Submitted> {
  return withSharedStore(database, (store) => submit(request, store, options, listener));
}

export interface WorkOnOptions extends WorkerOptions {
  readonly metricsPort?: number | undefined;
  readonly metricsHost?: string | undefined;
  readonly runsFolder?: string | undefined;
  /** Where log lines go. */
  readonly write: (line: string) => void;
}

/** A worker with its log, metrics and health server. @returns chunks done */
export async function workOn(database: string | undefined, options: WorkOnOptions): Promise<number> {
  const id = options.id ?? newWorkerId();
  const metrics = openWorkerMetrics(id, (options.lostAfterSeconds ?? defaultLostAfterSeconds) * 1000);
  const store = await loadSharedStore(database, {
    patienceMs,
    onOutage: (message) => {
      metrics.outage(message !== null);
      log.write(message === null ? 'info' : 'warn', message ?? 'the database is back');
    },
  });
  const log = openWorkerLog({ worker: id, store, write: options.write });
  const health = options.metricsPort === undefined ? null : await serveHealth(metrics, options.metricsPort, options.metricsHost);
  if (health !== null) log.write('info', 'metrics and health are served', { port: health.port });
  try {
    const workspace = await openWorkspace({ offline: options.offline, output: options.runsFolder });
    return await runWorker({ store, workspace, log, metrics, options: { ...options, id } });
  } finally {
    await health?.close();
    await store.close();
  }
}

/**
 * `slmbench run --database`: submits the plan (or joins it), works on it together with all other workers, and brings the finished run
 * into the local runs folder.
 */
export async function runOnDatabase(
  database: string | undefined,
  request: EvaluationRequest,
  hooks: EvaluationHooks,
): Promise<EvaluationResult> {
  const listener = hooks.listener ?? (() => undefined);
  const submitted = await submitTo(database, request, {}, listener);
  const now = new Date().toISOString();
  const what = submitted.joined ? 'joined' : 'submitted';
  listener({ kind: 'note', at: now, message: `${what} run ${submitted.runId}` });
  await withSharedStore(database, async (store) => {
    const { runId, plan } = submitted;
    const doneByAll = async (): Promise<number> => {
      const { samples, doneSamples } = (await readStatus(store, runId)).runs[0]!;
      // What an earlier try has left done is in no chunk.
      return countSamples(plan) - samples + doneSamples;
    };
    const progress = openSharedProgress({ runId, plan, done: await doneByAll(), listener });
    const asking = setInterval(() => void doneByAll().then(progress.total, () => undefined), tellOthersEveryMs);
    try {
      await workOn(database, {
        onlyRun: runId,
        offline: request.offline,
        signal: hooks.finish,
        stop: hooks.stop,
        listener: progress.listener,
        write: () => undefined,
      });
    } finally {
      clearInterval(asking);
    }
  });
  if (hooks.finish?.aborted === true) {
    listener({ kind: 'note', at: now, message: `run ${submitted.runId} goes on with the other workers; the same command joins it again` });
  }
  const workspace = await openWorkspace({ offline: request.offline, output: request.output });
  const { record, folder } = await withSharedStore(database, (store) => exportRun(store, submitted.runId, workspace.runsFolder));
  const files = ['record.json', 'report.html', 'predictions.jsonl'].map((name) => ({
    what: name.split('.')[0]!,
    path: `${folder}/${name}`,
  }));
  return { kind: 'record', record, folder, files, exitCode: record.status === 'failed' ? 1 : record.status === 'partial' ? 130 : 0 };
}
