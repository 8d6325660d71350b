// The small file beside plan and record that lets `list runs` and resume look at many runs without reading their plans.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunPlan } from '../../core/plan.ts';
import { runPlanSchema } from '../../core/plan.ts';
import type { RunSummary } from '../../core/ports/run-store.ts';
import { runRecordSchema } from '../../core/record.ts';
import { runFiles } from './run-folder.ts';
import { isMissing } from './storage-error.ts';
import { writeAtomically } from './write-atomically.ts';

const summarySchema = z.strictObject({
  planDigest: z.string(),
  created: z.string(),
  status: z.enum(['unfinished', 'complete', 'partial', 'failed']),
  models: z.array(z.string()),
  tasks: z.array(z.string()),
});
type Summary = z.infer<typeof summarySchema>;

export function summaryOf(plan: RunPlan, created: string, status: Summary['status']): Summary {
  return {
    planDigest: plan.digest,
    created,
    status,
    models: plan.models.map((model) => model.key),
    tasks: plan.tasks.map((task) => task.key),
  };
}

export async function writeSummary(folder: string, summary: Summary): Promise<void> {
  await writeAtomically(join(folder, runFiles.summary), `${JSON.stringify(summary)}\n`);
}

/** Summary of a run folder, or null where the folder holds no run. A lost summary is made again from plan and record. */
export async function readSummary(folder: string, runId: string): Promise<RunSummary | null> {
  const kept = await readJson(join(folder, runFiles.summary));
  const parsed = summarySchema.safeParse(kept);
  if (parsed.success) return { runId, location: folder, ...parsed.data };
  const plan = runPlanSchema.safeParse(await readJson(join(folder, runFiles.plan)));
  if (!plan.success) return null;
  const record = runRecordSchema.safeParse(await readJson(join(folder, runFiles.record)));
  const created = record.success ? record.data.created : createdFrom(runId);
  return { runId, location: folder, ...summaryOf(plan.data, created, record.success ? record.data.status : 'unfinished') };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function createdFrom(runId: string): string {
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)/.exec(runId);
  if (parts === null) return '';
  const [, year, month, day, hour, minute, second] = parts;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
}
