// The load generator: sends requests as the mode says and writes down when each part of each answer came. Nothing else runs in its loop.
import { type ErrorCode, messageOf, ToolError } from '../../core/errors.ts';
import type { GenerateRequest, Generation } from '../../core/generation.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { arrivalTimes, type LoadMode } from './load-mode.ts';
import { RequestLog, type RequestResult } from './request-log.ts';

export interface LoadRequest {
  readonly request: GenerateRequest;
  /** First 16 hex digits of the sha256 of the prompt without its nonce: what pairs requests of two runs. */
  readonly promptDigest: string;
  /** Known from the model's own tokenizer; null where there is none. */
  readonly expectedPromptTokens: number | null;
}

export interface LoadPhase {
  readonly backend: Backend;
  readonly mode: LoadMode;
  /** Request number `index` (from 0); made before it is due, never while an answer streams. */
  readonly requestAt: (index: number) => LoadRequest;
  readonly maxRequests: number;
  /** No request is sent after this. */
  readonly maxDurationMs: number;
  /** Requests in flight at once in an open loop; those beyond wait, and their wait counts from the schedule. @default no limit */
  readonly maxInFlight?: number | undefined;
  /** How long answers in flight may still take after the last request was sent. */
  readonly drainMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface LoadOutcome {
  readonly log: RequestLog;
  readonly durationMs: number;
  /** When the last user ran out of requests to send; after it the load falls. */
  readonly loadedUntilMs: number;
  /** When every user had its first answer (closed loop), else 0. */
  readonly rampedMs: number;
}

const errorClasses: Partial<Record<ErrorCode, string>> = {
  timeout: 'timeout',
  transport: 'transport',
  'context-overflow': 'context-overflow',
  interrupted: 'cancelled',
};

export async function generateLoad(phase: LoadPhase): Promise<LoadOutcome> {
  const run = new LoadRun(phase);
  await (phase.mode.kind === 'concurrency' ? run.closedLoop(phase.mode.users) : run.openLoop(phase.mode));
  return run.outcome();
}

class LoadRun {
  readonly #phase: LoadPhase;
  readonly #log = new RequestLog();
  readonly #startMs = performance.now();
  readonly #stop = new AbortController();
  #sent = 0;
  #loadedUntilMs = Number.POSITIVE_INFINITY;
  #rampedMs = 0;

  constructor(phase: LoadPhase) {
    this.#phase = phase;
    phase.signal?.addEventListener('abort', () => this.#stop.abort(), { once: true });
    if (phase.signal?.aborted === true) this.#stop.abort();
  }

  #now(): number {
    return performance.now() - this.#startMs;
  }

  #mayContinue(): boolean {
    const { maxRequests, maxDurationMs } = this.#phase;
    return this.#sent < maxRequests && this.#now() < maxDurationMs && !this.#stop.signal.aborted;
  }

  async closedLoop(users: number): Promise<void> {
    let waitingForFirst = users;
    const user = async (): Promise<void> => {
      let isFirst = true;
      while (this.#mayContinue()) {
        await this.#send(null);
        if (isFirst && --waitingForFirst === 0) this.#rampedMs = this.#now();
        isFirst = false;
      }
      this.#loadedUntilMs = Math.min(this.#loadedUntilMs, this.#now());
    };
    await this.#drained(
      Array.from({ length: users }, () => user()),
      () => this.#loadedUntilMs,
    );
  }

  async openLoop(mode: LoadMode): Promise<void> {
    const due = arrivalTimes(mode, this.#phase.maxRequests)!;
    const limit = this.#phase.maxInFlight ?? Number.POSITIVE_INFINITY;
    const inFlight = new Set<Promise<void>>();
    for (let index = 0; index < due.length && this.#mayContinue(); index++) {
      const waitMs = due[index]! - this.#now();
      if (waitMs > 0 && due[index]! >= this.#phase.maxDurationMs) break;
      if (waitMs > 0) await pause(waitMs, this.#stop.signal);
      while (inFlight.size >= limit && !this.#stop.signal.aborted) await Promise.race(inFlight);
      if (!this.#mayContinue()) break;
      const done: Promise<void> = this.#send(due[index]!).finally(() => inFlight.delete(done));
      inFlight.add(done);
    }
    this.#loadedUntilMs = this.#now();
    await this.#drained([...inFlight], () => this.#loadedUntilMs);
  }

  /** Waits for what is in flight, at most `drainMs` beyond the end of the load, then cancels the rest. */
  async #drained(running: readonly Promise<void>[], loadedUntil: () => number): Promise<void> {
    const { maxDurationMs, drainMs } = this.#phase;
    const watch = setInterval(() => {
      const end = Math.min(maxDurationMs, loadedUntil());
      if (this.#now() > end + drainMs) this.#stop.abort();
    }, 100);
    await Promise.all(running).finally(() => clearInterval(watch));
  }

  async #send(dueMs: number | null): Promise<void> {
    const index = this.#sent++;
    const request = this.#phase.requestAt(index);
    const sentMs = this.#now();
    const known = { index, sentMs, scheduledMs: dueMs ?? sentMs, request };
    try {
      const generation = await this.#phase.backend.generate(request.request, { signal: this.#stop.signal });
      this.#log.add(completed(known, generation, this.#now(), this.#phase.backend.identity.kind));
    } catch (thrown) {
      this.#log.add(failed(known, thrown, this.#now()));
    }
  }

  outcome(): LoadOutcome {
    const durationMs = this.#now();
    return {
      log: this.#log,
      durationMs,
      loadedUntilMs: Math.min(this.#loadedUntilMs, durationMs),
      rampedMs: this.#rampedMs,
    };
  }
}

interface Sent {
  readonly index: number;
  readonly scheduledMs: number;
  readonly sentMs: number;
  readonly request: LoadRequest;
}

function completed(sent: Sent, generation: Generation, endedMs: number, backendKind: string): RequestResult {
  const { timing, usage, finishReason } = generation;
  // In the embedded engine the wait for a free slot is the server's own queue, so it is part of what the user waits.
  const serverQueueMs = backendKind === 'llama' ? (timing.queuedMs ?? 0) : 0;
  const plus = (value: number | null): number | null => (value === null ? null : value + serverQueueMs);
  const isError = finishReason === 'error' || finishReason === 'cancelled';
  return {
    index: sent.index,
    scheduledMs: sent.scheduledMs,
    sentMs: sent.sentMs,
    endedMs,
    ttftMs: plus(timing.ttftMs),
    ttfaMs: plus(timing.ttfaMs),
    e2eMs: timing.ttftMs === null ? null : plus(timing.totalMs),
    queuedMs: timing.queuedMs,
    tpotMs: timing.tpotMs,
    prefillMs: timing.prefillMs ?? null,
    promptTokens: usage.promptTokens,
    cachedTokens: usage.cachedTokens,
    outputTokens: usage.completionTokens,
    reasoningTokens: usage.reasoningTokens,
    countSource: usage.source,
    wantedTokens: sent.request.request.settings.maxTokens,
    expectedPromptTokens: sent.request.expectedPromptTokens,
    finish: finishReason,
    error: isError ? { class: finishReason, message: `the answer ended with "${finishReason}"` } : null,
    gapsMs: generation.chunkGapsMs ?? [],
    promptDigest: sent.request.promptDigest,
  };
}

/** `refused`: turned away by a server that works (429, 503, a redirect); a broken connection has a cause, or says that it may be retried. */
function classOf(thrown: unknown): string {
  if (!ToolError.isInstance(thrown)) return 'internal';
  if (thrown.code === 'transport' && thrown.cause === undefined && !thrown.isRetryable) return 'refused';
  return errorClasses[thrown.code] ?? thrown.code;
}

function failed(sent: Sent, thrown: unknown, endedMs: number): RequestResult {
  return {
    index: sent.index,
    scheduledMs: sent.scheduledMs,
    sentMs: sent.sentMs,
    endedMs,
    ttftMs: null,
    ttfaMs: null,
    e2eMs: null,
    queuedMs: null,
    tpotMs: null,
    prefillMs: null,
    promptTokens: null,
    cachedTokens: null,
    outputTokens: null,
    reasoningTokens: null,
    countSource: 'none',
    wantedTokens: sent.request.request.settings.maxTokens,
    expectedPromptTokens: sent.request.expectedPromptTokens,
    finish: 'error',
    error: { class: classOf(thrown), message: messageOf(thrown) },
    gapsMs: [],
    promptDigest: sent.request.promptDigest,
  };
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, durationMs);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done, { once: true });
  });
}
