// `slmbench gate`: checks a finished run against limits and a baseline, on evidence.
import { ToolError } from '../../core/errors.ts';
import type { ResultEntry, RunRecord } from '../../core/record.ts';
import { type GateRule, isSpeedMetric, requireShare, unknownMetric } from '../../report/gate/gate-rule.ts';
import {
  type GateCheck,
  type GateEvidence,
  type GateReport,
  intervalLevel,
  judgeEvidence,
  summariseGate,
} from '../../report/gate/judge-gate.ts';
import { performanceOf } from '../perf/read-perf-run.ts';
import type { Workspace } from '../workspace.ts';
import { type GatedRun, openGatedRun, rowsKey } from './gated-run.ts';
import { findValue } from './metric-rows.ts';
import { openGatedPerf, perfEvidence, perfPlaces } from './perf-evidence.ts';
import { dropEvidence, type EvidenceDetails, type GatedPair, valueEvidence } from './quality-evidence.ts';
import { speedEvidence } from './speed-evidence.ts';

export interface GateRequest {
  readonly run: string;
  readonly baseline?: string | undefined;
  readonly rules: readonly GateRule[];
  /** "Not enough data" misses the gate as well. */
  readonly strict: boolean;
}

const needsBaseline = new Set(['max-drop', 'max-ratio', 'min-ratio']);

/** The baseline's model for each model of the run: of the same name, or the only one of each. */
function pairModels(run: RunRecord, baseline: RunRecord): ReadonlyMap<string, string> {
  const known = new Set(baseline.models.map((model) => model.key));
  const pairs = new Map(run.models.filter((model) => known.has(model.key)).map((model) => [model.key, model.key]));
  if (pairs.size === 0 && run.models.length === 1 && baseline.models.length === 1) {
    pairs.set(run.models[0]!.key, baseline.models[0]!.key);
  }
  if (pairs.size === 0) {
    throw new ToolError(
      'usage',
      `run and baseline have no model in common: ${run.models.map((model) => model.key).join(', ')} and ${[...known].join(', ')}`,
      {
        hint: 'give both the same key in the recipe, or compare runs of one model each',
      },
    );
  }
  return pairs;
}

function pairsOf(run: GatedRun, baseline: GatedRun | null): GatedPair[] {
  const models = baseline === null ? null : pairModels(run.record, baseline.record);
  const rowsOf = (of: GatedRun, entry: ResultEntry) => (of.rows === null ? null : (of.rows.get(rowsKey(entry.model, entry.task)) ?? []));
  const taskOf = (of: GatedRun, key: string) => of.record.tasks.find((task) => task.key === key)!;
  return run.record.results.map((entry) => {
    const other = baseline?.record.results.find((result) => result.task === entry.task && result.model === models?.get(entry.model));
    return {
      task: taskOf(run, entry.task),
      entry,
      rows: rowsOf(run, entry),
      before: other === undefined ? null : { task: taskOf(baseline!, other.task), entry: other, rows: rowsOf(baseline!, other) },
    };
  });
}

function concerns(rule: GateRule, { entry, task }: GatedPair): boolean {
  if (rule.task !== null && rule.task !== entry.task) return false;
  return isSpeedMetric(rule.metric) || findValue(entry.metrics.values, rule.metric, task) !== undefined;
}

function gather(rule: GateRule, pair: GatedPair, run: GatedRun, workspace: Workspace, level: number): EvidenceDetails {
  const { seed } = run.record.settings;
  const { metric } = rule;
  if (isSpeedMetric(metric)) return speedEvidence(rule, metric, pair, seed, level);
  const value = findValue(pair.entry.metrics.values, metric, pair.task)!;
  requireShare(rule, value.unit);
  if (rule.kind === 'min' || rule.kind === 'max') return valueEvidence(value, level);
  if (rule.kind !== 'max-drop') {
    throw new ToolError('usage', `${rule.text}: ratios are for speed and memory`, { hint: `write --max-drop ${metric}=2%` });
  }
  return dropEvidence(rule, pair, { task: pair.task, value, seed, userMetrics: workspace.userMetrics }, level);
}

/** Errors, missing samples and all samples (of a performance run: requests). */
function countsOf({ record }: GatedRun) {
  const add = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  if (record.performance !== undefined) {
    const requests = performanceOf(record).subjects.flatMap(({ points }) => points.map((point) => point.requests));
    return { errors: add(requests.map(({ failed }) => failed)), missing: 0, total: add(requests.map(({ sent }) => sent)) };
  }
  const counts = record.results.map((result) => result.counts);
  return {
    errors: add(counts.map(({ error }) => error)),
    missing: add(counts.map((one) => one.missing)),
    total: add(counts.map((one) => one.total)),
  };
}

/** A run that failed or lacks samples proves nothing, whatever its scores. */
function completeness(run: GatedRun): GateCheck {
  const { record, name } = run;
  const { errors, missing, total } = countsOf(run);
  const evidence: GateEvidence = {
    rule: { kind: 'max', task: null, metric: 'unfinished', limit: 0, relative: false, text: `${name} is complete` },
    model: null,
    task: null,
    n: total,
    baseline: null,
    value: errors + missing,
    effect: errors + missing,
    interval: null,
    identical: false,
    exact: true,
    notes: [],
  };
  const ok = record.status === 'complete';
  const reason = ok
    ? `${errors} errors are within the tolerance`
    : `the run is ${record.status}: ${errors} errors, ${missing} samples missing`;
  return { ...evidence, outcome: ok ? 'pass' : 'fail', reason };
}

function qualityChecks(rules: readonly GateRule[], run: GatedRun, baseline: GatedRun | null, workspace: Workspace): GateCheck[] {
  const pairs = pairsOf(run, baseline);
  if (pairs.length === 0)
    throw new ToolError('data', `${run.name} has no result on a task`, { hint: 'a gate reads runs of "slmbench run" and "slmbench perf"' });
  const planned = rules.flatMap((rule) => {
    const found = pairs.filter((pair) => concerns(rule, pair));
    if (found.length === 0) {
      const names = pairs.flatMap((pair) => pair.entry.metrics.values.map((value) => value.name));
      throw unknownMetric(rule, [...new Set(names)], [...new Set(pairs.map((pair) => pair.entry.task))]);
    }
    return found.map((pair) => ({ rule, pair }));
  });
  const level = intervalLevel(planned.length);
  return planned.map(({ rule, pair }) =>
    judgeEvidence({ rule, model: pair.entry.model, task: pair.entry.task, ...gather(rule, pair, run, workspace, level) }),
  );
}

async function perfChecks(request: GateRequest, run: GatedRun, baseline: GatedRun | null, workspace: Workspace): Promise<GateCheck[]> {
  const own = await openGatedPerf(request.run, run.record, workspace);
  const other = baseline === null ? null : await openGatedPerf(request.baseline!, baseline.record, workspace);
  const planned = request.rules.flatMap((rule) => perfPlaces(rule, own).map((place) => ({ rule, place })));
  const gate = { run: own, baseline: other, seed: run.record.settings.seed, level: intervalLevel(planned.length) };
  return planned.map(({ rule, place }) => judgeEvidence(perfEvidence(rule, place, gate)));
}

/** @throws ToolError `usage` for rules that fit nothing, `data` for unlike test sets, `not-found` for unknown runs */
export async function gateRun(request: GateRequest, workspace: Workspace): Promise<GateReport> {
  const { rules, strict } = request;
  if (rules.length === 0) {
    throw new ToolError('usage', 'the gate has no limit', { hint: 'add --max-drop accuracy=1pp, --max-ratio ttft=1.1 or --min f1=0.9' });
  }
  const relative = rules.find((rule) => needsBaseline.has(rule.kind));
  if (relative !== undefined && request.baseline === undefined) {
    throw new ToolError('usage', `${relative.text} needs a baseline`, { hint: 'name a run or a record file with --baseline' });
  }
  const run = await openGatedRun(request.run, workspace);
  const baseline = request.baseline === undefined ? null : await openGatedRun(request.baseline, workspace);
  const checks =
    run.record.performance === undefined
      ? qualityChecks(rules, run, baseline, workspace)
      : await perfChecks(request, run, baseline, workspace);
  return summariseGate({ run: run.name, baseline: baseline?.name ?? null, checks: [completeness(run), ...checks], strict });
}
