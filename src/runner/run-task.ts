// Runs the open samples of one model on one task: cached answers first, then the model with bounded concurrency.
import type { Row } from '../core/dataset.ts';
import { messageOf, ToolError } from '../core/errors.ts';
import type { Backend } from '../core/ports/backend.ts';
import type { Grader } from '../core/ports/grader.ts';
import type { MeterSession } from '../core/ports/meter.ts';
import type { Grade, PredictionRow } from '../core/prediction.ts';
import type { ModelRequest, PreparedSample, PromptContext, RunnableTask } from '../core/task.ts';
import { type AnswerCache, openAnswerCache } from './answer-cache.ts';
import { type Asked, askModel } from './ask-model.ts';
import { isCorrect, rowOfAnswer, rowOfError, type SampleKey } from './make-row.ts';
import type { ModelSession } from './model-session.ts';
import { gradersOf, type RunContext } from './run-context.ts';
import type { RunSession, TaskSession } from './run-facts.ts';
import type { ResultSlots } from './run-slots.ts';
import { warmUp } from './warm-up.ts';

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
  #cache: AnswerCache | null = null;
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
    this.#cache = await openAnswerCache(context, session);
    if (this.#cache !== null && context.input.plan.cache === 'read') await this.#serveFromCache(this.#cache);
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

  #tryPrepare(open: OpenSample): PreparedSample | { readonly failure: string } {
    try {
      return withRepeatSeed(this.#input.task.prepare(open.row, this.#prompt), open.key.repeat);
    } catch (error) {
      return { failure: `the prompt could not be written: ${messageOf(error)}` };
    }
  }

  async #serveFromCache(cache: AnswerCache): Promise<void> {
    const { context, task } = this.#input;
    for (const open of this.#open()) {
      if (context.isStopping()) return;
      const sample = this.#tryPrepare(open);
      // A prompt that cannot be written is reported once, when the sample's turn comes.
      if ('failure' in sample) continue;
      const answer = await cache.find(sample.request, open.key.repeat);
      if (answer === null) continue;
      await this.#gradeAndFinish(open, rowOfAnswer({ key: open.key, task, row: open.row, sample, answer, origin: 'cached', overcome: [] }));
    }
  }

  async #askForTheRest(): Promise<TaskSession['resources']> {
    const { context, session } = this.#input;
    const backend = session.givenUp === null ? await session.load() : null;
    if (backend === null) {
      await this.#failTheRest();
      return null;
    }
    const metering = await this.#startMeter(backend);
    const meteredFromMs = context.input.clock.nowMs();
    await this.#warmUp(backend);
    const { clock } = context.input;
    const startMs = clock.nowMs();
    this.#concurrency = this.#chooseConcurrency(backend);
    const samples = this.#open();
    await Promise.all(Array.from({ length: this.#concurrency }, () => this.#work(samples, backend)));
    this.#measuredMs = clock.nowMs() - startMs;
    session.noticeRestart('the engine process changed');
    if (metering === null) return null;
    const resources = await metering.stop().catch(() => null);
    context.timelines.add(session.model.key, meteredFromMs, metering.samples());
    return resources;
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

  /** Warms up with the last open sample, to leave the first one's prefix unshared. */
  async #warmUp(backend: Backend): Promise<void> {
    const { context, session, warm, warmups, task } = this.#input;
    let last: OpenSample | undefined;
    for (const open of this.#open()) last = open;
    const sample = last === undefined ? undefined : this.#tryPrepare(last);
    if (sample === undefined || 'failure' in sample) return;
    const { request } = sample;
    const durationMs = await warmUp(context, backend, request, warm);
    if (durationMs !== null) warmups.push({ model: session.model.key, task: task.key, kind: request.kind, durationMs });
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
    const sample = this.#tryPrepare(open);
    if ('failure' in sample) return this.#finish(open, rowOfError(open.key, 'backend', sample.failure));
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
    await this.#cache?.keep(sample.request, open.key.repeat, asked.answer);
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
