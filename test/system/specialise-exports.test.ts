// Exports of a specialist on the toy model through the real engine: four rows over the same held-out questions, in the record and the report.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../src/app/open-run.ts';
import { benchmark, testHeldOut } from '../../src/app/specialise/benchmark.ts';
import { type ComparedExports, compareExports, exportFlags } from '../../src/app/specialise/compare-exports.ts';
import { exportRecipe } from '../../src/app/specialise/export-recipe.ts';
import { mergeBenchmarks, renderByTemplate } from '../../src/app/specialise/merge-benchmarks.ts';
import { readBenchmark } from '../../src/app/specialise/read-benchmark.ts';
import { pairedTests, scoreRows } from '../../src/app/specialise/score-rows.ts';
import { verifyBenchmark } from '../../src/app/specialise/verify-benchmark.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import type { BenchmarkRecord } from '../../src/core/specialise-record.ts';
import { defineMetric } from '../../src/metrics/define-metric.ts';
import { predictionRow } from '../../src/metrics/prediction-row.ts';
import { type Project, toyProject } from './specialise-fixtures.ts';

describe('one specialist, served in four ways', () => {
  let project: Project;
  let compared: ComparedExports;
  let json: string;
  let record: BenchmarkRecord;

  beforeAll(async () => {
    project = await toyProject();
    const first = await benchmark(project.options());
    json = first.layout.benchmark.json;
    project.stageNotes();
    compared = await compareExports(project.options(), join(project.folder, 'out'));
    ({ record } = await benchmark(project.options()));
  });

  test('base, adapter and both merged files answer the same rows; what was tested before is not run again', () => {
    expect(compared.variants.map(({ title }) => title)).toEqual(['base model', 'adapter on the base model', 'merged F16', 'merged Q4_K_M']);
    for (const { score } of compared.variants) expect(score.support).toBe(10);
    expect(new Set(compared.variants.map(({ digest }) => digest)).size).toBe(4);
    const notes = project.stageNotes();
    expect(notes.filter((note) => /^(train|test|base model).*reused/.test(note)).length).toBeGreaterThanOrEqual(3);
    // Float16 keeps the answers of the adapter.
    const [, adapter, merged] = compared.variants;
    expect(merged!.score.primary!.value).toBe(adapter!.score.primary!.value);
    expect(merged!.againstAdapter!.difference).toBe(0);
  });

  test('the four rows stand in the record and its report, which still verifies', async () => {
    expect(record.exports).toEqual(compared.variants);
    expect(await mergeBenchmarks([json], 'md')).toContain('### Exports on the same rows');
    expect((await verifyBenchmark(await readBenchmark(json))).differences).toEqual([]);
  });

  test('a merged file in any quantisation, and nothing beside it; an unknown one is told first', async () => {
    const folder = join(project.folder, 'four bits');
    const { paths } = await exportRecipe(project.options(), { kind: 'gguf', folder, type: 'q4_0' });
    expect(paths[0]).toMatch(/toys-toy\.Q4_0\.gguf$/);
    expect((await readdir(folder)).sort()).toEqual(['toys-toy.Q4_0.gguf', 'toys-toy.lora.gguf']);
    const mistake = exportRecipe(project.options(), { kind: 'gguf', folder, type: 'q4_k_n' });
    await expect(mistake).rejects.toMatchObject({ code: 'usage', hint: expect.stringContaining('Q4_K_M') });
  });

  test('a benchmark record names the run it rests on, for compare and gate', async () => {
    const opened = await openRun(json, await openWorkspace({ offline: true }));
    expect(opened.id).toBe(record.testing.runId);
    expect(opened.folder).not.toBeNull();
    const moved = join(project.folder, 'moved.json');
    await writeFile(moved, await readFile(json));
    await expect(openRun(moved, await openWorkspace({ offline: true }))).rejects.toMatchObject({
      code: 'data',
      message: /without the run/,
    });
  });

  test('a report by a template of one’s own; its undefined names are errors', async () => {
    const template = join(project.folder, 'mine.j2');
    await writeFile(template, '{{ record.taskName }}: {{ columns.test_examples }} rows, {{ record.exports | length }} exports\n');
    expect(await renderByTemplate([json], template)).toMatch(/^toys: 10 rows, 4 exports\n$/);
    await writeFile(template, '{{ record.nothing }}');
    await expect(renderByTemplate([json], template)).rejects.toMatchObject({
      code: 'template',
      message: expect.stringContaining('nothing'),
    });
  });

  test('a metric that is not built in is verified with the project that brings it, and named without', async () => {
    const found = await readBenchmark(json);
    const config = found.record.config as { readonly task: object };
    const foreign = { ...config, task: { ...config.task, metrics: ['shouting'], primaryMetric: 'shouting' } };
    const changed = { ...found, record: { ...found.record, config: foreign as never } };
    await expect(verifyBenchmark(changed)).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('"shouting"') });
    const metric = defineMetric({ name: 'shouting', score: () => 1 });
    const { differences } = await verifyBenchmark(changed, [metric]);
    expect(differences.map(({ path }) => path)).toContain('primary');
  });

  test('the HTML table has a chart that no text of a record breaks', async () => {
    const text = await readFile(json, 'utf8');
    const hostile = join(project.folder, 'hostile', 'a.json');
    await mkdir(join(hostile, '..'), { recursive: true });
    await writeFile(hostile, text.replaceAll('"title": "Toy"', '"title": "<script>x</script>\\"&"'));
    const html = String(await mergeBenchmarks([json, hostile], 'html'));
    expect(html).toMatch(/<svg[^>]*>/);
    expect(html.match(/class="bar"/g)).toHaveLength(2);
    expect(html).not.toContain('<script>x');
  });

  test('a comparison of another adapter does not enter the record', async () => {
    const other = await benchmark(project.options({ assignments: ['training.learningRate=0.002', 'dataset.split.seed=9'] }));
    expect(other.record.exports).toBeUndefined();
  });
});

test('a template file is part of the recipe: a change of its text makes the stages stale that rest on it', async () => {
  const project = await toyProject();
  await writeFile(project.recipe, (await readFile(project.recipe, 'utf8')).replace(/ {2}prompt: .*\n/, '  prompt: ./prompt.j2\n'));
  await writeFile(join(project.folder, 'prompt.j2'), 'Request: {{ text }}\n');
  const { record } = await benchmark(project.options());
  expect(record.task.prompt).toBe('Request: {{ text }}');
  project.stageNotes();
  await writeFile(join(project.folder, 'prompt.j2'), 'Please: {{ text }}\n');
  await testHeldOut(project.options());
  expect(project.stageNotes().filter((note) => /: runs: stale/.test(note))).toHaveLength(2);
});

test('what the engine cannot run is refused before training; an export before training says how to train', async () => {
  const project = await toyProject();
  const dora = project.options({ assignments: ['training.lora.dora=true'] });
  await expect(benchmark(dora)).rejects.toMatchObject({ code: 'unsupported', message: expect.stringContaining('DoRA') });
  expect(project.log.trainings).toBe(0);
  const early = exportRecipe(project.options(), { kind: 'gguf', folder: join(project.folder, 'early') });
  await expect(early).rejects.toMatchObject({ code: 'not-found', hint: expect.stringContaining('slmbench train -c') });
});

test('an export that loses answers is flagged, one that chance explains is not', () => {
  const rows = (right: number) =>
    Array.from({ length: 200 }, (_, index) => predictionRow({ id: `${index}`, label: 'a', prediction: index < right ? 'a' : 'b' }));
  const rules = { metrics: [{ name: 'accuracy' }], primaryMetric: 'accuracy', labels: ['a', 'b'], seed: 1 };
  const against = (right: number) => pairedTests(rows(right), [{ title: 'adapter', rows: rows(164) }], rules)[0]!;
  expect(exportFlags(against(122))).toEqual(['export_regression']);
  expect(exportFlags(against(163))).toEqual([]);
  expect(exportFlags(against(180))).toEqual([]);
  expect(exportFlags(null)).toEqual([]);
});

test('a metric of one’s own scores a recipe as built-in ones do', () => {
  const metric = defineMetric({
    name: 'shouting',
    version: '1',
    title: 'Shouting',
    description: 'answers in capitals',
    score: (row) => (row.prediction === row.prediction?.toUpperCase() ? 1 : 0),
  });
  const rows = ['A', 'b'].map((prediction, index) => predictionRow({ id: `${index}`, label: 'a', prediction }));
  const rules = { metrics: [{ name: 'shouting' }], primaryMetric: 'shouting', labels: undefined, seed: 1, userMetrics: [metric] };
  expect(scoreRows(rows, rules).primary).toMatchObject({ name: 'shouting', value: 0.5, n: 2 });
  expect(pairedTests(rows, [{ title: 'base', rows }], rules)[0]!.difference).toBe(0);
});
