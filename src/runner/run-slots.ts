// Every planned sample has one slot number, in plan order: model, task, repeat, sample. Resume, order and completeness rest on it.
import type { PlannedModel, PlannedTask, RunPlan } from '../core/plan.ts';
import type { PredictionRow } from '../core/prediction.ts';

/** The slots of one model on one task. */
export interface ResultSlots {
  readonly model: PlannedModel;
  readonly task: PlannedTask;
  readonly start: number;
  readonly length: number;
  /** Ids of this run's shard, in order. */
  readonly ids: readonly string[];
}

export interface RunSlots {
  readonly total: number;
  readonly results: readonly ResultSlots[];
  /** Slot of a row, or -1 when the plan does not hold it. */
  readonly slotOf: (row: Pick<PredictionRow, 'model' | 'task' | 'id' | 'repeat'>) => number;
}

/** Ids that this run evaluates: all of them, or every n-th from the i-th (`--shard i/n`, i from 1). */
export function idsOfShard(task: PlannedTask, shard: RunPlan['shard']): readonly string[] {
  if (shard === null) return task.sampleIds;
  return task.sampleIds.filter((_, position) => position % shard.count === shard.index - 1);
}

export function runSlots(plan: RunPlan): RunSlots {
  const idsByTask = new Map(plan.tasks.map((task) => [task.key, idsOfShard(task, plan.shard)]));
  const positionsByTask = new Map([...idsByTask].map(([key, ids]) => [key, new Map(ids.map((id, position) => [id, position]))]));
  const results: ResultSlots[] = [];
  const byKeys = new Map<string, Map<string, ResultSlots>>();
  let total = 0;
  for (const model of plan.models) {
    const byTask = new Map<string, ResultSlots>();
    byKeys.set(model.key, byTask);
    for (const task of plan.tasks) {
      const ids = idsByTask.get(task.key)!;
      const slots: ResultSlots = { model, task, start: total, length: ids.length * plan.repeats, ids };
      total += slots.length;
      results.push(slots);
      byTask.set(task.key, slots);
    }
  }
  return {
    total,
    results,
    slotOf: (row) => {
      const slots = byKeys.get(row.model)?.get(row.task);
      const position = positionsByTask.get(row.task)?.get(row.id);
      if (slots === undefined || position === undefined || row.repeat >= plan.repeats) return -1;
      return slots.start + row.repeat * slots.ids.length + position;
    },
  };
}
