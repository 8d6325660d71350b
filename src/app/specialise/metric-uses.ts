// The metrics of a record, read from the recipe it carries: what `verify` computes again.
import { specialiseRecipeSchema } from '../../config/specialise-recipe.ts';
import { ToolError } from '../../core/errors.ts';
import type { BenchmarkRecord } from '../../core/specialise-record.ts';
import { taskDefinitionOf } from './recipe-task.ts';
import type { ScoringRules } from './score-rows.ts';

/** @throws ToolError `data` for a record whose recipe cannot be read */
export function parseMetricUses(record: BenchmarkRecord): Omit<ScoringRules, 'labels'> {
  const recipe = specialiseRecipeSchema.safeParse(record.config);
  if (!recipe.success) throw new ToolError('data', `record ${record.name} carries no readable recipe`);
  const { metrics, primaryMetric } = taskDefinitionOf(recipe.data);
  return {
    metrics: metrics.map((use) => {
      const { name, options } = typeof use === 'string' ? { name: use, options: {} } : use;
      return { name, options: { protocol: 'native', ...options } };
    }),
    primaryMetric,
    seed: recipe.data.test.seed,
  };
}
