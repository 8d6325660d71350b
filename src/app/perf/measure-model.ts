// One model of a performance run: its engine figures, then its load points; what an earlier session finished is not measured again.
import { readServerTotals } from '../../backends/openai/read-server-totals.ts';
import { ToolError } from '../../core/errors.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { monotonicClock } from '../../profiler/monotonic-clock.ts';
import type { Workspace } from '../workspace.ts';
import { measureEngineSpeed } from './engine-speed.ts';
import { phaseKey } from './measure-load-point.ts';
import { measurePoints } from './measure-subject.ts';
import type { MeasuredPhase, PhaseCut } from './measured-phase.ts';
import { openWorkload } from './open-workload.ts';
import type { PerfJournal, PerfStage } from './perf-journal.ts';
import { closePerfModel, openPerfModel, type PerfModel } from './perf-model.ts';
import type { PerfHooks, PerfRequest } from './perf-request.ts';
import { type EngineSpeed, engineSpeedSchema, type PerfSubject, perfSubjectSchema } from './perf-schema.ts';
import { joinValidity } from './perf-validity.ts';

export interface PerfSession {
  readonly request: PerfRequest;
  readonly hooks: PerfHooks;
  readonly workspace: Workspace;
  readonly journal: PerfJournal;
  readonly notes: string[];
  readonly requestLines: string[];
  readonly resourceLines: string[];
  /** Phases that are no whole measurement; the run stays unfinished with any. */
  readonly cuts: PhaseCut[];
  readonly ceiling: number | null;
}

function note(session: PerfSession, message: string): void {
  session.notes.push(message);
  session.hooks.listener({ kind: 'note', at: monotonicClock.utc(), message });
}

function factsOf<T>(stage: PerfStage, parse: (facts: unknown) => T): T {
  try {
    return parse(stage.facts);
  } catch (cause) {
    throw new ToolError('integrity', `the kept stage "${stage.key}" is damaged`, { cause, hint: 'start again with --fresh' });
  }
}

async function engineSpeeds(session: PerfSession, model: PerfModel): Promise<EngineSpeed[]> {
  const settings = session.request.engine;
  if (settings === null || model.resolved.backendKind !== 'llama') return [];
  const keyOf = (setting: string): string => `engine|${model.key}|${setting}`;
  return measureEngineSpeed({
    settings,
    trainedContext: model.resolved.facts.trainedContext,
    base: model.options,
    open: (options) => openPerfModel(model, options, session.hooks),
    close: (backend) => closePerfModel(model, backend, session.hooks),
    onNote: (message) => note(session, `${model.key}: ${message}`),
    kept: {
      find: (setting) => {
        const stage = session.journal.find(keyOf(setting));
        return stage === undefined ? null : factsOf(stage, (facts) => engineSpeedSchema.array().parse(facts));
      },
      keep: (setting, rows) => session.journal.keep(keyOf(setting), { facts: rows }),
    },
    signal: session.hooks.signal,
  });
}

/** The embedded engine runs as many answers at once as it has slots: they must be as many as the users. */
function loadOptions(session: PerfSession, model: PerfModel): PerfModel['options'] & { readonly parallel?: number } {
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

const whyCut: Readonly<Record<PhaseCut, string>> = {
  interrupted: 'was stopped',
  'server-gone': 'lost its server',
  'no-answers': 'got no answer',
};

function onPhase(session: PerfSession, phase: Pick<MeasuredPhase, 'requestLines' | 'resourceLines'>): void {
  for (const line of phase.requestLines) session.requestLines.push(line);
  for (const line of phase.resourceLines) session.resourceLines.push(line);
}

/** The load points of an opened model. */
async function measureLoads(session: PerfSession, model: PerfModel, engine: EngineSpeed[]): Promise<PerfSubject> {
  const { request, hooks, workspace } = session;
  const backend: Backend = await openPerfModel(model, loadOptions(session, model), hooks, request.cacheAllowed);
  try {
    const workload = await openWorkload(request, backend, workspace, (message) => note(session, message));
    const measured = await measurePoints({
      model: model.key,
      backend,
      workload,
      request,
      hooks,
      repetitions: request.repetitions,
      ceilingChunksPerSecond: session.ceiling,
      journal: session.journal,
      readServerTotals: model.resolved.backendKind === 'openai' ? () => readServerTotals(model.resolved) : null,
      onPhase: (phase) => onPhase(session, phase),
      onCut: (phase, cut) => {
        session.cuts.push(cut);
        note(session, `${phase} ${whyCut[cut]}: the same command measures it anew`);
      },
    });
    const peaks = measured.points.map((point) => point.resources?.peakRssBytes ?? null).filter((value) => value !== null);
    return {
      model: model.key,
      backend: model.resolved.backendKind,
      engine,
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

export async function measureModel(session: PerfSession, model: PerfModel): Promise<PerfSubject> {
  const { request, journal } = session;
  const key = `model|${model.key}`;
  const kept = journal.find(key);
  if (kept !== undefined) {
    for (const { requests, resources } of journal.findAll(`${phaseKey(model.key)}|`))
      onPhase(session, { requestLines: requests, resourceLines: resources });
    return factsOf(kept, (facts) => perfSubjectSchema.parse(facts));
  }
  const cutsBefore = session.cuts.length;
  const engine = await engineSpeeds(session, model);
  const isLoaded = request.loads.length > 0 || request.search !== null || request.workload.kind === 'trace';
  const subject: PerfSubject = isLoaded
    ? await measureLoads(session, model, engine)
    : {
        model: model.key,
        backend: model.resolved.backendKind,
        workload: null,
        points: [],
        engine,
        sloCapacity: null,
        loadMs: null,
        loadWarm: null,
        peakRssBytes: null,
        validity: { verdict: 'valid', reasons: [] },
      };
  const isWhole = session.cuts.length === cutsBefore && session.hooks.signal?.aborted !== true;
  if (isWhole) await journal.keep(key, { facts: subject });
  return subject;
}
