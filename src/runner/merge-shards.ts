// Joins the shards of one plan: proves that they are like parts of it, each there once, complete, and with no sample too many.
import { ToolError } from '../core/errors.ts';
import type { RunPlan } from '../core/plan.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { orderedRows, type SlotRow, scanJournal } from './ordered-rows.ts';
import { planDigest } from './plan-run.ts';
import { runSlots } from './run-slots.ts';

export interface ShardInput {
  /** How messages call it: a folder or run id. */
  readonly name: string;
  readonly plan: RunPlan;
  /** Reads the journal from its start; called more than once. */
  readonly rows: () => AsyncIterable<PredictionRow>;
}

/** The plan that the shards are parts of. */
export function wholePlan(plan: RunPlan): RunPlan {
  const whole = { ...plan, shard: null };
  return { ...whole, digest: planDigest(whole) };
}

/**
 * Checks that the shards are all parts of one plan, each part once.
 * @returns the whole plan
 * @throws ToolError `usage` for a run that is no shard, `data` for unlike plans, doubled or missing shards
 */
export function planOfShards(shards: readonly Pick<ShardInput, 'name' | 'plan'>[]): RunPlan {
  const [first, ...others] = shards;
  if (first === undefined) throw new ToolError('usage', 'merge needs the shards of a run');
  for (const { name, plan } of shards) {
    if (plan.shard === null) throw new ToolError('usage', `${name} is a whole run, not a shard`, { hint: 'make shards with --shard i/n' });
    if (planDigest(plan) !== plan.digest) {
      throw new ToolError('integrity', `the plan of ${name} was changed after it was made`, { hint: 'run that shard again' });
    }
  }
  const whole = wholePlan(first.plan);
  const count = first.plan.shard!.count;
  for (const { name, plan } of others) {
    const difference = plan.shard!.count !== count ? `${plan.shard!.count} shards instead of ${count}` : unlikePart(whole, wholePlan(plan));
    if (difference !== null) {
      throw new ToolError('data', `${name} and ${first.name} are not parts of one plan: ${difference}`, {
        hint: 'run all shards with the same recipe, seed and data',
      });
    }
  }
  requireEachOnce(shards, count);
  return whole;
}

function requireEachOnce(shards: readonly Pick<ShardInput, 'name' | 'plan'>[], count: number): void {
  const byIndex = Map.groupBy(shards, ({ plan }) => plan.shard!.index);
  for (const [index, group] of byIndex) {
    if (group.length === 1) continue;
    throw new ToolError('data', `shard ${index}/${count} is there ${group.length} times: ${group.map(({ name }) => name).join(', ')}`, {
      hint: 'name each shard once',
    });
  }
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !byIndex.has(index));
  if (missing.length > 0) {
    throw new ToolError(
      'data',
      `${missing.length} of ${count} shards are missing: ${missing.map((index) => `${index}/${count}`).join(', ')}`,
      {
        hint: 'run them with --shard, then merge again',
      },
    );
  }
}

/** The first part in which two whole plans differ, in words; null where their digests are equal. */
function unlikePart(left: RunPlan, right: RunPlan): string | null {
  if (left.digest === right.digest) return null;
  const models = (plan: RunPlan): string => plan.models.map((model) => `${model.key} ${model.facts.digest?.slice(0, 12) ?? ''}`).join(', ');
  if (models(left) !== models(right)) return `models ${models(right)} instead of ${models(left)}`;
  const tasks = (plan: RunPlan): string => plan.tasks.map((task) => task.key).join(', ');
  if (tasks(left) !== tasks(right)) return `tasks ${tasks(right)} instead of ${tasks(left)}`;
  for (const [at, task] of left.tasks.entries()) {
    const other = right.tasks[at]!;
    if (task.digest !== other.digest) return `task "${task.key}" has other prompts or another version`;
    if (task.manifest !== other.manifest) return `task "${task.key}" has other samples`;
  }
  const scalar = (Object.keys(left) as (keyof RunPlan)[]).find(
    (key) => key !== 'digest' && typeof left[key] !== 'object' && left[key] !== right[key],
  );
  return scalar === undefined ? 'their settings differ' : `${scalar} is ${right[scalar]} instead of ${left[scalar]}`;
}

/**
 * The final rows of all shards, shard after shard; none is given out before all shards have proven complete.
 * @throws ToolError `data` for rows that a shard's plan does not hold, and for samples without a row
 */
export async function* mergedRows(shards: readonly ShardInput[]): AsyncGenerator<PredictionRow> {
  const scanned = [];
  for (const shard of shards) scanned.push({ shard, ...(await scanShard(shard)) });
  for (const { shard, slots, scan } of scanned) {
    for await (const { row } of orderedRows({ slots, scan, rows: shard.rows }) as AsyncIterable<SlotRow>) yield row;
  }
}

async function scanShard({ name, plan, rows }: ShardInput) {
  const slots = runSlots(plan);
  const scan = await scanJournal(slots, rows());
  if (scan.foreignCount > 0) {
    throw new ToolError('data', `${name} holds ${scan.foreignCount} rows that are not of its shard: ${scan.foreign.join(', ')}`, {
      hint: 'its journal was mixed with another run; run that shard again',
    });
  }
  const open = scan.lastLine.reduce((total, line) => total + (line === -1 ? 1 : 0), 0);
  if (open > 0) {
    const first = scan.lastLine.indexOf(-1);
    const result = slots.results.find((entry) => first < entry.start + entry.length)!;
    const id = result.ids[(first - result.start) % result.ids.length];
    throw new ToolError(
      'data',
      `${name} lacks ${open} of ${slots.total} samples, the first is ${result.model.key}/${result.task.key}/${id}`,
      { hint: 'finish that shard with the command that started it' },
    );
  }
  return { slots, scan };
}
