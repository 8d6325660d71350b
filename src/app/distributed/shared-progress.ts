// Progress of a shared run on one of its workers: chunks are an inner matter, what counts is the whole run.
import type { EventListener, RunEvent } from '../../core/events.ts';
import type { RunPlan } from '../../core/plan.ts';

export interface SharedProgressInput {
  readonly runId: string;
  readonly plan: RunPlan;
  /** Samples that were done before this worker began. */
  readonly done: number;
  readonly listener: EventListener;
}

export interface SharedProgress {
  /** Takes the events of chunks. */
  readonly listener: EventListener;
  /** Takes the number of samples that all workers have done, now and then. */
  readonly total: (done: number) => void;
}

/** Told once, with the figures of the whole run instead of those of a chunk. */
const innerKinds: ReadonlySet<RunEvent['kind']> = new Set(['run-started', 'task-finished', 'model-closed', 'run-finished']);

function samplesOf(plan: RunPlan, task: RunPlan['tasks'][number]): number {
  return task.sampleIds.length * plan.repeats;
}

/** Samples of a whole plan: all tasks on all models. */
export function countSamples(plan: RunPlan): number {
  return plan.models.length * plan.tasks.reduce((sum, task) => sum + samplesOf(plan, task), 0);
}

export function openSharedProgress({ runId, plan, done, listener }: SharedProgressInput): SharedProgress {
  const all = countSamples(plan);
  const told = new Set<string>();
  const ownByTask = new Map<string, number>();
  let own = 0;
  let current = '';
  let lastTotal = done;
  listener({ kind: 'run-started', at: new Date().toISOString(), runId, planDigest: plan.digest, resumed: done > 0, total: all, done });

  function startTask(event: Extract<RunEvent, { kind: 'task-started' }>): void {
    const key = `${event.model}\u0000${event.task}`;
    if (key === current) return;
    current = key;
    const task = plan.tasks.find((one) => one.key === event.task);
    listener({ ...event, total: task === undefined ? event.total : samplesOf(plan, task), done: ownByTask.get(key) ?? 0 });
  }
  return {
    listener: (event) => {
      if (innerKinds.has(event.kind)) return;
      if (event.kind === 'task-started') return startTask(event);
      if (event.kind === 'model-loading' || event.kind === 'model-loaded') {
        // It is loaded again after errors; once told is enough.
        if (told.has(`${event.kind} ${event.model}`)) return;
        told.add(`${event.kind} ${event.model}`);
      }
      if (event.kind === 'sample-finished') {
        own++;
        ownByTask.set(current, (ownByTask.get(current) ?? 0) + 1);
      }
      listener(event);
    },
    total: (doneByAll) => {
      const byOthers = doneByAll - done - own;
      if (byOthers <= 0 || doneByAll === lastTotal) return;
      lastTotal = doneByAll;
      listener({ kind: 'note', at: new Date().toISOString(), message: `${doneByAll} of ${all} samples are done, by all workers together` });
    },
  };
}
