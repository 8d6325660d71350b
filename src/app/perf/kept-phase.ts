// A measured phase as a stage of the journal, and back.
import { z } from 'zod';
import { ToolError } from '../../core/errors.ts';
import { resourceSummarySchema } from '../../core/record.ts';
import type { MeasuredPhase } from './measured-phase.ts';
import type { PerfStage, StageContent } from './perf-journal.ts';
import { clientFactsSchema, hostFactsSchema, serverCountsSchema, warmUpSchema } from './perf-schema.ts';
import { readRequestLine } from './request-line.ts';

const phaseFactsSchema = z.strictObject({
  durationMs: z.number(),
  /** Of the workload that it sent; another one makes the phase worthless. */
  workloadDigest: z.string(),
  window: z.strictObject({
    fromMs: z.number(),
    toMs: z.number(),
    steps: z.array(z.strictObject({ index: z.number(), ratio: z.number(), p: z.number() })),
    slowedDown: z.boolean(),
  }),
  warmUp: warmUpSchema.nullable(),
  client: clientFactsSchema,
  host: hostFactsSchema,
  resources: resourceSummarySchema.nullable(),
  serverCounts: serverCountsSchema.nullable(),
});

export function phaseToStage(phase: MeasuredPhase, workloadDigest: string): StageContent {
  const { window, durationMs, warmUp, client, host, resources, serverCounts } = phase;
  const { fromMs, toMs, steps, slowedDown } = window;
  const facts: z.input<typeof phaseFactsSchema> = {
    durationMs,
    workloadDigest,
    window: { fromMs, toMs, steps: steps.map(({ index, ratio, p }) => ({ index, ratio, p })), slowedDown },
    warmUp,
    client,
    host,
    resources,
    serverCounts,
  };
  return { facts, requests: phase.requestLines, resources: phase.resourceLines };
}

/** null where the phase was measured with another workload. @throws ToolError `integrity` where it cannot be read */
export function phaseFromStage(stage: PerfStage, workloadDigest: string): MeasuredPhase | null {
  const parsed = phaseFactsSchema.safeParse(stage.facts);
  if (!parsed.success)
    throw new ToolError('integrity', `the kept stage "${stage.key}" is damaged: ${parsed.error.issues[0]!.message}`, {
      hint: 'start again with --fresh',
    });
  const { workloadDigest: kept, window, ...facts } = parsed.data;
  if (kept !== workloadDigest) return null;
  const lines = stage.requests.map(readRequestLine);
  return {
    ...facts,
    window: { ...window, results: lines.filter((line) => line.isSteady).map((line) => line.result) },
    all: lines.map((line) => line.result),
    requestLines: stage.requests,
    resourceLines: stage.resources,
  };
}
