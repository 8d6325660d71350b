// Runs the open samples of one model on one task: cached answers first, then the model with bounded concurrency.
import type { Row } from '../core/dataset.ts';
import { messageOf, ToolError } from '../core/errors.ts';
import { noTiming } from '../core/generation.ts';
import type { Backend } from '../core/ports/backend.ts';
import type { Grader } from '../core/ports/grader.ts';
import type { MeterSession } from '../core/ports/meter.ts';
import type { Grade, PredictionRow } from '../core/prediction.ts';
import type { ModelAnswer, ModelRequest, PreparedSample, PromptContext, RunnableTask } from '../core/task.ts';
import { type Asked, askModel } from './ask-model.ts';
import { cacheKey, explainCacheKey } from './cache-key.ts';
import { isCorrect, rowOfAnswer, rowOfError, type SampleKey } from './make-row.ts';
import type { ModelSession } from './model-session.ts';
import { gradersOf, type RunContext } from './run-context.ts';
import type { RunSession, TaskSession } from './run-facts.ts';
import type { ResultSlots } from './run-slots.ts';

type Warmups = RunSession['warmups'][number];

export interface RunTaskInput {
  readonly context: RunContext;
  readonly session: ModelSession;
  readonly slots: ResultSlots;
  readonly task: RunnableTask;
  /** 1 where a slot has its final row already. */
  readonly done: Uint8Array;
  /** Request kinds for which this model is warm. */
  readonly warm: Set<ModelRequest['kind']>;
  readonly warmups: Warmups[];
}

/** A sample that has no row yet. */
interface OpenSample {
  readonly slot: number;
  readonly key: SampleKey;
  readonly row: Row;
}

export async function runTask(input: RunTaskInput): Promise<TaskSession> {
  return new TaskRun(input).run();
}

class TaskRun {
  readonly #input: RunTaskInput;
  readonly #prompt: PromptContext;
  readonly #graders: readonly Grader[];
  readonly #rows: ReadonlyMap<string, Row>;
  #freshAnswers = 0;
  #measuredMs: number | null = null;
  #concurrency: number | null = null;

  constructor(input: RunTaskInput) {
    this.#input = input;
    this.#prompt = input.context.input.promptContext(input.session.model, input.task);
    this.#graders = gradersOf(input.task, input.context.graders);
    this.#rows = new Map(input.task.rows.map((row) => [row.id, row]));
  }

  async run(): Promise<TaskSession> {
    const { context, slots, session, done } = this.#input;
    const { clock } = context.input;
    const startedAt = clock.utc();
    const doneBefore = countDone(done, slots);
    context.emit({
      kind: 'task-started',
      at: startedAt,
      model: session.model.key,
      task: slots.task.key,
      total: slots.length,
      done: doneBefore,
    });
    if (context.input.plan.cache === 'read') await this.#serveFromCache();
    const resources = countDone(done, slots) < slots.length && !context.isStopping() ? await this.#askForTheRest() : null;
    const finishedAt = clock.utc();
    if (countDone(done, slots) === slots.length) {
      context.emit({ kind: 'task-finished', at: finishedAt, model: session.model.key, task: slots.task.key, primary: null });
    }
    return {
      model: session.model.key,
      task: slots.task.key,
      startedAt,
      finishedAt,
      measuredMs: this.#measuredMs,
      freshAnswers: this.#freshAnswers,
      concurrency: this.#concurrency,
      resources,
    };
  }

  *#open(): Generator<OpenSample> {
    const { slots, done, session } = this.#input;
    for (let offset = 0; offset < slots.length; offset++) {
      const slot = slots.start + offset;
      if (done[slot] === 1) continue;
      const id = slots.ids[offset % slots.ids.length]!;
      const row = this.#rows.get(id);
      if (row === undefined) throw new ToolError('internal', `task "${slots.task.key}" lacks row ${id} of its plan`);
      yield { slot, row, key: { model: session.model.key, task: slots.task.key, id, repeat: Math.floor(offset / slots.ids.length) } };
    }
  }

  /** The request of a sample, or null after its error row was written. */
  async #prepare(open: OpenSample): Promise<PreparedSample | null> {
    try {
      return withRepeatSeed(this.#input.task.prepare(open.row, this.#prompt), open.key.repeat);
    } catch (error) {
      await this.#finish(open, rowOfError(open.key, 'backend', `the prompt could not be written: ${messageOf(error)}`));
      return null;
    }
  }

  async #serveFromCache(): Promise<void> {
    const { context, session, task } = this.#input;
    const { cache } = context.input;
    if (cache === null) return;
    const build = await this.#build();
    if (build === undefined) return;
    for (const open of this.#open()) {
      if (context.isStopping()) return;
      let sample: PreparedSample;
      try {
        sample = withRepeatSeed(task.prepare(open.row, this.#prompt), open.key.repeat);
      } catch {
        continue; // Reported once, when the sample's turn comes.
      }
      const { request } = sample;
      const kept = await cache.get(cacheKey({ model: session.model, build, request, repeat: open.key.repeat }));
      if (!isAnswerTo(request, kept)) continue;
      const row = rowOfAnswer({ key: open.key, task, row: open.row, sample, answer: kept, origin: 'cached', overcome: [] });
      await this.#gradeAndFinish(open, row);
    }
  }

  /** Undefined when only the loaded model could tell and it does not load. */
  async #build(): Promise<string | null | undefined> {
    const { context, session } = this.#input;
    const known = context.input.buildOf?.(session.model);
    if (known !== undefined) return known;
    const backend = await session.load();
    return backend === null ? undefined : (backend.identity.build ?? backend.identity.version);
  }

  async #askForTheRest(): Promise<TaskSession['resources']> {
    const { context, session } = this.#input;
    const backend = session.givenUp === null ? await session.load() : null;
    if (backend === null) {
      await this.#failTheRest();
      return null;
    }
    const metering = await this.#startMeter(backend);
    await this.#warmUp(backend);
    const { clock } = context.input;
    const startMs = clock.nowMs();
    this.#concurrency = this.#chooseConcurrency(backend);
    const samples = this.#open();
    await Promise.all(Array.from({ length: this.#concurrency }, () => this.#work(samples, backend)));
    this.#measuredMs = clock.nowMs() - startMs;
    session.noticeRestart('the engine process changed');
    return metering === null ? null : await metering.stop().catch(() => null);
  }

  async #startMeter(backend: Backend): Promise<MeterSession | null> {
    const { input, emit } = this.#input.context;
    if (input.meter === null || !input.plan.profile) return null;
    try {
      return await input.meter.start(() => backend.processIds());
    } catch (error) {
      emit({ kind: 'warning', at: input.clock.utc(), message: `resources cannot be measured: ${messageOf(error)}` });
      return null;
    }
  }

  #chooseConcurrency(backend: Backend): number {
    const { plan } = this.#input.context.input;
    if (plan.deterministic) return 1;
    const { preferredConcurrency } = backend.capabilities;
    const kind = this.#input.task.kind;
    return Math.max(1, plan.concurrency ?? (kind === 'choose' ? preferredConcurrency.score : preferredConcurrency.generate));
  }

  /**
   * One request of the measured shape whose answer is thrown away, so that the first measured one is not the cold one.
   * It is that of the last open sample, to leave the first one's prefix unshared.
   */
  async #warmUp(backend: Backend): Promise<void> {
    const { context, task, session, warm, warmups } = this.#input;
    let last: OpenSample | undefined;
    for (const open of this.#open()) last = open;
    if (last === undefined) return;
    let request: ModelRequest;
    try {
      request = task.prepare(last.row, this.#prompt).request;
    } catch {
      return;
    }
    // A rolling text is as long as a document: warming up with one would double the cost of a short task.
    if (request.kind === 'rolling' || warm.has(request.kind)) return;
    warm.add(request.kind);
    const startMs = context.input.clock.nowMs();
    await askModel(request, {
      backend,
      clock: context.input.clock,
      retry: { attempts: 1, firstPauseMs: 0 },
      stopNow: context.stopNow,
      onFailure: () => undefined,
    });
    warmups.push({ model: session.model.key, task: task.key, kind: request.kind, durationMs: context.input.clock.nowMs() - startMs });
  }

  async #work(samples: Generator<OpenSample>, backend: Backend): Promise<void> {
    const { context, session } = this.#input;
    while (!context.isStopping()) {
      const next = samples.next();
      if (next.done === true) return;
      if (session.givenUp === null) await this.#runSample(next.value, backend);
      else await this.#finish(next.value, rowOfError(next.value.key, 'backend', session.givenUp));
    }
  }

  async #runSample(open: OpenSample, backend: Backend): Promise<void> {
    const { context, session, task } = this.#input;
    const sample = await this.#prepare(open);
    if (sample === null) return;
    const { clock } = context.input;
    const asked = await askModel(sample.request, {
      backend,
      clock,
      retry: context.retry,
      stopNow: context.stopNow,
      onFailure: (error) => session.noticeRestart(messageOf(error)),
    });
    if (asked.kind === 'aborted') return;
    if (asked.kind === 'error') return this.#fail(open, sample, asked);
    session.succeeded();
    this.#freshAnswers++;
    await this.#remember(open, sample.request, asked.answer, backend);
    const { answer, overcome } = asked;
    await this.#gradeAndFinish(open, rowOfAnswer({ key: open.key, task, row: open.row, sample, answer, origin: 'fresh', overcome }));
  }

  async #fail(open: OpenSample, sample: PreparedSample, asked: Extract<Asked, { kind: 'error' }>): Promise<void> {
    const { context, session } = this.#input;
    if (asked.class !== 'context-overflow') session.failed(asked.message);
    else if (context.input.plan.overflow === 'refuse') {
      context.fail(
        new ToolError('context-overflow', `task "${open.key.task}", sample ${open.key.id}: ${asked.message}`, {
          hint: 'raise --context, use fewer shots, or let such samples count as errors',
        }),
      );
      return;
    }
    await this.#finish(open, rowOfError(open.key, asked.class, asked.message, sample));
  }

  async #failTheRest(): Promise<void> {
    const { context, session } = this.#input;
    const message = session.givenUp ?? 'the model is not loaded';
    for (const open of this.#open()) {
      if (context.isStopping()) return;
      await this.#finish(open, rowOfError(open.key, 'backend', message));
    }
  }

  /** Keeps a complete answer; what was cut off or failed must never be served again. */
  async #remember(open: OpenSample, request: ModelRequest, answer: ModelAnswer, backend: Backend): Promise<void> {
    const { context, session } = this.#input;
    const { cache, plan } = context.input;
    if (cache === null || plan.cache === 'off') return;
    if (answer.kind === 'generate' && (answer.result.finishReason === 'cancelled' || answer.result.finishReason === 'error')) return;
    const known = context.input.buildOf?.(session.model);
    const build = known === undefined ? (backend.identity.build ?? backend.identity.version) : known;
    const input = { model: session.model, build, request, repeat: open.key.repeat };
    try {
      await cache.set(cacheKey(input), toKeep(answer), explainCacheKey(input));
    } catch (error) {
      context.emit({ kind: 'warning', at: context.input.clock.utc(), message: `an answer was not cached: ${messageOf(error)}` });
    }
  }

  async #gradeAndFinish(open: OpenSample, row: PredictionRow): Promise<void> {
    if (this.#graders.length === 0 || row.outcome.kind !== 'scored') return this.#finish(open, row);
    const grades: Grade[] = [];
    for (const grader of this.#graders) {
      try {
        grades.push(await grader.grade(row, open.row, this.#input.context.stopNow));
      } catch (error) {
        if (this.#input.context.stopNow.aborted) return;
        grades.push({ grader: grader.name, score: null, detail: messageOf(error) });
      }
    }
    await this.#finish(open, { ...row, grades });
  }

  async #finish(open: OpenSample, row: PredictionRow): Promise<void> {
    const { context, done } = this.#input;
    const wait = context.journal.push(row);
    done[open.slot] = 1;
    const { model, task, id, repeat } = open.key;
    const { outcome, timing } = row;
    context.emit({
      kind: 'sample-finished',
      at: context.input.clock.utc(),
      model,
      task,
      id,
      repeat,
      outcome: outcome.kind,
      correct: isCorrect(row),
      totalMs: timing.totalMs,
    });
    if (wait !== undefined) await wait;
  }
}

function countDone(done: Uint8Array, slots: ResultSlots): number {
  let count = 0;
  for (let slot = slots.start; slot < slots.start + slots.length; slot++) count += done[slot]!;
  return count;
}

/** Repeats of a sampled generation draw with their own seeds, else they would all be the first answer again. */
function withRepeatSeed(sample: PreparedSample, repeat: number): PreparedSample {
  if (repeat === 0 || sample.request.kind !== 'generate') return sample;
  const { request } = sample.request;
  const settings = { ...request.settings, seed: request.settings.seed + repeat };
  return { ...sample, request: { kind: 'generate', request: { ...request, settings } } };
}

function isAnswerTo(request: ModelRequest, kept: unknown): kept is ModelAnswer {
  if (typeof kept !== 'object' || kept === null || !('kind' in kept) || kept.kind !== request.kind || !('result' in kept)) return false;
  const result = kept.result as { readonly choices?: readonly unknown[]; readonly text?: unknown; readonly logprob?: unknown };
  if (request.kind === 'score') return Array.isArray(result.choices) && result.choices.length === request.request.choices.length;
  return request.kind === 'generate' ? typeof result.text === 'string' : typeof result.logprob === 'number';
}

/** Times and provider fields of an answer are of no use later; tokens only where their alternatives were asked for. */
function toKeep(answer: ModelAnswer): ModelAnswer {
  if (answer.kind !== 'generate') return answer;
  const { raw: _raw, chunkGapsMs: _gaps, tokens, ...result } = answer.result;
  const hasAlternatives = tokens?.some((token) => token.top !== undefined) === true;
  return { kind: 'generate', result: { ...result, timing: noTiming, ...(hasAlternatives ? { tokens } : {}) } };
}
