// The scoring stage: stored answers read with the task as it is now, numbers for every run, paired tests and the spread over seeds.
import { join } from 'node:path';
import { digestOf } from '../../core/digest.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import type { PairedTest, ScoreBlock } from '../../core/specialise-record.ts';
import { mean, meanInterval, standardDeviation } from '../../stats/moments.ts';
import type { BoundTask } from '../../tasks/bind-task.ts';
import type { HeldOutSet, TestedRun } from './held-out-set.ts';
import { readAgain } from './read-again.ts';
import { bindRecipeTask } from './recipe-task.ts';
import { majorityRows, pairedTests, type ScoringRules, scoreRows } from './score-rows.ts';
import type { ScoringSession } from './session.ts';
import { decideStage, type StageFile, writeStageFile } from './stage.ts';

/** Raise when reading or scoring changes its results. */
const code = 'score/1';

export interface ScoredSeed {
  readonly seed: number;
  readonly score: ScoreBlock;
  readonly pairedTests: readonly PairedTest[];
}

export interface Scores {
  readonly subject: ScoreBlock;
  readonly pairedTests: readonly PairedTest[];
  readonly seeds: readonly ScoredSeed[];
  readonly baselines: readonly { readonly title: string; readonly label: string | null; readonly score: ScoreBlock }[];
  readonly seedSummary: Json;
}

export interface ScoredSet {
  readonly scores: Scores;
  /** Rows of the subject as read now: what the predictions file holds. */
  readonly rows: readonly PredictionRow[];
  readonly stage: StageFile;
  readonly task: BoundTask;
}

export function rulesOf(task: BoundTask, { recipe, workspace }: ScoringSession): ScoringRules {
  return {
    metrics: task.metrics.map(({ name, options }) => ({ name, options: { protocol: task.protocol, ...options } })),
    primaryMetric: task.primaryMetric,
    labels: task.labels,
    seed: recipe.test.seed,
    userMetrics: workspace.userMetrics,
  };
}

function majorityLabel(session: ScoringSession): string | null {
  const { data, recipe, definition } = session;
  if (!recipe.baselines.majorityClass || definition.labels === undefined) return null;
  const column = recipe.task.labelColumn ?? recipe.dataset.label;
  const counts = new Map<string, number>();
  const pool = data.splits.train.length > 0 ? data.splits.train : data.splits.test;
  for (const row of pool) counts.set(String(row.fields[column]), (counts.get(String(row.fields[column])) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? null;
}

function inputsOf(session: ScoringSession, runs: HeldOutSet, label: string | null): JsonObject {
  const { labels, aliases, gold, references, target, extra, parser, metrics, primaryMetric, assemble } = session.definition;
  const reading = { labels, aliases, gold, references, target, extra, parser, metrics, primaryMetric, assemble };
  return {
    code,
    reading: JSON.parse(JSON.stringify(reading)) as JsonObject,
    data: session.data.digests.test,
    seed: session.recipe.test.seed,
    majorityLabel: label,
    ...ownMetrics(session),
    runs: Object.fromEntries(runs.map((run) => [run.title, run.stage.outputs['journal.jsonl']!])),
  };
}

/** A metric of the user counts by its version, as built-in ones do by the version of this tool. */
function ownMetrics({ definition, workspace }: ScoringSession): JsonObject {
  const names = new Set(definition.metrics.map((use) => (typeof use === 'string' ? use : use.name)));
  const own = workspace.userMetrics.filter(({ name }) => names.has(name)).map(({ name, version }) => `${name}@${version}`);
  return own.length === 0 ? {} : { ownMetrics: own };
}

function seedSummary(primaryMetric: string, seeds: readonly ScoredSeed[]): Json {
  if (seeds.length < 2) return null;
  const values = seeds.flatMap(({ score }) => score.primary?.value ?? []);
  const [name, average] = primaryMetric.split(':') as [string, string?];
  return {
    metric: name,
    average: average ?? seeds[0]!.score.primary?.average ?? null,
    n: values.length,
    mean: mean(values),
    sd: standardDeviation(values),
    min: values.length === 0 ? null : Math.min(...values),
    max: values.length === 0 ? null : Math.max(...values),
    interval: meanInterval(values),
  };
}

interface ReadRun {
  readonly run: TestedRun;
  readonly rows: readonly PredictionRow[];
}

function computeScores(read: readonly ReadRun[], label: string | null, rules: ScoringRules): Scores {
  const [subject] = read as [ReadRun];
  const majority = label === null ? [] : [{ title: 'majority class', label, rows: majorityRows(subject.rows, label) }];
  const others = read.filter(({ run }) => run !== subject.run && run.kind !== 'specialist');
  const baselines = [...majority, ...others.map(({ run, rows }) => ({ title: run.title, label: null, rows }))];
  const specialists = read.filter(({ run }) => run.kind === 'specialist');
  const seeds = specialists.map(({ run, rows }) => ({
    seed: run.seed!,
    score: scoreRows(rows, rules),
    pairedTests: pairedTests(rows, baselines, rules),
  }));
  return {
    subject: scoreRows(subject.rows, rules),
    pairedTests: pairedTests(subject.rows, baselines, rules),
    seeds,
    baselines: baselines.map(({ title, label: named, rows }) => ({ title, label: named, score: scoreRows(rows, rules) })),
    seedSummary: seedSummary(rules.primaryMetric, seeds),
  };
}

/** Scores all runs unless nothing that scores rest on has changed. */
export async function scoreStage(session: ScoringSession, runs: HeldOutSet): Promise<ScoredSet> {
  const { data, recipe, definition, context } = session;
  const task = bindRecipeTask(definition, data.splits.test, recipe.test.seed);
  const label = majorityLabel(session);
  const inputs = inputsOf(session, runs, label);
  const path = join(session.layout.results, 'score-result.json');
  const decision = await decideStage({ title: 'score', path, inputs, forced: session.isForced('score'), checkOutputs: async () => null });
  session.note(`score: ${decision.kind === 'reuse' ? 'reused' : 'runs'}: ${decision.reason}`);
  const startedMs = performance.now();
  const read = runs.map((run) => ({ run, rows: readAgain(task, run.rows, data.splits.test, context) }));
  const rows = read[0]!.rows;
  if (decision.kind === 'reuse') return { scores: decision.file.result as unknown as Scores, rows, stage: decision.file, task };
  const scores = computeScores(read, label, rulesOf(task, session));
  const stage = await writeStageFile(path, {
    stage: 'score',
    inputs,
    outputs: { rows: digestOf(rows) },
    result: scores as unknown as Json,
    startedMs,
    command: session.commandLine,
  });
  return { scores, rows, stage, task };
}
