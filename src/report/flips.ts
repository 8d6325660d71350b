// Items on which two models differ: who gained and who lost against the best model of a task.
import type { ScoredRow } from './report-input.ts';
import type { ReportView } from './view-model.ts';

export interface Flips {
  readonly task: string;
  readonly best: string;
  readonly model: string;
  readonly bothRight: number;
  readonly onlyBest: number;
  readonly onlyModel: number;
  readonly bothWrong: number;
}

/** A graded answer counts as right from half of the full score. */
export const rightFrom = 0.5;

/** Right and wrong by item id; items without a score are left out. A repeat counts by its mean. */
function verdicts(rows: readonly ScoredRow[]): Map<string, boolean> {
  const sums = new Map<string, { sum: number; n: number }>();
  for (const { row, score } of rows) {
    if (score === null) continue;
    const known = sums.get(row.id);
    if (known === undefined) sums.set(row.id, { sum: score, n: 1 });
    else {
      known.sum += score;
      known.n++;
    }
  }
  return new Map([...sums].map(([id, { sum, n }]) => [id, sum / n >= rightFrom]));
}

export function countFlips(view: ReportView, rows: readonly ScoredRow[]): Flips[] {
  const groups = Map.groupBy(rows, ({ row }) => `${row.model}\u0000${row.task}`);
  return view.tasks.flatMap(({ task, best, results }) => {
    if (best === null || results.length < 2) return [];
    const base = verdicts(groups.get(`${best}\u0000${task.key}`) ?? []);
    return results.flatMap(({ model }): Flips[] => {
      if (model.key === best) return [];
      const counts = { bothRight: 0, onlyBest: 0, onlyModel: 0, bothWrong: 0 };
      for (const [id, isRight] of verdicts(groups.get(`${model.key}\u0000${task.key}`) ?? [])) {
        const wasRight = base.get(id);
        if (wasRight === undefined) continue;
        if (wasRight) counts[isRight ? 'bothRight' : 'onlyBest']++;
        else counts[isRight ? 'onlyModel' : 'bothWrong']++;
      }
      const total = counts.bothRight + counts.onlyBest + counts.onlyModel + counts.bothWrong;
      return total === 0 ? [] : [{ task: task.key, best, model: model.key, ...counts }];
    });
  });
}
