// A finished performance run with its requests, for comparing and for reports.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import type { RunRecord } from '../../core/record.ts';
import { openRun } from '../open-run.ts';
import type { Workspace } from '../workspace.ts';
import { type Performance, performanceSchema } from './perf-schema.ts';

/** A line of requests.jsonl, as far as comparisons need it. */
export interface RequestLine {
  readonly model: string;
  readonly point: number;
  readonly rep: number;
  readonly steady: boolean;
  readonly prompt: string;
  readonly ttftMs?: number;
  readonly tpotMs?: number;
  readonly e2eMs?: number;
  readonly error?: unknown;
}

export interface PerfRun {
  readonly id: string;
  readonly record: RunRecord;
  readonly performance: Performance;
  readonly requests: readonly RequestLine[];
}

/** The `performance` block of a record. @throws ToolError `data` where there is none or it is damaged */
export function performanceOf(record: RunRecord): Performance {
  if (record.performance === undefined)
    throw new ToolError('data', `run ${record.id} measured no performance`, { hint: 'runs of "slmbench perf" do' });
  const parsed = performanceSchema.safeParse(record.performance);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new ToolError('data', `the performance block of ${record.id} is damaged: ${issue.path.join('.')}: ${issue.message}`);
}

/** @throws ToolError `not-found` or `data`; `usage` where only the record is there */
export async function readPerfRun(reference: string, workspace: Workspace): Promise<PerfRun> {
  const run = await openRun(reference, workspace);
  const performance = performanceOf(run.record);
  if (run.folder === null)
    throw new ToolError('usage', `${run.id} is a record without its run folder`, { hint: 'name the run folder: requests.jsonl is needed' });
  const text = await readFile(join(run.folder, 'requests.jsonl'), 'utf8').catch(() => '');
  const requests = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RequestLine);
  return { id: run.id, record: run.record, performance, requests };
}
