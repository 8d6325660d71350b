// Recomputes a record from journal, plan and facts and lists every difference; a tampered or damaged run cannot pass.
import { messageOf } from '../core/errors.ts';
import type { RunPlan } from '../core/plan.ts';
import type { PredictionRow } from '../core/prediction.ts';
import type { RunRecord } from '../core/record.ts';
import { buildRecord } from './build-record.ts';
import { digestedArtifacts } from './finish-run.ts';
import { type JournalScan, scanJournal } from './ordered-rows.ts';
import { idManifest, planDigest } from './plan-run.ts';
import type { RunFacts } from './run-facts.ts';
import { runSlots } from './run-slots.ts';
import type { CreateScorer } from './scoring.ts';

export interface VerifyRunInput {
  readonly plan: RunPlan;
  readonly record: RunRecord;
  readonly facts: RunFacts;
  readonly rows: () => AsyncIterable<PredictionRow>;
  readonly createScorer: CreateScorer;
  readonly digestArtifact: (name: string) => Promise<string | null>;
}

export interface RecordDifference {
  /** Where, e.g. `results[0].primary.value`, `journal.jsonl`. */
  readonly path: string;
  readonly recorded: unknown;
  readonly recomputed: unknown;
}

/** Differences of recorded and recomputed values; empty when all is well. */
export async function verifyRun(input: VerifyRunInput): Promise<readonly RecordDifference[]> {
  const { plan, record } = input;
  const differences: RecordDifference[] = [...planDifferences(plan, record)];
  for (const name of new Set([...digestedArtifacts, ...Object.keys(record.artifacts)])) {
    const recorded = record.artifacts[name] ?? null;
    const recomputed = await input.digestArtifact(name);
    if (recorded !== recomputed) differences.push({ path: `artifacts.${name}`, recorded, recomputed });
  }
  const slots = runSlots(plan);
  let scan: JournalScan;
  try {
    scan = await scanJournal(slots, input.rows());
  } catch (error) {
    return [...differences, { path: 'journal.jsonl', recorded: 'readable', recomputed: messageOf(error) }];
  }
  if (scan.foreignCount > 0) {
    differences.push({
      path: 'journal.jsonl',
      recorded: 'rows of the plan only',
      recomputed: `${scan.foreignCount} foreign rows: ${scan.foreign.join(', ')}`,
    });
  }
  const { facts, rows, createScorer } = input;
  const recomputed = await buildRecord({ plan, facts, rows, createScorer, name: record.name, artifacts: record.artifacts, scan });
  // Blocks of other rooms (training, load tests) are verified by them.
  const { specialise: _specialise, performance: _performance, quantisation: _quantisation, ...own } = record;
  compare('', own, recomputed, differences);
  return differences;
}

function planDifferences(plan: RunPlan, record: RunRecord): RecordDifference[] {
  const differences: RecordDifference[] = [];
  const digest = planDigest(plan);
  if (digest !== plan.digest) differences.push({ path: 'plan.digest', recorded: plan.digest, recomputed: digest });
  if (record.planDigest !== digest) differences.push({ path: 'planDigest', recorded: record.planDigest, recomputed: digest });
  for (const task of plan.tasks) {
    const manifest = idManifest(task.sampleIds);
    if (manifest !== task.manifest)
      differences.push({ path: `plan.tasks.${task.key}.manifest`, recorded: task.manifest, recomputed: manifest });
  }
  return differences;
}

/** Every place at which two JSON values differ. */
export function differencesBetween(path: string, recorded: unknown, recomputed: unknown): RecordDifference[] {
  const differences: RecordDifference[] = [];
  compare(path, recorded, recomputed, differences);
  return differences;
}

function compare(path: string, recorded: unknown, recomputed: unknown, differences: RecordDifference[]): void {
  if (Object.is(recorded, recomputed)) return;
  if (Array.isArray(recorded) && Array.isArray(recomputed)) {
    if (recorded.length !== recomputed.length) {
      differences.push({ path: `${path}.length`, recorded: recorded.length, recomputed: recomputed.length });
      return;
    }
    recorded.forEach((item, index) => {
      compare(`${path}[${index}]`, item, recomputed[index], differences);
    });
    return;
  }
  if (isObject(recorded) && isObject(recomputed)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(recomputed)])) {
      compare(path === '' ? key : `${path}.${key}`, recorded[key], recomputed[key], differences);
    }
    return;
  }
  // Minus zero has no form in JSON.
  if (recorded === recomputed) return;
  differences.push({ path, recorded: recorded ?? null, recomputed: recomputed ?? null });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
