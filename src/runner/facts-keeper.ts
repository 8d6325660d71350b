// Keeps the facts file of a run up to date, so that a killed session leaves its loads, times and resources behind.
import type { Clock } from '../core/ports/clock.ts';
import type { RunWriter } from '../core/ports/run-store.ts';
import { combineResources } from './combine-resources.ts';
import type { ModelSession } from './model-session.ts';
import { factsFile, type RunFacts, type RunSession, type SessionOrigin, type TaskSession } from './run-facts.ts';
import { readRunFacts } from './run-facts-file.ts';

type ModelRun = RunSession['modelRuns'][number];

export interface FactsKeeper {
  readonly warmups: RunSession['warmups'];
  readonly taskEnded: (session: ModelSession, task: TaskSession) => Promise<void>;
  readonly note: (text: string) => void;
  readonly finish: (interrupted: boolean) => Promise<RunFacts>;
}

export interface FactsKeeperInput {
  readonly writer: RunWriter;
  readonly clock: Clock;
  readonly origin: SessionOrigin;
  readonly notes: readonly string[];
}

export async function openFactsKeeper({ writer, clock, origin, notes }: FactsKeeperInput): Promise<FactsKeeper> {
  const earlier = await readRunFacts(writer.runId, writer.readArtifact);
  const startMs = clock.nowMs();
  const startedAt = clock.utc();
  const modelRuns = new Map<string, ModelRun>();
  const tasks: TaskSession[] = [];
  const warmups: RunSession['warmups'] = [];
  const ownNotes = [...notes];

  async function write(interrupted: boolean): Promise<RunFacts> {
    const session: RunSession = {
      ...origin,
      startedAt,
      finishedAt: clock.utc(),
      durationMs: clock.nowMs() - startMs,
      interrupted,
      modelRuns: [...modelRuns.values()],
      tasks,
      warmups,
      notes: ownNotes,
    };
    const facts: RunFacts = { ...earlier, sessions: [...earlier.sessions, session] };
    await writer.writeArtifact(factsFile, `${JSON.stringify(facts, null, 1)}\n`);
    return facts;
  }
  return {
    warmups,
    taskEnded: async (session, task) => {
      tasks.push(task);
      const run = modelRunOf(session, tasks);
      if (run !== null) modelRuns.set(run.model, run);
      await write(false);
    },
    note: (text) => {
      ownNotes.push(text);
    },
    finish: write,
  };
}

function modelRunOf(session: ModelSession, tasks: readonly TaskSession[]): ModelRun | null {
  const { backend, model, restarts } = session;
  if (backend === null) return null;
  const { kind, name, version, build, settings } = backend.identity;
  return {
    model: model.key,
    loadMs: backend.load.loadMs,
    loadWarm: backend.load.warm,
    restarts,
    backend: { kind, name, version, build, settings },
    resources: combineResources(tasks.filter((task) => task.model === model.key).map((task) => task.resources)),
  };
}
