// The small file beside plan and record that lets `list runs` and resume look at many runs without reading their plans.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunPlan } from '../../core/plan.ts';
import type { RunSummary } from '../../core/ports/run-store.ts';
import { runFiles } from './run-folder.ts';
import { isMissing } from './storage-error.ts';
import { writeAtomically } from './write-atomically.ts';

const statuses: readonly RunSummary['status'][] = ['unfinished', 'complete', 'partial', 'failed'];
type Summary = Omit<RunSummary, 'runId' | 'location'>;

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** Checked by hand: listing runs must not load the schema library. */
function asSummary(value: unknown): Summary | null {
  const { planDigest, created, status, models, tasks } = (value ?? {}) as Partial<Record<keyof Summary, unknown>>;
  const known = statuses.find((one) => one === status);
  if (typeof planDigest !== 'string' || typeof created !== 'string' || known === undefined || !isTextList(models) || !isTextList(tasks))
    return null;
  return { planDigest, created, status: known, models, tasks };
}

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
  const kept = asSummary(await readJson(join(folder, runFiles.summary)));
  if (kept !== null) return { runId, location: folder, ...kept };
  const [{ runPlanSchema }, { runRecordSchema }] = await Promise.all([import('../../core/plan.ts'), import('../../core/record.ts')]);
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
