// A performance run as a plan and a record, so that every verb that reads runs reads it too; the figures are in `performance`.
import type { Json } from '../../core/json.ts';
import type { RunPlan } from '../../core/plan.ts';
import type { RunRecord } from '../../core/record.ts';
import { planDigest } from '../../runner/plan-run.ts';
import type { SessionOrigin } from '../../runner/run-facts.ts';
import type { PerfModel } from './perf-model.ts';
import type { PerfRequest } from './perf-request.ts';
import type { Performance } from './perf-schema.ts';

/** All of a request that decides what is measured: a run that was cut is finished only by an equal one. */
export function measuredSettings(request: PerfRequest): NonNullable<RunPlan['performance']> {
  const { name: _name, output: _output, offline: _offline, commandLine: _command, fresh: _fresh, models: _models, ...settings } = request;
  return JSON.parse(JSON.stringify(settings)) as NonNullable<RunPlan['performance']>;
}

/** @param settings - what is measured, for runs that can be resumed */
export function perfPlan(
  models: readonly PerfModel[],
  request: Pick<PerfRequest, 'seed' | 'repetitions' | 'profile'>,
  settings?: NonNullable<RunPlan['performance']>,
): RunPlan {
  const plan: RunPlan = {
    schema: 'slmbench/plan/1',
    digest: '',
    models: models.map((model) => model.planned),
    tasks: [],
    seed: request.seed,
    repeats: request.repetitions,
    protocol: 'native',
    deterministic: false,
    cache: 'off',
    maxErrorRate: 0,
    concurrency: null,
    overflow: 'error',
    profile: request.profile,
    smoke: false,
    system: null,
    shard: null,
    ...(settings === undefined ? {} : { performance: settings }),
  };
  return { ...plan, digest: planDigest(plan) };
}

export interface PerfRecordInput {
  readonly id: string;
  readonly plan: RunPlan;
  readonly request: Pick<PerfRequest, 'name'>;
  readonly performance: Performance;
  readonly origin: SessionOrigin;
  readonly notes: readonly string[];
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly durationMs: number;
  readonly status: RunRecord['status'];
  readonly artifacts: Readonly<Record<string, string>>;
}

/** The frame of a record without task results. */
export function recordFrame(input: Omit<PerfRecordInput, 'performance' | 'request'> & { readonly name: string }): RunRecord {
  const { plan, origin } = input;
  return {
    schema: 'slmbench/record/1',
    id: input.id,
    name: input.name,
    status: input.status,
    smoke: false,
    created: input.startedAt,
    finished: input.finishedAt,
    durationMs: input.durationMs,
    notes: [...input.notes],
    tool: origin.tool,
    project: origin.project,
    command: origin.command,
    planDigest: plan.digest,
    settings: {
      seed: plan.seed,
      repeats: plan.repeats,
      protocol: plan.protocol,
      deterministic: plan.deterministic,
      cache: plan.cache,
      maxErrorRate: plan.maxErrorRate,
      concurrency: plan.concurrency,
      overflow: plan.overflow,
      system: plan.system,
    },
    models: plan.models,
    tasks: [],
    modelRuns: [],
    results: [],
    groups: [],
    environment: origin.environment,
    artifacts: { ...input.artifacts },
  };
}

export function buildPerfRecord(input: PerfRecordInput): RunRecord {
  const names = input.performance.subjects.map((subject) => subject.model).join(', ');
  return {
    ...recordFrame({ ...input, name: input.request.name ?? `speed of ${names}` }),
    performance: JSON.parse(JSON.stringify(input.performance)) as Record<string, Json> as RunRecord['performance'],
  };
}
