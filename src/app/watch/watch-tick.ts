// One tick of a watch: find what changed, measure only that, compare with the last measurement, tell about what got worse.
import { join } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import type { EventListener } from '../../core/events.ts';
import { safeFileName } from '../../core/names.ts';
import type { RunRecord } from '../../core/record.ts';
import { isSpeedMetric, parseGateRule } from '../../report/gate/gate-rule.ts';
import { writeFileAtomic } from '../../sources/write-file-atomic.ts';
import { prepareEvaluation } from '../evaluate-request.ts';
import type { EvaluationHooks, EvaluationRequest } from '../evaluation-request.ts';
import { gateRun } from '../gate/gate-run.ts';
import { readPackageFacts } from '../session-origin.ts';
import type { Workspace } from '../workspace.ts';
import { findLevelShift } from './detect-changes.ts';
import { type HistoryEntry, seriesOf, type WatchHistory } from './history.ts';
import { type Notification, type NotifyTargets, notify } from './notify.ts';
import { findStale, type StalePair } from './stale-results.ts';
import { trendMarkdown, trendSvg } from './trend-report.ts';
import type { WatchPlace } from './watch-place.ts';

export interface TickInput {
  readonly request: EvaluationRequest;
  /** Folder of this watch: the trend, and the history where no database keeps it. */
  readonly folder: string;
  readonly place: WatchPlace;
  readonly targets: NotifyTargets;
  readonly hooks: EvaluationHooks;
  /** Measure all again, changed or not. */
  readonly force: boolean;
}

export interface TickResult {
  readonly stale: readonly StalePair[];
  readonly runs: readonly string[];
  readonly alarms: readonly Notification[];
  /** Notifications that could not be sent. */
  readonly unsent: readonly string[];
}

/** Name of the watch's folder: by recipe, so that each keeps its own history. */
export function watchFolder(runsFolder: string, configFile: string): string {
  return join(runsFolder, 'watch', safeFileName(configFile.replace(/^.*[/\\]/, '').replace(/\.[^.]+$/, '')));
}

/** Uses of the recipe that give a stale task: a group is measured as a whole. */
function usesOf(request: EvaluationRequest, names: readonly string[], stale: readonly StalePair[]): readonly string[] {
  const own = names.filter((name) =>
    stale.some(({ task }) => task.key === name || task.name === name || task.groups.includes(name) || task.key.startsWith(`${name}:`)),
  );
  return own.length > 0 ? own : (request.tasks ?? names);
}

function entriesOf(record: RunRecord, stale: readonly StalePair[]): HistoryEntry[] {
  return record.results.flatMap((result): HistoryEntry[] => {
    const pair = stale.find(({ model, task }) => model.key === result.model && task.key === result.task);
    if (pair === undefined) return [];
    const { primary } = result;
    return [
      {
        at: record.finished,
        runId: record.id,
        model: result.model,
        task: result.task,
        fingerprint: pair.fingerprint,
        modelDigest: pair.model.facts.digest,
        metric: primary === null ? pair.task.primaryMetric : primary.average === null ? primary.name : `${primary.name}:${primary.average}`,
        higherIsBetter: primary?.higherIsBetter ?? true,
        value: primary?.value ?? null,
        low: primary?.interval?.low ?? null,
        high: primary?.interval?.high ?? null,
        n: primary?.n ?? 0,
        latencyMs: result.speed.latencyMs.p50,
        status: record.status,
      },
    ];
  });
}

interface RegressionInput {
  readonly entry: HistoryEntry;
  /** What was known before this tick. */
  readonly history: WatchHistory;
  /** Results that are measured in this tick. */
  readonly series: number;
  readonly workspace: Workspace;
  readonly place: WatchPlace;
  readonly recipe: string;
}

/** The gate of zero drop against the run before: only evidence that the answers got worse raises an alarm. */
async function regressionOf({ entry, history, series, workspace, place, recipe }: RegressionInput): Promise<Notification[]> {
  const before = seriesOf(history, entry.model, entry.task).findLast((old) => old.status === 'complete' && old.value !== null);
  if (before === undefined || entry.value === null || isSpeedMetric(entry.metric)) return [];
  const worse = (entry.value - before.value!) * (entry.higherIsBetter ? -1 : 1);
  if (worse <= 0) return [];
  const rule = parseGateRule('max-drop', `${entry.task}/${entry.metric}=0`);
  let report: Awaited<ReturnType<typeof gateRun>>;
  try {
    // All series of the tick share one bound on false alarms.
    const rules = Array.from({ length: Math.max(1, series) }, () => rule);
    await place.fetchRun(before.runId, workspace.runsFolder);
    report = await gateRun({ run: entry.runId, baseline: before.runId, rules, strict: false }, workspace);
  } catch (error) {
    // The run before was deleted, or its items were others: there is nothing to compare with.
    if (ToolError.isInstance(error)) return [];
    throw error;
  }
  const check = report.checks.find((one) => one.model === entry.model && one.outcome === 'fail');
  if (check === undefined) return [];
  const range = `[${check.interval?.low.toFixed(4)}, ${check.interval?.high.toFixed(4)}]`;
  return [
    {
      kind: 'regression',
      text: `${entry.model} got worse on ${entry.task}: ${entry.metric} ${before.value!.toFixed(4)} to ${entry.value.toFixed(4)}, drop ${check.effect?.toFixed(4)} ${range}`,
      at: entry.at,
      recipe,
      runId: entry.runId,
      details: { model: entry.model, task: entry.task, baseline: before.runId, before: before.value, now: entry.value, n: entry.n },
    },
  ];
}

function shiftsOf(entry: HistoryEntry, history: WatchHistory, series: number, recipe: string): Notification[] {
  const own = seriesOf(history, entry.model, entry.task).filter((old) => old.status === 'complete');
  const figures = [
    ['latencyMs', 'latency p50'],
    ['value', entry.metric],
  ] as const;
  return figures.flatMap(([field, title]): Notification[] => {
    const values = own.flatMap((old) => old[field] ?? []);
    const shift = findLevelShift(values, { series: series * figures.length });
    if (shift === null) return [];
    // Told when it is first seen, not at every tick after it.
    if (findLevelShift(values.slice(0, -1), { series: series * figures.length }) !== null) return [];
    const percent = `${shift.relative > 0 ? '+' : ''}${(100 * shift.relative).toFixed(1)} %`;
    return [
      {
        kind: 'level-shift',
        text: `${title} of ${entry.model} on ${entry.task} has shifted by ${percent} since about ${own[shift.index]?.at ?? entry.at}`,
        at: entry.at,
        recipe,
        runId: entry.runId,
        details: { model: entry.model, task: entry.task, figure: field, ...shift },
      },
    ];
  });
}

function failuresOf(entries: readonly HistoryEntry[], recipe: string): Notification[] {
  return entries
    .filter((entry) => entry.status !== 'complete')
    .map((entry) => ({
      kind: 'run-failed',
      text: `the run of ${entry.model} on ${entry.task} is ${entry.status}`,
      at: entry.at,
      recipe,
      runId: entry.runId,
      details: { model: entry.model, task: entry.task },
    }));
}

function movedModels(stale: readonly StalePair[], history: WatchHistory, recipe: string): Notification[] {
  const moved = new Map(stale.filter(({ reason }) => reason.startsWith('the model changed')).map((pair) => [pair.model.key, pair]));
  return [...moved.values()].map(({ model, task, reason }) => ({
    kind: 'model-changed',
    text: `${model.key}: ${reason}`,
    at: new Date().toISOString(),
    recipe,
    runId: seriesOf(history, model.key, task.key).at(-1)?.runId ?? null,
    details: { model: model.key, digest: model.facts.digest },
  }));
}

export async function watchTick(input: TickInput): Promise<TickResult> {
  const { request, folder, place, targets, hooks } = input;
  const listener: EventListener = hooks.listener ?? (() => undefined);
  const recipeName = request.configFile ?? 'watch';
  const prepared = await prepareEvaluation(request, listener, hooks.finish);
  const { plan, recipe, workspace, models } = prepared;
  const history = await place.history();
  const stale = findStale(plan, history, readPackageFacts().version, input.force);
  const names = recipe.tasks.map((use) => (typeof use === 'string' ? use : use.name));
  const alarms: Notification[] = movedModels(stale, history, recipeName);
  const runs: string[] = [];
  let all = history;
  for (const [key, own] of Map.groupBy(stale, ({ model }) => model.key)) {
    if (hooks.finish?.aborted === true) break;
    const reference = models.uses.get(key)!.reference;
    const part = { ...request, models: [reference], tasks: usesOf(request, names, own), fresh: true, output: workspace.runsFolder };
    const result = await place.measure(part, hooks);
    if (result.kind !== 'record') continue;
    const entries = entriesOf(result.record, own);
    await place.append(entries);
    runs.push(result.record.id);
    const before = all;
    all = { ...all, entries: [...all.entries, ...entries] };
    alarms.push(...failuresOf(entries, recipeName));
    for (const entry of entries) {
      alarms.push(
        ...(await regressionOf({ entry, history: before, series: stale.length, workspace, place, recipe: recipeName })),
        ...shiftsOf(entry, all, stale.length, recipeName),
      );
    }
  }
  await place.append([{ tick: new Date().toISOString(), stale: stale.length, alarms: alarms.length }]);
  if (all.entries.length > 0) {
    await writeFileAtomic(join(folder, 'trend.svg'), trendSvg(all));
    await writeFileAtomic(join(folder, 'trend.md'), trendMarkdown(all));
  }
  const unsent: string[] = [];
  for (const alarm of alarms) unsent.push(...(await notify(alarm, targets)));
  return { stale, runs, alarms, unsent };
}
