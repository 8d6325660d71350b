// One model during a run: loaded at first need, watched for engine restarts and runs of failures, closed and verified gone.
import { messageOf } from '../core/errors.ts';
import type { EventListener } from '../core/events.ts';
import type { PlannedModel } from '../core/plan.ts';
import type { Backend } from '../core/ports/backend.ts';
import type { Clock } from '../core/ports/clock.ts';

const goneWithinMs = 10_000;
const pollMs = 50;

export interface ModelSessionInput {
  readonly model: PlannedModel;
  readonly open: (model: PlannedModel) => Promise<Backend>;
  readonly clock: Clock;
  readonly emit: EventListener;
  /** Is this process still there? Without it, closing is trusted. */
  readonly isProcessAlive: ((processId: number) => boolean) | undefined;
  /** Consecutive failures after which the model is given up. */
  readonly maxConsecutiveErrors: number;
}

export class ModelSession {
  readonly model: PlannedModel;
  readonly #input: ModelSessionInput;
  #opening: Promise<Backend | null> | null = null;
  #backend: Backend | null = null;
  #processIds = '';
  #consecutiveErrors = 0;
  #restarts = 0;
  #givenUp: string | null = null;

  constructor(input: ModelSessionInput) {
    this.#input = input;
    this.model = input.model;
  }

  get backend(): Backend | null {
    return this.#backend;
  }
  get restarts(): number {
    return this.#restarts;
  }
  /** Why no further request is sent to this model, or null. */
  get givenUp(): string | null {
    return this.#givenUp;
  }

  /** The loaded model, or null (with `givenUp` set) when it cannot be loaded. */
  load(): Promise<Backend | null> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async #open(): Promise<Backend | null> {
    const { model, clock, emit, open } = this.#input;
    emit({ kind: 'model-loading', at: clock.utc(), model: model.key });
    try {
      this.#backend = await open(model);
    } catch (error) {
      this.#givenUp = `the model could not be loaded: ${messageOf(error)}`;
      emit({ kind: 'model-failed', at: clock.utc(), model: model.key, message: messageOf(error) });
      return null;
    }
    this.#processIds = this.#currentProcesses();
    emit({ kind: 'model-loaded', at: clock.utc(), model: model.key, loadMs: this.#backend.load.loadMs });
    return this.#backend;
  }

  succeeded(): void {
    this.#consecutiveErrors = 0;
  }

  /** Counts an error outcome that tells about the model's health (not about one sample). */
  failed(message: string): void {
    if (++this.#consecutiveErrors < this.#input.maxConsecutiveErrors || this.#givenUp !== null) return;
    this.#givenUp = `given up after ${this.#consecutiveErrors} errors in a row, the last: ${message}`;
    const { model, clock, emit } = this.#input;
    emit({ kind: 'model-failed', at: clock.utc(), model: model.key, message: this.#givenUp });
  }

  /** Notices that the engine runs in other processes than before. */
  noticeRestart(reason: string): void {
    const current = this.#currentProcesses();
    if (current === '' || current === this.#processIds) return;
    const isRestart = this.#processIds !== '';
    this.#processIds = current;
    if (!isRestart) return;
    this.#restarts++;
    const { model, clock, emit } = this.#input;
    emit({ kind: 'engine-restarted', at: clock.utc(), model: model.key, reason });
  }

  /** Closes the model; returns a note when its processes stay behind, since the next model's figures then mean less. */
  async close(): Promise<string | null> {
    const backend = this.#backend;
    if (backend === null) return null;
    const { model, clock, emit, isProcessAlive } = this.#input;
    const processIds = backend.processesOutliveClose === true ? [] : backend.processIds();
    this.#backend = null;
    let note: string | null = null;
    try {
      await backend.close();
    } catch (error) {
      note = `closing ${model.key} failed: ${messageOf(error)}`;
    }
    for (let waitedMs = 0; isProcessAlive !== undefined && processIds.some(isProcessAlive); waitedMs += pollMs) {
      if (waitedMs >= goneWithinMs) {
        note = `${model.key} was still in memory after it was closed (process ${processIds.filter(isProcessAlive).join(', ')})`;
        break;
      }
      await clock.sleep(pollMs);
    }
    if (note !== null) emit({ kind: 'warning', at: clock.utc(), message: note });
    emit({ kind: 'model-closed', at: clock.utc(), model: model.key });
    return note;
  }

  #currentProcesses(): string {
    return this.#backend === null ? '' : [...this.#backend.processIds()].sort().join(' ');
  }
}
