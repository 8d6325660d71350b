// `slmbench worker`: takes chunks that it can run, keeps their rows, and writes the record of a run whose last chunk is settled.
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../core/errors.ts';
import type { RunEvent } from '../../core/events.ts';
import type { RunSession, SessionOrigin } from '../../runner/run-facts.ts';
import { buryChunk, type ClaimedChunk, endChunk, returnChunk, startChunk, takeLostChunks } from '../../store/postgres/chunk-table.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';
import { readSubmission, settledRuns } from '../../store/postgres/submission-table.ts';
import { type Claim, openWorkQueue, type WorkQueue } from '../../store/postgres/work-queue.ts';
import { announceWorker, forgetOldWorkers, removeWorker } from '../../store/postgres/worker-table.ts';
import { readSessionOrigin } from '../session-origin.ts';
import type { Workspace } from '../workspace.ts';
import { type Abilities, type AbilityOptions, readAbilities } from './abilities.ts';
import { executeChunk } from './execute-chunk.ts';
import { finishSharedRun } from './finish-shared-run.ts';
import { type ModelKeeper, openModelKeeper } from './model-keeper.ts';
import { addSession } from './session-sum.ts';
import type { SharedRun } from './shared-run.ts';
import { type FoundWork, openWorkFinder, type WorkFinder } from './work-finder.ts';
import type { WorkerLog } from './worker-log.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

export interface WorkerOptions extends AbilityOptions {
  readonly id?: string | undefined;
  /** Seconds without a sign of life after which others take a worker's chunk; signs are given three times as often. @default 30 */
  readonly lostAfterSeconds?: number | undefined;
  /** End after so long without work, ms; undefined: never. */
  readonly exitWhenIdleMs?: number | undefined;
  /** End when this run is over, and work on no other. */
  readonly onlyRun?: string | undefined;
  /** Times a chunk with failed samples is tried again before the errors stand. @default 1 */
  readonly errorRetries?: number | undefined;
  readonly retryDelaySeconds?: number | undefined;
  readonly longestRetryDelaySeconds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly stop?: AbortSignal | undefined;
  readonly listener?: ((event: RunEvent) => void) | undefined;
}

export interface WorkerInput {
  readonly store: SharedStore;
  readonly workspace: Workspace;
  readonly log: WorkerLog;
  readonly metrics: WorkerMetrics;
  readonly options: WorkerOptions;
}

const idlePauseMs = 200;
const forgetEveryMs = 3_600_000;
export const defaultLostAfterSeconds = 30;

export function newWorkerId(): string {
  return `${hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`;
}

/** Works until it is told to stop, is idle for long enough, or its run is over. @returns chunks done */
export async function runWorker(input: WorkerInput): Promise<number> {
  const queue = await openWorkQueue(input.store.database, {
    retryDelaySeconds: input.options.retryDelaySeconds,
    longestRetryDelaySeconds: input.options.longestRetryDelaySeconds,
    heartbeatSeconds: Math.max(10, 2 * (input.options.lostAfterSeconds ?? defaultLostAfterSeconds)),
    onWarning: (message) => input.log.write('warn', `queue: ${message}`),
  });
  const worker = new Worker(input, queue, await readSessionOrigin('slmbench worker'));
  try {
    return await worker.run();
  } finally {
    await worker.close();
    await queue.stop();
  }
}

class Worker {
  readonly #input: WorkerInput;
  readonly #queue: WorkQueue;
  readonly #origin: SessionOrigin;
  readonly #id: string;
  readonly #abilities: Abilities;
  readonly #finder: WorkFinder;
  readonly #models: ModelKeeper = openModelKeeper();
  readonly #sessions = new Map<string, RunSession>();
  readonly #lostAfterSeconds: number;
  #claim: Claim | null = null;
  #doing: string | null = null;
  /** Ends the chunk in hand when its run is cancelled. */
  #cancel = new AbortController();
  #lastDutyMs = Number.NEGATIVE_INFINITY;
  #forgotAtMs = Number.NEGATIVE_INFINITY;
  #beating: NodeJS.Timeout | null = null;

  constructor(input: WorkerInput, queue: WorkQueue, origin: SessionOrigin) {
    const { store, workspace, options, log } = input;
    this.#input = input;
    this.#queue = queue;
    this.#origin = origin;
    this.#id = options.id ?? newWorkerId();
    this.#lostAfterSeconds = options.lostAfterSeconds ?? defaultLostAfterSeconds;
    this.#abilities = readAbilities({ ...options, offline: workspace.offline });
    this.#finder = openWorkFinder({
      store,
      queue,
      workspace,
      abilities: this.#abilities,
      onlyRun: options.onlyRun,
      onRefusal: (reason, { run, runId }) => log.write('warn', `cannot take this work: ${reason}`, { run: runId }, run),
    });
  }

  get #isStopping(): boolean {
    const { signal, stop } = this.#input.options;
    return signal?.aborted === true || stop?.aborted === true;
  }

  async run(): Promise<number> {
    const { options, log } = this.#input;
    await this.#beat();
    this.#beating = setInterval(() => void this.#beat(), (this.#lostAfterSeconds * 1000) / 3);
    log.write('info', 'worker started', { abilities: this.#abilities });
    let done = 0;
    let busyAtMs = performance.now();
    while (!this.#isStopping) {
      await this.#duties();
      const work = await this.#find();
      if (work !== null) {
        if (await this.#work(work)) done++;
        busyAtMs = performance.now();
        continue;
      }
      if (options.onlyRun !== undefined && (await this.#isOver(options.onlyRun))) break;
      if (options.exitWhenIdleMs !== undefined && performance.now() - busyAtMs > options.exitWhenIdleMs) break;
      await sleep(idlePauseMs, undefined, { signal: options.signal }).catch(() => undefined);
    }
    log.write('info', 'worker ends', { chunks: done });
    return done;
  }

  async close(): Promise<void> {
    if (this.#beating !== null) clearInterval(this.#beating);
    await this.#models.close();
    await this.#finder.close();
    await this.#input.log.flush();
    await removeWorker(this.#input.store.database, this.#id).catch(() => undefined);
  }

  async #find(): Promise<FoundWork | null> {
    const work = await this.#finder.next(this.#models.loaded());
    if (work !== null) this.#input.metrics.claim(work.claimMs);
    return work;
  }

  /** Sign of life; learns at the same time whether the run in hand was cancelled. */
  async #beat(): Promise<void> {
    const { store, metrics } = this.#input;
    const claim = this.#claim;
    try {
      const abilities = JSON.stringify({ ...this.#abilities, refuses: this.#finder.refusals() });
      await announceWorker(store.database, { id: this.#id, host: hostname(), pid: process.pid, abilities, doing: this.#doing });
      metrics.beat();
      if (claim === null) return;
      await this.#queue.touch(claim);
      if ((await readSubmission(store.database, claim.run))?.state !== 'open' && this.#claim === claim) this.#cancel.abort();
    } catch {
      // The statement that needs the database next will say so.
    }
  }

  async #isOver(runId: string): Promise<boolean> {
    const [row] = await this.#input.store.database.query<{ over: boolean }>(
      'select s.ended is not null as over from slmbench.submissions s join slmbench.runs r on r.number = s.run where r.id = $1',
      [runId],
    );
    return row?.over !== false;
  }

  /** What any worker does for all: free the chunks of lost ones, bury dead ones, finish settled runs. */
  async #duties(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#lastDutyMs < Math.min(2000, (this.#lostAfterSeconds * 1000) / 3)) return;
    this.#lastDutyMs = nowMs;
    const { store, log } = this.#input;
    for (const claim of await takeLostChunks(store.database, this.#lostAfterSeconds)) {
      log.write('warn', 'took a chunk from a lost worker', { chunk: claim.chunk }, claim.run);
      await this.#queue.fail(claim, 'its worker was lost');
    }
    for (const { run, chunk } of await this.#queue.takeDead()) {
      await buryChunk(store.database, run, chunk);
      log.write('error', 'a chunk has used up its tries', { chunk }, run);
    }
    await this.#finishSettled();
    if (nowMs - this.#forgotAtMs < forgetEveryMs) return;
    this.#forgotAtMs = nowMs;
    await forgetOldWorkers(store.database);
  }

  async #finishSettled(): Promise<void> {
    const { store, log } = this.#input;
    for (const entry of await settledRuns(store.database)) {
      try {
        const finished = await finishSharedRun(store, await this.#finder.sharedRun(entry), this.#origin);
        if (finished === null) continue;
        const { record, reportFailure } = finished;
        log.write('info', 'record written', { run: entry.runId, status: record.status }, entry.run);
        if (reportFailure !== null) log.write('error', `no report: ${reportFailure}`, { run: entry.runId }, entry.run);
      } catch (error) {
        log.write('error', `the record could not be written: ${messageOf(error)}`, { run: entry.runId }, entry.run);
      }
    }
  }

  async #work({ claim, open }: FoundWork): Promise<boolean> {
    const { store, metrics, log } = this.#input;
    const chunk = await startChunk(store.database, claim, this.#id);
    if (chunk === null) {
      await this.#queue.complete(claim);
      return false;
    }
    this.#claim = claim;
    this.#doing = `${chunk.runId} chunk ${chunk.chunk}`;
    this.#cancel = new AbortController();
    metrics.busy(true);
    try {
      return await this.#execute(claim, chunk, open);
    } catch (error) {
      log.write('error', `chunk failed: ${messageOf(error)}`, { run: chunk.runId, chunk: chunk.chunk }, chunk.run);
      metrics.chunk('failed');
      await returnChunk(store.database, chunk.job, this.#id, messageOf(error), false);
      await this.#queue.fail(claim, messageOf(error));
      return false;
    } finally {
      metrics.busy(false);
      this.#claim = null;
      this.#doing = null;
    }
  }

  async #execute(claim: Claim, chunk: ClaimedChunk, open: FoundWork['open']): Promise<boolean> {
    const { store, metrics, log, options } = this.#input;
    const shared = await this.#finder.sharedRun(chunk);
    const model = await this.#models.get(chunk.queue, () => this.#load(chunk, shared, open));
    const signals = [this.#cancel.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const startMs = performance.now();
    const result = await executeChunk({
      store,
      shared,
      chunk,
      model,
      origin: this.#origin,
      listener: (event) => this.#hear(event),
      signal: AbortSignal.any(signals),
      stopNow: AbortSignal.any([this.#cancel.signal, ...(options.stop === undefined ? [] : [options.stop])]),
    });
    const facts = {
      run: chunk.runId,
      chunk: chunk.chunk,
      rows: result.kept,
      errors: result.errors,
      durationMs: Math.round(performance.now() - startMs),
    };
    const isWhole = result.kept === chunk.samples;
    const retries = result.errors > 0 && chunk.errorTries < (options.errorRetries ?? 1);
    if (!isWhole || retries) {
      const reason = isWhole
        ? `${result.errors} samples failed`
        : this.#cancel.signal.aborted
          ? 'cancelled'
          : 'the worker was told to stop';
      // A sick engine is not handed to the next chunk.
      if (result.errors > 0) await this.#models.close();
      await returnChunk(store.database, chunk.job, this.#id, reason, isWhole);
      await this.#queue.fail(claim, reason);
      metrics.chunk('returned');
      log.write('warn', `chunk given back: ${reason}`, facts, chunk.run);
      return false;
    }
    const sum = result.session === null ? null : addSession(this.#sessions.get(chunk.run) ?? null, result.session);
    if (sum !== null) this.#sessions.set(chunk.run, sum);
    await endChunk(store.database, chunk.job, chunk.run, this.#id, sum === null ? null : JSON.stringify(sum));
    await this.#queue.complete(claim);
    metrics.chunk('done');
    log.write('info', 'chunk done', facts, chunk.run);
    // The last chunk of a run is followed by its record at once.
    this.#lastDutyMs = Number.NEGATIVE_INFINITY;
    return true;
  }

  async #load(chunk: ClaimedChunk, shared: SharedRun, open: FoundWork['open']) {
    const { key } = shared.plan.models[chunk.model]!;
    try {
      const backend = await open();
      this.#input.metrics.modelLoaded(backend.load.loadMs);
      this.#input.log.write('info', 'model loaded', { run: chunk.runId, model: key, loadMs: backend.load.loadMs }, chunk.run);
      return backend;
    } catch (error) {
      this.#finder.refuse(chunk.queue, messageOf(error));
      throw error;
    }
  }

  #hear(event: RunEvent): void {
    const { metrics, options } = this.#input;
    if (event.kind === 'sample-finished') {
      metrics.samples(event.outcome);
      if (event.totalMs !== null) metrics.sampleTime(event.totalMs);
    }
    options.listener?.(event);
  }
}
