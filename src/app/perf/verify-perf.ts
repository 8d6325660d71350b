// Recomputes the figures of a performance run from its requests, and the digests of its files; a changed or damaged run cannot pass.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import type { RunPlan } from '../../core/plan.ts';
import type { RunRecord } from '../../core/record.ts';
import { planDigest } from '../../runner/plan-run.ts';
import { differencesBetween, type RecordDifference } from '../../runner/verify-run.ts';
import type { LoadPoint, Performance } from './perf-schema.ts';
import { pointFigures } from './point-figures.ts';
import type { Ratings } from './ratings.ts';
import { performanceOf } from './read-perf-run.ts';
import { readRequestLine } from './request-line.ts';
import type { Slo } from './slo.ts';

export interface VerifyPerfInput {
  readonly folder: string;
  readonly plan: RunPlan;
  readonly record: RunRecord;
  readonly digestArtifact: (name: string) => Promise<string | null>;
}

/** Requests by model, point and repetition. */
type Requests = ReadonlyMap<string, readonly ReturnType<typeof readRequestLine>[]>;

function keyOf(model: string, point: number, repetition: number): string {
  return JSON.stringify([model, point, repetition]);
}

async function readRequests(folder: string): Promise<Requests> {
  const text = await readFile(join(folder, 'requests.jsonl'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  return Map.groupBy(lines.map(readRequestLine), ({ model, point, repetition }) => keyOf(model, point, repetition));
}

function recomputed(requests: Requests, model: string, number: number, point: LoadPoint, settings: RunPlan['performance']): unknown {
  const phases = point.windows.map(({ fromMs, toMs }, repetition) => {
    const lines = requests.get(keyOf(model, number, repetition)) ?? [];
    const results = lines.filter(({ isSteady }) => isSteady).map(({ result }) => result);
    return { window: { fromMs, toMs, results }, all: lines.map(({ result }) => result) };
  });
  return pointFigures(phases, settings!['ratings'] as unknown as Ratings, (settings!['slo'] ?? null) as unknown as Slo | null);
}

function figureDifferences(performance: Performance, requests: Requests, settings: RunPlan['performance']): RecordDifference[] {
  return performance.subjects.flatMap((subject, place) =>
    subject.points.flatMap((point, number) => {
      const figures = JSON.parse(JSON.stringify(recomputed(requests, subject.model, number, point, settings))) as Record<string, unknown>;
      return Object.entries(figures).flatMap(([name, value]) =>
        differencesBetween(`performance.subjects[${place}].points[${number}].${name}`, point[name as keyof LoadPoint], value),
      );
    }),
  );
}

/** Differences of recorded and recomputed values; empty when all is well. Runs of older versions have their digests checked only. */
export async function verifyPerf({ folder, plan, record, digestArtifact }: VerifyPerfInput): Promise<readonly RecordDifference[]> {
  const digest = planDigest(plan);
  const differences = [
    ...differencesBetween('plan.digest', plan.digest, digest),
    ...differencesBetween('planDigest', record.planDigest, digest),
  ];
  for (const [name, recorded] of Object.entries(record.artifacts))
    differences.push(...differencesBetween(`artifacts.${name}`, recorded, await digestArtifact(name)));
  if (record.performance === undefined || plan.performance === undefined) return differences;
  try {
    const requests = await readRequests(folder);
    return [...differences, ...figureDifferences(performanceOf(record), requests, plan.performance)];
  } catch (error) {
    return [...differences, { path: 'requests.jsonl', recorded: 'readable', recomputed: messageOf(error) }];
  }
}
