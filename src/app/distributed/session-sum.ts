// The facts of one worker's part of a run: what its chunks report, summed into one session.
import { combineResources } from '../../runner/combine-resources.ts';
import type { RunSession, TaskSession } from '../../runner/run-facts.ts';

function sumTasks(earlier: readonly TaskSession[], later: readonly TaskSession[]): TaskSession[] {
  const byKey = new Map(earlier.map((task) => [`${task.model}\u0000${task.task}`, task]));
  for (const task of later) {
    const key = `${task.model}\u0000${task.task}`;
    const before = byKey.get(key);
    byKey.set(
      key,
      before === undefined
        ? task
        : {
            ...before,
            finishedAt: task.finishedAt,
            measuredMs: before.measuredMs === null ? task.measuredMs : before.measuredMs + (task.measuredMs ?? 0),
            freshAnswers: before.freshAnswers + task.freshAnswers,
            concurrency: task.concurrency ?? before.concurrency,
            resources: combineResources([before.resources, task.resources]),
          },
    );
  }
  return [...byKey.values()];
}

/** Adds the session of one chunk to what the worker has reported of this run. */
export function addSession(sum: RunSession | null, chunk: RunSession): RunSession {
  if (sum === null) return { ...chunk, interrupted: false };
  const runs = new Map(sum.modelRuns.map((run) => [run.model, run]));
  for (const run of chunk.modelRuns) {
    const before = runs.get(run.model);
    runs.set(
      run.model,
      before === undefined
        ? run
        : { ...run, restarts: before.restarts + run.restarts, resources: combineResources([before.resources, run.resources]) },
    );
  }
  return {
    ...sum,
    finishedAt: chunk.finishedAt,
    durationMs: sum.durationMs + chunk.durationMs,
    modelRuns: [...runs.values()],
    tasks: sumTasks(sum.tasks, chunk.tasks),
    warmups: [...sum.warmups, ...chunk.warmups],
    notes: [...new Set([...sum.notes, ...chunk.notes])],
  };
}
