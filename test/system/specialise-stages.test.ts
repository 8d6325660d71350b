// Stages of a benchmark on the toy model through the real engine: what is reused, what a change makes stale, what a failure leaves behind.
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BenchmarkResult, benchmark, rescore, testHeldOut } from '../../src/app/specialise/benchmark.ts';
import { openTask } from '../../src/app/specialise/open-task.ts';
import { publish } from '../../src/app/specialise/publish.ts';
import { readBenchmark } from '../../src/app/specialise/read-benchmark.ts';
import { verifyBenchmark } from '../../src/app/specialise/verify-benchmark.ts';
import type { ToolError } from '../../src/core/errors.ts';
import { takeRunLock } from '../../src/store/files/run-lock.ts';
import { type Project, toyProject } from './specialise-fixtures.ts';

/** `train:runs test:reused ...` of the last command. */
function outcome(project: Project): Record<string, string> {
  return Object.fromEntries(
    project.stageNotes().map((note) => {
      const [, stage, state] = /^(.*?): (reused|runs):/.exec(note)!;
      return [stage!, state!];
    }),
  );
}

const all = (state: Partial<Record<string, string>>) => ({
  'train (seed 0)': 'reused',
  'test (seed 0)': 'reused',
  'base model, zero-shot': 'reused',
  'base model, 1-shot': 'reused',
  score: 'reused',
  render: 'reused',
  ...state,
});

describe('one benchmark', () => {
  let project: Project;
  let first: BenchmarkResult;

  beforeAll(async () => {
    project = await toyProject();
    first = await benchmark(project.options());
    project.stageNotes();
  });

  test('leaves the documented layout', async () => {
    const root = join(project.folder, 'data', 'toys', 'toy');
    expect((await readdir(join(root, 'model'))).sort()).toEqual(['base', 'peft', 'result']);
    expect(await readdir(join(root, 'model', 'result'))).toEqual(
      expect.arrayContaining(['train-result.json', 'test-result.json', 'splits.json']),
    );
    expect((await readdir(join(root, 'benchmark'))).sort()).toEqual(['toys_toy.json', 'toys_toy.jsonl', 'toys_toy.md']);
  });

  test('holds baselines on the same rows, validation apart from test, provenance of each stage', () => {
    const { record } = first;
    expect(record.baselines.map((one) => one.kind)).toEqual(['majority-class', 'zero-shot', 'few-shot']);
    for (const baseline of record.baselines) expect(baseline.score.support).toBe(10);
    expect(record.pairedTests.map((one) => one.n)).toEqual([10, 10, 10]);
    expect(record.validation).toMatchObject({ examples: 6, lastLoss: 0.6 });
    expect(record.score.metrics.map((one) => one.name)).not.toContain('loss');
    expect(Object.keys(record.stages)).toEqual(['train (seed 0)', 'test (seed 0)', 'base model, zero-shot', 'base model, 1-shot', 'score']);
    expect(record.training?.adapterSizeBytes).toBeGreaterThan(0);
    expect(record.dataset.splits.map((split) => split.examples)).toEqual([24, 6, 10]);
    expect(record.model.adapterDigest).toBe(record.training?.adapterDigest);
  });

  test('a second run does no work and says why', async () => {
    const again = await benchmark(project.options());
    expect(again.record).toEqual(first.record);
    expect(project.log.trainings).toBe(1);
    const notes = project.events.flatMap((event) => (event.kind === 'note' ? [event.message] : []));
    expect(notes.filter((note) => note.includes('inputs unchanged since'))).toHaveLength(6);
    expect(outcome(project)).toEqual(all({}));
  });

  test('its record verifies; changed predictions, record or report do not', async () => {
    const { json, jsonl, markdown } = first.layout.benchmark;
    expect((await verifyBenchmark(await readBenchmark(json))).differences).toEqual([]);
    const text = await readFile(jsonl, 'utf8');
    const rows = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    rows[0].prediction = rows[0].prediction === 'lights' ? 'music' : 'lights';
    await writeFile(jsonl, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const paths = (await verifyBenchmark(await readBenchmark(json))).differences.map((one) => one.path);
    expect(paths).toContain('testing.predictionsDigest');
    expect(paths.some((path) => path.startsWith('metrics.'))).toBe(true);
    await writeFile(jsonl, text);
    const report = await readFile(markdown, 'utf8');
    await writeFile(markdown, report.replace('**Primary metric:**', '**Primary  metric:**'));
    expect((await verifyBenchmark(await readBenchmark(json))).differences).toHaveLength(1);
    await benchmark(project.options());
    expect(outcome(project)).toEqual(all({ render: 'runs' }));
    expect((await verifyBenchmark(await readBenchmark(json))).differences).toEqual([]);
  });

  test('--force runs a stage and what rests on it', async () => {
    await benchmark(project.options({ force: ['score'] }));
    expect(outcome(project)).toEqual(all({ score: 'runs', render: 'runs' }));
    await benchmark(project.options({ force: ['train'] }));
    // The same inputs give the same adapter, so the test stays valid.
    expect(outcome(project)).toEqual(all({ 'train (seed 0)': 'runs', render: 'runs' }));
    expect(project.log.trainings).toBe(2);
  });

  test('rescoring after a change of aliases needs no model', async () => {
    await benchmark(project.options());
    project.stageNotes();
    const { record } = await rescore(project.options({ assignments: ['task.aliases={lights: [lamp]}', 'model.base=./gone.gguf'] }));
    expect(outcome(project)).toEqual({ score: 'runs', render: 'runs' });
    expect(record.score.support).toBe(10);
    await rescore(project.options());
    project.stageNotes();
  });

  test('publishes record and report, predictions where the licence allows', async () => {
    await benchmark(project.options());
    const folder = join(project.folder, 'benchmarks');
    const open = await publish({ recipeFile: project.recipe, folder });
    expect(open.files.map((file) => basename(file))).toEqual(['toys_toy.json', 'toys_toy.md', 'toys_toy.jsonl']);
    expect(basename(open.folder)).toBe('toys-toy');
    const closed = { assignments: ['dataset.licence={name: Mine, redistributable: false}'] };
    await benchmark(project.options(closed));
    const kept = await publish({ recipeFile: project.recipe, folder, ...closed });
    expect(kept.files.map((file) => basename(file))).toEqual(['toys_toy.json', 'toys_toy.md']);
    expect(await readdir(kept.folder)).toHaveLength(2);
    expect(kept.notes.join(' ')).toContain('Mine');
  });

  test('answers applications with the same adapter, typed and streamed', async () => {
    await benchmark(project.options());
    const task = await openTask(project.recipe, { offline: true });
    try {
      expect(task.inputs).toEqual(['text']);
      const answer = await task.run('request 3 about the lamp');
      expect(['lights', 'music']).toContain(answer.value);
      await expect(task.run({ txt: 'x' })).rejects.toThrow(/input "text" is missing/);
      await expect(task.run({ text: 'x', more: 'y' })).rejects.toThrow(/unknown input "more"/);
      const parts = [];
      for await (const part of task.stream('request 3 about the lamp')) parts.push(part);
      expect(parts.at(-1)).toMatchObject({ kind: 'answer', answer: { value: answer.value } });
    } finally {
      await task.close();
    }
  });
});

describe('a change of an input makes exactly the right stages stale', () => {
  let project: Project;

  /** State of a finished benchmark, put back before each case. */
  let snapshot: string;

  beforeAll(async () => {
    project = await toyProject();
    await benchmark(project.options());
    snapshot = join(project.folder, 'snapshot');
    await cp(join(project.folder, 'data'), snapshot, { recursive: true, preserveTimestamps: true });
  });

  beforeEach(async () => {
    await rm(join(project.folder, 'data'), { recursive: true });
    await cp(snapshot, join(project.folder, 'data'), { recursive: true, preserveTimestamps: true });
    project.events.length = 0;
  });

  const base = 'runs';
  const everything = {
    'train (seed 0)': 'runs',
    'test (seed 0)': 'runs',
    'base model, zero-shot': base,
    'base model, 1-shot': base,
    score: 'runs',
    render: 'runs',
  };
  const cases: [string, string[], Record<string, string>][] = [
    ['notes', ['notes=[hello]'], { render: 'runs' }],
    ['primary metric', ['task.primaryMetric=accuracy'], { score: 'runs', render: 'runs' }],
    ['title of the model', ['model.title=Other'], { render: 'runs' }],
    ['LoRA rank', ['training.lora.rank=4'], { 'train (seed 0)': 'runs', render: 'runs' }],
    ['learning rate', ['training.learningRate=0.01'], { 'train (seed 0)': 'runs', render: 'runs' }],
    [
      'context of the test',
      ['test.context=300'],
      { 'test (seed 0)': 'runs', 'base model, zero-shot': base, 'base model, 1-shot': base, render: 'runs' },
    ],
    ['prompt', ["task.prompt='Say: {{ text }}'"], everything],
    ['system text', ['task.system=Be brief.'], everything],
    ['labels', ['task.labels=[music, lights]'], { ...everything, 'train (seed 0)': 'reused', 'test (seed 0)': 'runs' }],
    ['split seed', ['dataset.split.seed=2'], everything],
    ['base model', ['model.base=toy:context'], everything],
    ['threads and timeouts', ['test.threads=2', 'test.timeoutMs=1000000', 'training.loggingSteps=9'], { render: 'runs' }],
  ];
  test.each(cases)('%s', async (_, assignments, expected) => {
    await benchmark(project.options({ assignments }));
    const got = outcome(project);
    // The toy's answers may stay the same under other settings; scoring is then rightly reused.
    const { score: scored, ...rest } = all(expected);
    const { score, ...gotRest } = got;
    expect(gotRest).toEqual(rest);
    if (scored === 'runs') expect(score).toBe('runs');
  });

  test('data', async () => {
    const file = join(project.folder, 'rows.jsonl');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll('lamp', 'lantern'));
    await benchmark(project.options());
    expect(outcome(project)).toEqual(all(everything));
    await writeFile(file, text);
  });

  test('an adapter that was touched or is gone', async () => {
    const adapter = join(project.folder, 'data/toys/toy/model/peft/adapter_model.safetensors');
    const bytes = await readFile(adapter);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(adapter, bytes);
    await benchmark(project.options());
    expect(outcome(project)['train (seed 0)']).toBe('runs');
    await rm(adapter);
    await benchmark(project.options());
    expect(outcome(project)).toEqual(all({ 'train (seed 0)': 'runs', render: 'runs' }));
  });

  test('a journal that was touched', async () => {
    const result = JSON.parse(await readFile(join(project.folder, 'data/toys/toy/model/result/test-result.json'), 'utf8'));
    const journal = join(project.folder, 'data/toys/toy/runs', result.result.runId, 'journal.jsonl');
    const lines = (await readFile(journal, 'utf8')).split('\n');
    await writeFile(journal, lines.slice(1).join('\n'));
    await benchmark(project.options());
    expect(outcome(project)).toMatchObject({ 'train (seed 0)': 'reused', 'test (seed 0)': 'runs', 'base model, zero-shot': 'reused' });
  });
});

describe('failures', () => {
  test('a killed training goes on from its checkpoint and ends in the same adapter', async () => {
    const whole = await toyProject();
    const expected = (await benchmark(whole.options())).record.training!.adapterDigest;
    const project = await toyProject();
    project.log.failAfterStep = 2;
    await expect(benchmark(project.options())).rejects.toThrow(/killed/);
    await expect(stat(join(project.folder, 'data/toys/toy/model/result/train-result.json'))).rejects.toThrow();
    project.log.failAfterStep = undefined;
    const { record } = await benchmark(project.options());
    expect(project.log.startedAtStep).toEqual([0, 2]);
    expect(record.training!.adapterDigest).toBe(expected);
  });

  test('checkpoints of other settings are not gone on from', async () => {
    const project = await toyProject();
    project.log.failAfterStep = 2;
    await expect(benchmark(project.options())).rejects.toThrow(/killed/);
    project.log.failAfterStep = undefined;
    await benchmark(project.options({ assignments: ['training.lora.rank=2'] }));
    expect(project.log.startedAtStep).toEqual([0, 0]);
  });

  test('two writers are kept apart', async () => {
    const project = await toyProject();
    const folder = join(project.folder, 'data/toys/toy');
    await mkdir(folder, { recursive: true });
    const lock = takeRunLock(folder);
    await expect(benchmark(project.options())).rejects.toMatchObject({ code: 'locked' });
    lock.release();
    await benchmark(project.options());
  });

  test('a smoke run is marked and cannot be published', async () => {
    const project = await toyProject();
    const { record } = await benchmark(project.options({ limit: 4 }));
    expect(record.smoke).toBe(true);
    expect(record.score.support).toBe(4);
    await expect(publish({ recipeFile: project.recipe, folder: join(project.folder, 'benchmarks') })).rejects.toThrow(/smoke run/);
    const whole = await benchmark(project.options());
    expect(whole.record.smoke).toBe(false);
    expect(whole.record.score.support).toBe(10);
  });

  test('test alone is kept, makes no benchmark folder and is reused by benchmark', async () => {
    const project = await toyProject();
    const { rows } = await testHeldOut(project.options());
    expect(rows).toHaveLength(10);
    await expect(stat(join(project.folder, 'data/toys/toy/benchmark'))).rejects.toThrow();
    project.stageNotes();
    await benchmark(project.options());
    expect(outcome(project)).toMatchObject({ 'train (seed 0)': 'reused', 'test (seed 0)': 'reused' });
  });

  test.each([
    ['an unwritable output', ['output=/proc/nowhere'], /cannot use output folder/],
    ['an empty split', ['dataset.split.sizes.test=400'], /the splits need/],
    ['labels that miss one of the data', ['task.labels=[lights, heating]'], /does not name/],
    ['a column that is not there', ['dataset.split.by=labl'], /did you mean "label"/],
    ['a recipe from a newer version', ['schema=slmbench/specialise/9'], /version 9/],
    ['a prompt with an unknown column', ["task.prompt='{{ txt }}'"], /txt/],
    ['a model that is not known', ['model.base=tooy'], /did you mean "toy/],
  ])('%s is told before any training', async (_, assignments, message) => {
    const project = await toyProject();
    const thrown = await benchmark(project.options({ assignments })).catch((error: unknown) => error as ToolError);
    expect(`${(thrown as ToolError).message} ${(thrown as ToolError).hint}`).toMatch(message);
    expect(project.log.trainings).toBe(0);
  });

  test('without a trainer everything but training works', async () => {
    const project = await toyProject();
    const { record } = await benchmark(
      project.options({ assignments: ['training=false'], openTrainer: () => Promise.reject(new Error('no trainer')) }),
    );
    expect(record.training).toBeNull();
    expect(record.score.support).toBe(10);
  });
});

test('several seeds give mean, spread and a paired test each', async () => {
  const project = await toyProject();
  const { record, layout } = await benchmark(project.options({ seedCount: 3 }));
  expect(record.seeds.map((one) => one.seed)).toEqual([0, 1, 2]);
  expect(record.seedSummary).toMatchObject({ n: 3, metric: 'f1', average: 'macro' });
  for (const seed of record.seeds) expect(seed.pairedTests).toHaveLength(3);
  expect(new Set(record.seeds.map((one) => one.training.adapterDigest)).size).toBe(3);
  expect((await readdir(join(layout.root, 'model', 'seeds'))).sort()).toEqual(['1', '2']);
  project.stageNotes();
  await benchmark(project.options({ seedCount: 2 }));
  expect(outcome(project)).toMatchObject({ 'train (seed 1)': 'reused', 'test (seed 1)': 'reused' });
});
