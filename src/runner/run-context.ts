// What every part of a run shares: ports, limits, stop signals and the journal.
import { ToolError } from '../core/errors.ts';
import type { EventListener } from '../core/events.ts';
import type { PlannedModel, RunPlan } from '../core/plan.ts';
import type { Backend } from '../core/ports/backend.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { Grader } from '../core/ports/grader.ts';
import type { Meter } from '../core/ports/meter.ts';
import type { ResponseCache } from '../core/ports/response-cache.ts';
import type { RunWriter } from '../core/ports/run-store.ts';
import type { ModelRequest, PromptContext, RunnableTask } from '../core/task.ts';
import type { RetryPolicy } from './ask-model.ts';
import type { JournalQueue } from './journal-queue.ts';
import type { SessionOrigin } from './run-facts.ts';
import type { TimelineKeeper } from './timeline-keeper.ts';

export interface ExecuteRunInput {
  readonly plan: RunPlan;
  readonly tasks: readonly RunnableTask[];
  readonly openModel: (model: PlannedModel) => Promise<Backend>;
  /** How prompts are written for this model and task. */
  readonly promptContext: (model: PlannedModel, task: RunnableTask) => PromptContext;
  readonly writer: RunWriter;
  readonly resumed: boolean;
  readonly cache: ResponseCache | null;
  /** Build of a model's backend where it is known before loading; undefined: load the model to know it. */
  readonly buildOf?: ((model: PlannedModel) => string | null | undefined) | undefined;
  readonly clock: Clock;
  readonly meter: Meter | null;
  readonly graders: readonly Grader[];
  readonly listener: EventListener;
  readonly origin: SessionOrigin;
  readonly notes?: readonly string[] | undefined;
  /** First Ctrl-C: finish the samples in flight, then end as partial. */
  readonly signal?: AbortSignal | undefined;
  /** Second Ctrl-C: abort the samples in flight as well. */
  readonly stopNow?: AbortSignal | undefined;
  readonly isProcessAlive?: ((processId: number) => boolean) | undefined;
  /** Request kinds for which models are warm already, where calls share a loaded model. @default none, for each model anew */
  readonly warm?: Set<ModelRequest['kind']> | undefined;
  readonly retry?: RetryPolicy | undefined;
  /** @default 20 */
  readonly maxConsecutiveErrors?: number | undefined;
}

export interface RunContext {
  readonly input: ExecuteRunInput;
  readonly emit: EventListener;
  readonly journal: JournalQueue;
  readonly retry: RetryPolicy;
  readonly graders: ReadonlyMap<string, Grader>;
  readonly timelines: TimelineKeeper;
  /** Aborted by the second signal or by a fatal failure. */
  readonly stopNow: AbortSignal;
  /** No further sample may start. */
  readonly isStopping: () => boolean;
  /** Ends the run with this error after the samples in flight are dropped. */
  readonly fail: (error: unknown) => void;
}

/** @throws ToolError `config` when a task of the plan names a grader that was not given */
export function gradersOf(task: RunnableTask, graders: ReadonlyMap<string, Grader>): readonly Grader[] {
  return task.graders.map((name) => {
    const grader = graders.get(name);
    if (grader === undefined) throw new ToolError('config', `task "${task.key}" needs grader "${name}", which is not set up`);
    return grader;
  });
}
