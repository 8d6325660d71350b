// Tasks whose scores can stand side by side in one drawing.
import type { ReportView, ViewTask } from '../view-model.ts';

/** Tasks that are scored in shares, more being better; one with any other score has no place on a common scale. */
export function shareTasks({ tasks }: ReportView): readonly ViewTask[] {
  return tasks.filter(({ results }) => {
    const scores = results.flatMap(({ entry }) => (entry.primary?.value == null ? [] : [entry.primary]));
    return scores.length > 0 && scores.every(({ unit, higherIsBetter }) => unit === 'fraction' && higherIsBetter);
  });
}
