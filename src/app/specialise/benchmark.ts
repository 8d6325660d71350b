// `benchmark`: train unless a valid adapter is there, test unless a valid result is there, score, render. Also its parts alone.
import { ToolError } from '../../core/errors.ts';
import type { Trainer } from '../../core/ports/trainer.ts';
import type { BenchmarkRecord } from '../../core/specialise-record.ts';
import { makeWritable } from '../../store/files/make-writable.ts';
import { takeRunLock } from '../../store/files/run-lock.ts';
import type { heldOutRun } from './held-out-run.ts';
import { readHeldOutSet, runHeldOutSet } from './held-out-set.ts';
import type { Layout } from './layout.ts';
import { openPeftTrainer } from './open-peft-trainer.ts';
import { openScoringSession, openSession } from './open-session.ts';
import { renderStage } from './render-stage.ts';
import { scoreStage } from './score-stage.ts';
import type { SpecialiseOptions, SpecialiseSession } from './session.ts';
import { readStage, writeJson } from './stage.ts';
import { type TrainedAdapter, trainStage } from './train-stage.ts';

export interface BenchmarkResult {
  readonly record: BenchmarkRecord;
  readonly layout: Layout;
}

/** One writer at a time; an unwritable folder is told before anything is loaded. */
export async function withLock<T>(layout: Layout, work: () => Promise<T>): Promise<T> {
  await makeWritable(layout.root, 'output folder');
  const lock = takeRunLock(layout.root);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** The trainer opens on the first training that is due, so that a run without training needs none. */
export function trainerOf(session: SpecialiseSession): () => Promise<Trainer> {
  let opened: Promise<Trainer> | undefined;
  return () => (opened ??= (session.options.openTrainer ?? openPeftTrainer)(session));
}

async function writeSplits(session: SpecialiseSession): Promise<void> {
  const { splits, digests } = session.data;
  const manifest = Object.fromEntries(
    Object.entries(splits).map(([role, rows]) => [role, { digest: digests[role as keyof typeof digests], ids: rows.map((row) => row.id) }]),
  );
  await writeJson(session.layout.splitManifest, { schema: 'slmbench/splits/1', splits: manifest });
}

/** Runs what is missing or stale and leaves record, predictions and report in benchmark/. */
export async function benchmark(options: SpecialiseOptions): Promise<BenchmarkResult> {
  const session = await openSession(options);
  return withLock(session.layout, async () => {
    await writeSplits(session);
    const runs = await runHeldOutSet(session, trainerOf(session));
    const scored = await scoreStage(session, runs);
    return { record: await renderStage(session, runs, scored), layout: session.layout };
  });
}

/** Scores the stored answers again and renders: no model, no trainer. */
export async function rescore(options: SpecialiseOptions): Promise<BenchmarkResult> {
  const probe = await openScoringSession(options, false);
  const first =
    probe.recipe.training === false
      ? `${probe.layout.results}/zero-shot-result.json`
      : probe.layout.forSeed(probe.recipe.seeds[0]!).testResult;
  const stage = await readStage(first, 'test');
  const session = { ...probe, context: { ...probe.context, chat: stage.inputs['chat'] === true } };
  return withLock(session.layout, async () => {
    const runs = await readHeldOutSet(session);
    const scored = await scoreStage(session, runs);
    return { record: await renderStage(session, runs, scored), layout: session.layout };
  });
}

/** Trains the adapters of all seeds. */
export async function train(options: SpecialiseOptions): Promise<readonly TrainedAdapter[]> {
  const session = await openSession(options);
  if (session.recipe.training === false) throw new ToolError('usage', 'the recipe has "training: false"');
  return withLock(session.layout, async () => {
    await writeSplits(session);
    const trained: TrainedAdapter[] = [];
    for (const seed of session.recipe.seeds) trained.push(await trainStage(session, seed, trainerOf(session)));
    return trained;
  });
}

/** Tests the first seed's specialist on the held-out rows; the result is kept. */
export async function testHeldOut(options: SpecialiseOptions): Promise<Awaited<ReturnType<typeof heldOutRun>>> {
  const session = await openSession(options);
  return withLock(session.layout, async () => {
    const runs = await runHeldOutSet(
      {
        ...session,
        recipe: {
          ...session.recipe,
          seeds: session.recipe.seeds.slice(0, 1),
          baselines: { ...session.recipe.baselines, zeroShot: false, fewShot: 0 },
        },
      },
      trainerOf(session),
    );
    const { stage, testing, rows } = runs[0];
    return { stage, testing, rows, reused: false };
  });
}
