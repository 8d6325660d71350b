// All held-out runs of a recipe: the specialist for each seed, and the base model without and with shots.
import { join } from 'node:path';
import type { Trainer } from '../../core/ports/trainer.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import type { RunRecord } from '../../core/record.ts';
import type { TestingBlock, TrainingBlock } from '../../core/specialise-record.ts';
import { finalRows } from '../canonical.ts';
import { openRun } from '../open-run.ts';
import { checkAdapterRuns } from './check-adapter-runs.ts';
import { type HeldOutPlan, heldOutRun } from './held-out-run.ts';
import type { Layout } from './layout.ts';
import type { ScoringSession, SpecialiseSession } from './session.ts';
import { readStage, type StageFile } from './stage.ts';
import { type TrainedAdapter, trainStage } from './train-stage.ts';

export interface TestedRun {
  readonly kind: 'specialist' | 'zero-shot' | 'few-shot';
  readonly title: string;
  readonly shots: number;
  readonly seed: number | null;
  readonly stage: StageFile;
  readonly testing: TestingBlock;
  readonly rows: readonly PredictionRow[];
  readonly training: { readonly stage: StageFile; readonly block: TrainingBlock } | null;
}

/** The first is the one that the record is about. */
export type HeldOutSet = readonly [TestedRun, ...TestedRun[]];

type Planned = HeldOutPlan & Pick<TestedRun, 'kind' | 'seed'>;

function baselinePlans({ recipe, layout }: ScoringSession): Planned[] {
  const { zeroShot, fewShot } = recipe.baselines;
  const plans: Planned[] = [];
  const plan = (kind: 'zero-shot' | 'few-shot', shots: number): Planned => ({
    kind,
    seed: null,
    title: kind === 'zero-shot' ? 'base model, zero-shot' : `base model, ${shots}-shot`,
    resultFile: join(layout.results, `${kind}-result.json`),
    adapter: null,
    shots,
  });
  // Without training the zero-shot base model is itself the subject of the record.
  if (zeroShot || recipe.training === false) plans.push(plan('zero-shot', 0));
  if (fewShot > 0) plans.push(plan('few-shot', fewShot));
  return plans;
}

function specialistPlan(layout: Layout, seed: number, adapter: HeldOutPlan['adapter']): Planned {
  return { kind: 'specialist', seed, title: `test (seed ${seed})`, resultFile: layout.forSeed(seed).testResult, adapter, shots: 0 };
}

async function runOne(session: SpecialiseSession, plan: Planned, trained: TrainedAdapter | null): Promise<TestedRun> {
  const { stage, testing, rows } = await heldOutRun(session, plan);
  const { kind, title, shots, seed } = plan;
  return {
    kind,
    title,
    shots,
    seed,
    stage,
    testing,
    rows,
    training: trained === null ? null : { stage: trained.stage, block: trained.training },
  };
}

/** Trains and tests what has no valid result yet. */
export async function runHeldOutSet(session: SpecialiseSession, openTrainer: () => Promise<Trainer>): Promise<HeldOutSet> {
  checkAdapterRuns(session);
  const runs: TestedRun[] = [];
  const { recipe, layout } = session;
  if (recipe.training !== false) {
    for (const seed of recipe.seeds) {
      const trained = await trainStage(session, seed, openTrainer);
      runs.push(await runOne(session, specialistPlan(layout, seed, { folder: trained.folder, digest: trained.digest }), trained));
    }
  }
  for (const plan of baselinePlans(session)) runs.push(await runOne(session, plan, null));
  return runs as unknown as HeldOutSet;
}

async function readOne(session: ScoringSession, plan: Planned): Promise<TestedRun> {
  const stage = await readStage(plan.resultFile, plan.title);
  const { runId, testing } = stage.result as unknown as { runId: string; testing: TestingBlock };
  const rows: PredictionRow[] = [];
  for await (const row of finalRows(await openRun(join(session.layout.runs, runId), session.workspace))) rows.push(row);
  const { kind, title, shots, seed } = plan;
  const trained = seed === null ? null : await readStage(session.layout.forSeed(seed).trainResult, `train (seed ${seed})`);
  const block = trained === null ? null : (trained.result as unknown as { training: TrainingBlock }).training;
  return { kind, title, shots, seed, stage, testing, rows, training: trained === null ? null : { stage: trained, block: block! } };
}

/** The stored runs as they are, for scoring without a model. @throws ToolError `not-found` where one is missing */
export async function readHeldOutSet(session: ScoringSession): Promise<HeldOutSet> {
  const { recipe, layout } = session;
  const specialists = recipe.training === false ? [] : recipe.seeds.map((seed) => specialistPlan(layout, seed, null));
  const runs: TestedRun[] = [];
  for (const plan of [...specialists, ...baselinePlans(session)]) runs.push(await readOne(session, plan));
  return runs as unknown as HeldOutSet;
}

/** Record of the run behind a result: model facts, environment. */
export async function runRecordOf(session: ScoringSession, run: TestedRun): Promise<RunRecord> {
  const { runId } = run.stage.result as unknown as { runId: string };
  return (await openRun(join(session.layout.runs, runId), session.workspace)).record;
}
