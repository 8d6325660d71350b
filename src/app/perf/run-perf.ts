// The performance run: models one after the other (or in A B B A blocks), a run folder with every request, a record and a report.
// The folder is there from the start and takes each finished stage, so that the same command goes on after a crash.
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import type { RunPlan } from '../../core/plan.ts';
import type { RunWriter } from '../../core/ports/run-store.ts';
import type { RunRecord } from '../../core/record.ts';
import { monotonicClock } from '../../profiler/monotonic-clock.ts';
import { renderPerfMarkdown } from '../../report/perf/render-perf-markdown.ts';
import { loadFileRunStore } from '../../store/registry.ts';
import { readSessionOrigin } from '../session-origin.ts';
import { isRecordFile, openWorkspace, type Workspace } from '../workspace.ts';
import { blockName } from './block-name.ts';
import { readCalibration } from './calibration-file.ts';
import { measureModel, type PerfSession } from './measure-model.ts';
import { openPerfJournal } from './perf-journal.ts';
import { type PerfModel, preparePerfModels } from './perf-model.ts';
import { buildPerfRecord, measuredSettings, perfPlan } from './perf-record.ts';
import type { PerfHooks, PerfRequest, PerfResult } from './perf-request.ts';
import { type Performance, type PerfSubject, performanceSchema } from './perf-schema.ts';
import { textSetPrompts } from './workload/prompt-workload.ts';

/** Blocks of an interleaved run carry their number, so that their requests stay apart. */
function inOrder(models: readonly PerfModel[], interleave: boolean): readonly PerfModel[] {
  if (!interleave) return models;
  const [a, b] = models;
  if (a === undefined || b === undefined || models.length > 2)
    throw new ToolError('usage', 'a comparison takes exactly two models (-m A B)');
  return [a, b, b, a].map((model, index) => ({ ...model, key: blockName(model.key, index + 1) }));
}

async function* oneLines(lines: readonly string[]): AsyncGenerator<string> {
  for (const line of lines) yield `${line}\n`;
}

function exitCodeOf(performance: Performance, request: PerfRequest, status: RunRecord['status'], interrupted: boolean): number {
  if (interrupted) return 130;
  const points = performance.subjects.flatMap((subject) => subject.points);
  // A load point without a single answer that has a text, or one that lost its server, is a failed run, whatever the others say (K01).
  if (status !== 'complete' || points.some(({ requests }) => requests.sent > 0 && requests.failed + requests.empty === requests.sent))
    return 1;
  if (request.slo === null) return 0;
  if (request.search !== null) return performance.subjects.every((subject) => subject.sloCapacity !== null) ? 0 : 3;
  return points.every((point) => point.slo?.attained !== false) ? 0 : 3;
}

/** Unfinished (the same command goes on) while a stage was stopped or lost its server; failed where nothing was answered. */
function statusOf({ cuts }: PerfSession, interrupted: boolean): RunRecord['status'] {
  if (interrupted || cuts.some((cut) => cut !== 'no-answers')) return 'partial';
  return cuts.length > 0 ? 'failed' : 'complete';
}

interface RunFrame {
  readonly plan: RunPlan;
  readonly writer: RunWriter;
  readonly folder: string;
  readonly startedAt: string;
  readonly startMs: number;
}

/**
 * Measures every model of the request and writes `runs/<id>/` with record.json, requests.jsonl, resources.jsonl and report.md. An equal
 * run that is unfinished is gone on with, unless `fresh`.
 * @throws ToolError `usage` for nothing to measure, `locked` where another process works on an equal run, and what opening a model throws
 */
export async function runPerf(request: PerfRequest, hooks: PerfHooks): Promise<PerfResult> {
  if (request.models.length === 0) throw new ToolError('usage', 'perf needs a model', { hint: 'slmbench perf -m smollm2-135m' });
  const { output, offline } = request;
  const workspace = await openWorkspace({ offline, output, listener: hooks.listener, signal: hooks.signal });
  const startedAt = monotonicClock.utc();
  const startMs = monotonicClock.nowMs();
  // A mistyped set of prompts is told before a model is fetched and loaded.
  if (request.workload.kind === 'text') textSetPrompts(request.workload.name);
  const prepared = await preparePerfModels(request, workspace);
  const models = inOrder(prepared, request.interleave === true);
  const plan = perfPlan(prepared, request, measuredSettings(request));
  const store = await loadFileRunStore(workspace.runsFolder);
  const { writer, resumed } = await store.open(plan, { fresh: request.fresh === true });
  const folder = join(workspace.runsFolder, writer.runId);
  let isWorthKeeping = resumed;
  try {
    // What happens is kept with the run, so that a viewer can show it while it lasts.
    const listener: PerfHooks['listener'] = (event) => {
      writer.event(event);
      hooks.listener(event);
    };
    const session = await openSession(request, { ...hooks, listener }, workspace, { plan, writer, folder, startedAt, startMs });
    const subjects: PerfSubject[] = [];
    for (const model of models) {
      if (hooks.signal?.aborted === true) break;
      subjects.push(await measureModel(session, model));
      isWorthKeeping = true;
    }
    return await finish(session, subjects, { plan, writer, folder, startedAt, startMs });
  } finally {
    await writer.close();
    // A model that does not open leaves no empty run behind.
    if (!isWorthKeeping) await rm(folder, { recursive: true, force: true });
  }
}

async function openSession(request: PerfRequest, hooks: PerfHooks, workspace: Workspace, frame: RunFrame): Promise<PerfSession> {
  const { writer, folder, startedAt, startMs } = frame;
  const elapsedMs = (): number => monotonicClock.nowMs() - startMs;
  const journal = await openPerfJournal({ writer, folder, session: { startedAt, elapsedMs } });
  const notes: string[] = [];
  if (journal.keptStages > 0) {
    const message = `${journal.keptStages} finished stages are kept from ${journal.earlierSessions.map((session) => session.startedAt).join(', ')}`;
    notes.push(message);
    hooks.listener({ kind: 'note', at: monotonicClock.utc(), message });
  }
  const ceiling = (await readCalibration(workspace.cacheDirectory))?.chunksPerSecond ?? null;
  return { request, hooks, workspace, journal, notes, requestLines: [], resourceLines: [], cuts: [], ceiling };
}

async function finish(session: PerfSession, subjects: readonly PerfSubject[], frame: RunFrame): Promise<PerfResult> {
  const { request, hooks, journal } = session;
  const { plan, writer, folder } = frame;
  const performance: Performance = performanceSchema.parse({
    schema: 'slmbench/performance/1',
    order: request.interleave === true ? 'A B B A' : 'one model after the other',
    repetitions: request.repetitions,
    subjects,
  });
  await writer.writeArtifact('requests.jsonl', oneLines(session.requestLines));
  await writer.writeArtifact('resources.jsonl', oneLines(session.resourceLines));
  const interrupted = hooks.signal?.aborted === true;
  const status = statusOf(session, interrupted);
  const record = buildPerfRecord({
    id: writer.runId,
    plan,
    request,
    performance,
    origin: await readSessionOrigin(request.commandLine),
    notes: session.notes,
    startedAt: journal.earlierSessions[0]?.startedAt ?? frame.startedAt,
    finishedAt: monotonicClock.utc(),
    durationMs: journal.earlierSessions.reduce((sum, { elapsedMs }) => sum + elapsedMs, monotonicClock.nowMs() - frame.startMs),
    status,
    artifacts: {
      'requests.jsonl': (await writer.digestArtifact('requests.jsonl'))!,
      'resources.jsonl': (await writer.digestArtifact('resources.jsonl'))!,
    },
  });
  const { name, created, command, notes } = record;
  await writer.writeArtifact('report.md', renderPerfMarkdown(performance, { title: name, created, command, notes }));
  await writer.writeRecord(record);
  if (status === 'complete') await journal.clear();
  const files = ['record.json', 'requests.jsonl', 'resources.jsonl', 'report.md'].map((what) => ({ what, path: join(folder, what) }));
  if (isRecordFile(request.output)) {
    await mkdir(dirname(resolve(request.output)), { recursive: true });
    await copyFile(join(folder, 'record.json'), request.output);
    files.push({ what: 'record', path: request.output });
  }
  return { record, performance, folder, files, exitCode: exitCodeOf(performance, request, status, interrupted) };
}
