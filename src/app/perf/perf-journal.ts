// Finished stages of a performance run (a measured phase, the engine figures, a whole model), kept in its folder until the run is
// complete, so that the same command after a crash measures only the rest. A stage is kept whole or not at all.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ToolError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { RunWriter } from '../../core/ports/run-store.ts';

const sessionSchema = z.strictObject({
  startedAt: z.string(),
  /** From the start of its session to the end of this stage. */
  elapsedMs: z.number(),
});

const stageSchema = z.strictObject({
  schema: z.literal('slmbench/perf-stage/1'),
  key: z.string(),
  session: sessionSchema,
  facts: z.json(),
  /** Lines of requests.jsonl and resources.jsonl that belong to it. */
  requests: z.array(z.string()),
  resources: z.array(z.string()),
});
export type PerfStage = z.infer<typeof stageSchema>;
export type PerfSession = z.infer<typeof sessionSchema>;

/** What a stage leaves behind; `facts` must be JSON. */
export interface StageContent {
  readonly facts: unknown;
  readonly requests?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
}

export interface PerfJournal {
  /** A stage that an earlier session finished. */
  readonly find: (key: string) => PerfStage | undefined;
  /** Those whose key begins so, in the order in which they were measured. */
  readonly findAll: (prefix: string) => readonly PerfStage[];
  /** Durable when it resolves. */
  readonly keep: (key: string, content: StageContent) => Promise<void>;
  /** Earlier sessions with kept stages, in order; the elapsed time is that of their last one. */
  readonly earlierSessions: readonly PerfSession[];
  readonly keptStages: number;
  /** Forgets all stages: the record holds everything now. */
  readonly clear: () => Promise<void>;
}

export interface JournalPlace {
  readonly writer: Pick<RunWriter, 'runId' | 'readArtifact' | 'writeArtifact'>;
  readonly folder: string;
  readonly session: { readonly startedAt: string; readonly elapsedMs: () => number };
}

function fileOf(number: number): string {
  return `stage-${String(number).padStart(4, '0')}.json`;
}

function parseStage(text: string, file: string, runId: string): PerfStage {
  try {
    return stageSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ToolError('integrity', `${file} of run ${runId} is damaged`, { cause, hint: 'start again with --fresh' });
  }
}

/** @throws ToolError `integrity` where a kept stage cannot be read */
export async function openPerfJournal({ writer, folder, session }: JournalPlace): Promise<PerfJournal> {
  const earlier = new Map<string, PerfStage>();
  const sessions = new Map<string, PerfSession>();
  let count = 0;
  for (let text = await writer.readArtifact(fileOf(0)); text !== null; text = await writer.readArtifact(fileOf(count))) {
    const stage = parseStage(text, fileOf(count), writer.runId);
    earlier.set(stage.key, stage);
    sessions.set(stage.session.startedAt, stage.session);
    count++;
  }
  return {
    find: (key) => earlier.get(key),
    findAll: (prefix) => [...earlier.values()].filter((stage) => stage.key.startsWith(prefix)),
    keep: async (key, { facts, requests = [], resources = [] }) => {
      const stage: PerfStage = {
        schema: 'slmbench/perf-stage/1',
        key,
        session: { startedAt: session.startedAt, elapsedMs: session.elapsedMs() },
        facts: facts as Json as PerfStage['facts'],
        requests: [...requests],
        resources: [...resources],
      };
      await writer.writeArtifact(fileOf(count++), JSON.stringify(stage));
    },
    earlierSessions: [...sessions.values()],
    keptStages: earlier.size,
    clear: async () => {
      while (count > 0) await rm(join(folder, fileOf(--count)), { force: true });
    },
  };
}
