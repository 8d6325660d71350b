// Executes a plan: models one after the other, tasks and samples in order, every finished sample journalled at once.
import { ToolError } from '../core/errors.ts';
import type { EventListener } from '../core/events.ts';
import type { RunnableTask } from '../core/task.ts';
import { defaultRetryPolicy } from './ask-model.ts';
import { type FactsKeeper, openFactsKeeper } from './facts-keeper.ts';
import { openJournalQueue } from './journal-queue.ts';
import { ModelSession } from './model-session.ts';
import { readDoneSlots } from './resume-state.ts';
import { type ExecuteRunInput, gradersOf, type RunContext } from './run-context.ts';
import type { RunFacts } from './run-facts.ts';
import { type RunSlots, runSlots } from './run-slots.ts';
import { runTask } from './run-task.ts';
import { openTimelineKeeper, type TimelineKeeper } from './timeline-keeper.ts';

export interface ExecutedRun {
  /** A signal ended the run before its last sample. */
  readonly interrupted: boolean;
  readonly total: number;
  /** Slots that have a row now, errors included. */
  readonly done: number;
  readonly facts: RunFacts;
}

const defaultMaxConsecutiveErrors = 20;

/**
 * Runs what the journal does not hold yet. Failures of samples and models are rows, not exceptions.
 * @throws ToolError when the journal cannot be written (`storage`), a prompt overflows under `overflow: refuse`
 * (`context-overflow`), or plan and tasks do not belong together (`internal`, `config`)
 */
export async function executeRun(input: ExecuteRunInput): Promise<ExecutedRun> {
  const { plan, writer, clock } = input;
  const slots = runSlots(plan);
  const tasks = matchTasks(input);
  const done = await readDoneSlots(slots, writer.rows());
  const facts = await openFactsKeeper({ writer, clock, origin: input.origin, notes: input.notes ?? [] });
  const run = openContext(input, await openTimelineKeeper(writer));
  const { context } = run;
  context.emit({
    kind: 'run-started',
    at: clock.utc(),
    runId: writer.runId,
    planDigest: plan.digest,
    resumed: input.resumed,
    total: slots.total,
    done: count(done),
  });
  const doneNow = done.slice();
  try {
    for (const model of plan.models) {
      if (context.isStopping()) break;
      await runModel({ context, facts, slots, tasks, done: doneNow, session: openSession(context, model) });
    }
    await context.journal.drain();
    if (run.fatal() !== null) throw run.fatal()!.error;
    const interrupted = context.isStopping() && count(doneNow) < slots.total;
    return { interrupted, total: slots.total, done: count(doneNow), facts: await facts.finish(interrupted) };
  } finally {
    run.close();
  }
}

interface ModelRunInput {
  readonly context: RunContext;
  readonly facts: FactsKeeper;
  readonly slots: RunSlots;
  readonly tasks: ReadonlyMap<string, RunnableTask>;
  readonly done: Uint8Array;
  readonly session: ModelSession;
}

async function runModel({ context, facts, slots, tasks, done, session }: ModelRunInput): Promise<void> {
  const warm = context.input.warm ?? new Set<'score' | 'generate' | 'rolling'>();
  try {
    for (const result of slots.results) {
      if (result.model.key !== session.model.key || context.isStopping()) continue;
      if (done.subarray(result.start, result.start + result.length).every((flag) => flag === 1)) continue;
      const task = tasks.get(result.task.key)!;
      const ended = await runTask({ context, session, slots: result, task, done, warm, warmups: facts.warmups });
      await context.journal.drain();
      await facts.taskEnded(session, ended);
    }
    await context.timelines.write();
  } finally {
    const note = await session.close();
    if (note !== null) facts.note(note);
  }
}

function openSession({ input, emit }: RunContext, model: ExecuteRunInput['plan']['models'][number]): ModelSession {
  return new ModelSession({
    model,
    open: input.openModel,
    clock: input.clock,
    emit,
    isProcessAlive: input.isProcessAlive,
    maxConsecutiveErrors: input.maxConsecutiveErrors ?? defaultMaxConsecutiveErrors,
  });
}

interface OpenContext {
  readonly context: RunContext;
  readonly fatal: () => { readonly error: unknown } | null;
  readonly close: () => void;
}

function openContext(input: ExecuteRunInput, timelines: TimelineKeeper): OpenContext {
  const abort = new AbortController();
  let fatal: { readonly error: unknown } | null = null;
  const fail = (error: unknown): void => {
    fatal ??= { error };
    abort.abort(error);
  };
  const journal = openJournalQueue(input.writer.append);
  journal.onFailure(fail);
  const emit = guarded(input);
  const onStop = (): void => emit({ kind: 'interrupted', at: input.clock.utc() });
  const onStopNow = (): void => abort.abort(new ToolError('interrupted', 'stopped by the user'));
  input.signal?.addEventListener('abort', onStop, { once: true });
  input.stopNow?.addEventListener('abort', onStopNow, { once: true });
  if (input.stopNow?.aborted === true) onStopNow();
  return {
    context: {
      input,
      emit,
      journal,
      retry: input.retry ?? defaultRetryPolicy,
      graders: new Map(input.graders.map((grader) => [grader.name, grader])),
      timelines,
      stopNow: abort.signal,
      isStopping: () => abort.signal.aborted || input.signal?.aborted === true,
      fail,
    },
    fatal: () => fatal,
    close: () => {
      input.signal?.removeEventListener('abort', onStop);
      input.stopNow?.removeEventListener('abort', onStopNow);
    },
  };
}

/** Neither a progress writer nor a full disk under the event log may end a run: the journal decides that. */
function guarded({ listener, writer }: ExecuteRunInput): EventListener {
  return (event) => {
    for (const listen of [listener, writer.event]) {
      try {
        listen(event);
      } catch {
        // See above.
      }
    }
  };
}

/** The tasks by key, checked against the plan: never a plan with other people's prompts. */
function matchTasks({ plan, tasks, graders }: ExecuteRunInput): ReadonlyMap<string, RunnableTask> {
  const byKey = new Map(tasks.map((task) => [task.key, task]));
  const known = new Map(graders.map((grader) => [grader.name, grader]));
  for (const planned of plan.tasks) {
    const task = byKey.get(planned.key);
    if (task === undefined) throw new ToolError('internal', `task "${planned.key}" of the plan was not handed over`);
    if (task.digest !== planned.digest) {
      throw new ToolError('config', `task "${planned.key}" differs from its plan`, {
        hint: 'plan the run again, or restore the task file',
      });
    }
    gradersOf(task, known);
  }
  return byKey;
}

function count(done: Uint8Array): number {
  let total = 0;
  for (const flag of done) total += flag;
  return total;
}
