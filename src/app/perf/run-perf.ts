// The performance run: models one after the other (or in A B B A blocks), a run folder with every request, a record and a report.
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { monotonicClock } from '../../profiler/monotonic-clock.ts';
import { renderPerfMarkdown } from '../../report/perf/render-perf-markdown.ts';
import { loadFileRunStore } from '../../store/registry.ts';
import { readSessionOrigin } from '../session-origin.ts';
import { isRecordFile, openWorkspace, type Workspace } from '../workspace.ts';
import { blockName } from './block-name.ts';
import { readCalibration } from './calibration-file.ts';
import { measureEngineSpeed } from './engine-speed.ts';
import { measurePoints } from './measure-subject.ts';
import { openWorkload } from './open-workload.ts';
import { closePerfModel, openPerfModel, type PerfModel, preparePerfModels } from './perf-model.ts';
import { buildPerfRecord, perfPlan } from './perf-record.ts';
import type { PerfHooks, PerfRequest, PerfResult } from './perf-request.ts';
import { type EngineSpeed, type Performance, type PerfSubject, performanceSchema } from './perf-schema.ts';
import { joinValidity } from './perf-validity.ts';
import { textSetPrompts } from './workload/prompt-workload.ts';

export interface PerfArtifacts {
  readonly requestLines: string[];
  readonly resourceLines: string[];
}

interface Session {
  readonly request: PerfRequest;
  readonly hooks: PerfHooks;
  readonly workspace: Workspace;
  readonly notes: string[];
  readonly artifacts: PerfArtifacts;
  readonly ceiling: number | null;
}

function note(session: Session, message: string): void {
  session.notes.push(message);
  session.hooks.listener({ kind: 'note', at: monotonicClock.utc(), message });
}

async function engineSpeeds(session: Session, model: PerfModel): Promise<EngineSpeed[]> {
  const settings = session.request.engine;
  if (settings === null || model.resolved.backendKind !== 'llama') return [];
  return measureEngineSpeed({
    settings,
    trainedContext: model.resolved.facts.trainedContext,
    base: model.options,
    open: (options) => openPerfModel(model, options, session.hooks),
    close: (backend) => closePerfModel(model, backend, session.hooks),
    onNote: (message) => note(session, `${model.key}: ${message}`),
    signal: session.hooks.signal,
  });
}

/** The embedded engine runs as many answers at once as it has slots: they must be as many as the users. */
function loadOptions(session: Session, model: PerfModel): PerfModel['options'] & { readonly parallel?: number } {
  if (model.resolved.backendKind !== 'llama') return model.options;
  const { loads, search, workload } = session.request;
  const users = Math.max(
    1,
    ...loads.map((load) => (load.kind === 'concurrency' ? load.users : 4)),
    search?.over === 'users' ? search.max : 1,
  );
  const parallel = Math.min(16, users);
  const perRequest = workload.kind === 'synthetic' ? workload.promptTokens + workload.outputTokens + 64 : 2048;
  const trained = model.resolved.facts.trainedContext ?? 4096;
  return {
    ...model.options,
    parallel,
    contextTokens: model.options.contextTokens ?? Math.min(trained, Math.max(2048, perRequest * parallel)),
  };
}

async function measureModel(session: Session, model: PerfModel, repetitions: number): Promise<PerfSubject> {
  const { request, hooks, workspace } = session;
  const engine = await engineSpeeds(session, model);
  const empty = { model: model.key, backend: model.resolved.backendKind, workload: null, points: [], engine, sloCapacity: null };
  const isLoaded = request.loads.length > 0 || request.search !== null || request.workload.kind === 'trace';
  if (!isLoaded) return { ...empty, loadMs: null, loadWarm: null, peakRssBytes: null, validity: { verdict: 'valid', reasons: [] } };
  const backend: Backend = await openPerfModel(model, loadOptions(session, model), hooks, request.cacheAllowed);
  try {
    const workload = await openWorkload(request, backend, workspace, (message) => note(session, message));
    const measured = await measurePoints({
      model: model.key,
      backend,
      workload,
      request,
      hooks,
      repetitions,
      ceilingChunksPerSecond: session.ceiling,
      onLine: (line) => session.artifacts.requestLines.push(line),
      onTimeline: ({ lines }) => session.artifacts.resourceLines.push(...lines),
    });
    const peaks = measured.points.map((point) => point.resources?.peakRssBytes ?? null).filter((value) => value !== null);
    return {
      ...empty,
      ...measured,
      workload: workload.facts,
      loadMs: backend.load.loadMs,
      loadWarm: backend.load.warm,
      peakRssBytes: peaks.length === 0 ? null : Math.max(...peaks),
      validity: joinValidity(measured.points.map((point) => point.validity)),
    };
  } finally {
    await closePerfModel(model, backend, hooks);
  }
}

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

function exitCodeOf(performance: Performance, request: PerfRequest, interrupted: boolean): number {
  if (interrupted) return 130;
  const points = performance.subjects.flatMap((subject) => subject.points);
  // A load point without a single answer is a failed run, whatever the others say (K01).
  if (points.some((point) => point.requests.sent > 0 && point.requests.failed === point.requests.sent)) return 1;
  if (request.slo === null) return 0;
  if (request.search !== null) return performance.subjects.every((subject) => subject.sloCapacity !== null) ? 0 : 3;
  return points.every((point) => point.slo?.attained !== false) ? 0 : 3;
}

/**
 * Measures every model of the request and writes `runs/<id>/` with record.json, requests.jsonl, resources.jsonl and report.md.
 * @throws ToolError `usage` for nothing to measure, and what opening a model throws
 */
export async function runPerf(request: PerfRequest, hooks: PerfHooks): Promise<PerfResult> {
  if (request.models.length === 0) throw new ToolError('usage', 'perf needs a model', { hint: 'slmbench perf -m smollm2-135m' });
  const workspace = await openWorkspace({
    offline: request.offline,
    output: request.output,
    listener: hooks.listener,
    signal: hooks.signal,
  });
  const startedAt = monotonicClock.utc();
  const startMs = monotonicClock.nowMs();
  const ceiling = (await readCalibration(workspace.cacheDirectory))?.chunksPerSecond ?? null;
  const session: Session = { request, hooks, workspace, notes: [], artifacts: { requestLines: [], resourceLines: [] }, ceiling };
  // A mistyped set of prompts is told before a model is fetched and loaded.
  if (request.workload.kind === 'text') textSetPrompts(request.workload.name);
  const models = await preparePerfModels(request, workspace);
  const origin = await readSessionOrigin(request.commandLine);
  const subjects: PerfSubject[] = [];
  for (const model of inOrder(models, request.interleave === true)) {
    if (hooks.signal?.aborted === true) break;
    subjects.push(await measureModel(session, model, request.repetitions));
  }
  const performance: Performance = performanceSchema.parse({
    schema: 'slmbench/performance/1',
    order: request.interleave === true ? 'A B B A' : 'one model after the other',
    repetitions: request.repetitions,
    subjects,
  });
  const plan = perfPlan(models, request);
  const store = await loadFileRunStore(workspace.runsFolder);
  const { writer } = await store.open(plan, { fresh: true });
  const folder = join(workspace.runsFolder, writer.runId);
  try {
    await writer.writeArtifact('requests.jsonl', oneLines(session.artifacts.requestLines));
    await writer.writeArtifact('resources.jsonl', oneLines(session.artifacts.resourceLines));
    const interrupted = hooks.signal?.aborted === true;
    const record = buildPerfRecord({
      id: writer.runId,
      plan,
      request,
      performance,
      origin,
      notes: session.notes,
      startedAt,
      finishedAt: monotonicClock.utc(),
      durationMs: monotonicClock.nowMs() - startMs,
      interrupted,
      artifacts: {
        'requests.jsonl': (await writer.digestArtifact('requests.jsonl'))!,
        'resources.jsonl': (await writer.digestArtifact('resources.jsonl'))!,
      },
    });
    await writer.writeArtifact(
      'report.md',
      renderPerfMarkdown(performance, { title: record.name, created: record.created, command: record.command, notes: record.notes }),
    );
    await writer.writeRecord(record);
    const files = ['record.json', 'requests.jsonl', 'resources.jsonl', 'report.md'].map((name) => ({
      what: name,
      path: join(folder, name),
    }));
    if (isRecordFile(request.output)) {
      await mkdir(dirname(resolve(request.output)), { recursive: true });
      await copyFile(join(folder, 'record.json'), request.output);
      files.push({ what: 'record', path: request.output });
    }
    return { record, performance, folder, files, exitCode: exitCodeOf(performance, request, interrupted) };
  } finally {
    await writer.close();
  }
}
