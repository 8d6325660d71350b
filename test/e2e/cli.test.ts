import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type CliResult, runCli, temporaryFolder } from './run-cli.ts';

const offline = { SLMBENCH_OFFLINE: '1' };

describe('a run of the toy model through the real engine', () => {
  let cwd: string;
  let run: CliResult;
  let folder: string;

  beforeAll(async () => {
    cwd = await temporaryFolder();
    run = await runCli(['run', '-m', 'toy', '-d', 'commonsense-mini', '-n', '6', '--threads', '1', '--report', '-o', 'läufe mit raum'], {
      cwd,
      env: offline,
    });
    const names = await readdir(join(cwd, 'läufe mit raum'));
    folder = join(cwd, 'läufe mit raum', names[0]!);
  });

  test('ends well, shows the table and says where the files are', () => {
    expect(run.stderr).not.toContain('error:');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('commonsense-mini');
    expect(run.stdout).toContain('record.json');
  });

  test('leaves record, journal, predictions and report', async () => {
    expect(await readdir(folder)).toEqual(
      expect.arrayContaining(['plan.json', 'journal.jsonl', 'record.json', 'predictions.jsonl', 'report.md', 'events.jsonl']),
    );
    const record = JSON.parse(await readFile(join(folder, 'record.json'), 'utf8'));
    expect(record.schema).toBe('slmbench/record/1');
    expect(record.results[0].counts.total).toBe(6);
    expect(record.results[0].counts.scored + record.results[0].counts.invalid).toBe(6);
    expect(JSON.stringify(record)).not.toMatch(/NaN|Infinity/);
    expect(record.modelRuns[0].resources.peakRssBytes).toBeGreaterThan(1e6);
  });

  test('verifies, and a tampered record or journal does not', async () => {
    expect((await runCli(['verify', folder], { cwd, env: offline })).code).toBe(0);
    const path = join(folder, 'record.json');
    const text = await readFile(path, 'utf8');
    const record = JSON.parse(text);
    record.results[0].primary.value = 0.99;
    await writeFile(path, JSON.stringify(record));
    const tampered = await runCli(['verify', folder], { cwd, env: offline });
    expect(tampered.code).toBe(1);
    expect(tampered.stdout).toContain('primary.value');
    await writeFile(path, text);
    const journal = join(folder, 'journal.jsonl');
    const lines = await readFile(journal, 'utf8');
    await writeFile(journal, lines.split('\n').slice(1).join('\n'));
    expect((await runCli(['verify', folder], { cwd, env: offline })).code).toBe(1);
    await writeFile(journal, lines);
  });

  test('record canonical leaves out times; a second equal run prints equal text under --deterministic', async () => {
    const args = ['run', '-m', 'toy', '-d', 'commonsense-mini', '-n', '4', '--threads', '1', '--deterministic', '--no-profile', '-q'];
    await runCli([...args, '-o', 'a'], { cwd, env: offline });
    await runCli([...args, '-o', 'b'], { cwd, env: offline });
    const canonical = async (name: string) => (await runCli(['record', 'canonical', 'latest', '-o', name], { cwd, env: offline })).stdout;
    const first = await canonical('a');
    expect(first.length).toBeGreaterThan(100);
    expect(first).toBe(await canonical('b'));
    expect(first).not.toContain('latencyMs');
  });

  test('is listed, shown and compared', async () => {
    const listed = await runCli(['list', 'runs', '-o', 'läufe mit raum'], { cwd, env: offline });
    expect(listed.stdout).toContain('complete');
    const compared = await runCli(['compare', '-m', 'toy', 'toy:context', '-d', 'commonsense-mini', '-n', '6', '--threads', '1'], {
      cwd,
      env: offline,
    });
    expect(compared.code).toBe(0);
    expect(compared.stdout).toMatch(/Best on commonsense-mini/);
    const itself = await runCli(['compare', folder, folder], { cwd, env: offline });
    expect(itself.code).toBe(2);
    expect(itself.stderr).toContain('is named twice');
  });
});

describe('a data file without a task file', () => {
  test('type and columns are inferred and said; -o x.json writes the record there', async () => {
    const cwd = await temporaryFolder();
    const rows = [
      { question: 'Which is a fruit?', choices: ['stone', 'apple'], answer: 'B' },
      { question: 'Which is an animal?', choices: ['cat', 'table'], answer: 'A' },
      { question: 'Which is a colour?', choices: ['blue', 'run'], answer: 'A' },
    ];
    await writeFile(join(cwd, 'mine ü.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
    const run = await runCli(['run', '-m', 'toy', '-d', './mine ü.jsonl', '--threads', '1', '-o', 'out/result.json'], {
      cwd,
      env: offline,
    });
    expect(run.stderr).toContain('multiple_choice');
    expect(run.code).toBe(0);
    const record = JSON.parse(await readFile(join(cwd, 'out/result.json'), 'utf8'));
    expect(record.tasks[0].type).toBe('multiple_choice');
    expect(record.results[0].counts.total).toBe(3);
  });

  test('no rows, bad JSON and gold outside the options are clear errors', async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, 'empty.jsonl'), '');
    await writeFile(join(cwd, 'bad.jsonl'), '{"question":"a","choices":["x","y"],"answer":"A"}\n{"question": oops}\n');
    await writeFile(join(cwd, 'gold.jsonl'), '{"question":"a","choices":["x","y"],"answer":"C"}\n');
    const empty = await runCli(['run', '-m', 'toy', '-d', './empty.jsonl'], { cwd, env: offline });
    expect(empty.code).not.toBe(0);
    expect(empty.stderr).toMatch(/no rows|empty/i);
    const bad = await runCli(['run', '-m', 'toy', '-d', './bad.jsonl'], { cwd, env: offline });
    expect(bad.code).not.toBe(0);
    expect(bad.stderr).toMatch(/bad\.jsonl:2/);
    expect(bad.stderr.match(/bad\.jsonl:2/g)).toHaveLength(1);
    const gold = await runCli(['run', '-m', 'toy', '-d', './gold.jsonl'], { cwd, env: offline });
    expect(gold.code).not.toBe(0);
    expect(gold.stderr).toMatch(/row 1 .*"C".* not among the labels A, B nor the options x \| y/);
  });
});

describe('mistakes on the command line', () => {
  let cwd: string;
  beforeAll(async () => {
    cwd = await temporaryFolder();
  });

  test.each([
    [['run', '--modles', 'toy'], /Did you mean --models/],
    [['rnu'], /Did you mean run/],
    [['run', '-m', 'smolm2-135m', '-d', 'sentiment-mini'], /did you mean "smollm2-135m"/],
    [['run', '-m', 'toy', '-d', 'arc-esay'], /did you mean "arc-easy"/],
    [['run', '-m', 'toy', '-d', 'sentiment-mini', '-n', 'ten'], /whole number/],
    [['run', '-m', 'toy', '-d', 'sentiment-mini', '-n', '3', '--limit', '2'], /exclude each other/],
    [['run', '-m', 'foo:bar', '-d', 'sentiment-mini'], /scheme|unknown model/],
    [['run', '-m', 'toy', '-d', 'sentiment-mini', '--protocol', 'lmeval'], /lm-eval/],
    [['run', '-m', './missing.gguf', '-d', 'sentiment-mini'], /missing\.gguf/],
    [['verify', 'no-such-run'], /no run "no-such-run"/],
    [['score', 'x.jsonl', '--metric', 'acuracy'], /no such file|accuracy/],
  ])('%j', async (args, message) => {
    const result = await runCli(args, { cwd, env: offline });
    expect(result.stderr).toMatch(message);
    expect(result.code).toBeGreaterThan(0);
    expect(result.stderr).not.toContain('internal error');
  });

  test('a recipe with a wrong key names file, line and column', async () => {
    await writeFile(join(cwd, 'recipe.yml'), 'models: [toy]\ntasks: [sentiment-mini]\nrun:\n  sampels: 3\n');
    const result = await runCli(['run', '-c', 'recipe.yml'], { cwd, env: offline });
    expect(result.code).toBe(2);
    expect(result.stderr).toMatch(/recipe\.yml:4:3: unknown key "run\.sampels"; did you mean "samples"/);
  });

  test('offline without cache: the real task falls back to its miniature and says so', async () => {
    const result = await runCli(['run', '-m', 'toy', '-d', 'mmlu', '-n', '3', '--threads', '1'], { cwd, env: offline });
    expect(result.stderr).toContain('mmlu-mini');
    expect(result.code).toBe(0);
    const model = await runCli(['run', '-m', 'smollm2-360m', '-d', 'mmlu-mini', '-n', '3'], { cwd, env: offline });
    expect(model.code).toBeGreaterThan(0);
    expect(model.stderr).toMatch(/offline/);
  });
});

describe('a group of which some members cannot be fetched', () => {
  test('runs the others, names the missing and gives no group score', async () => {
    const cwd = await temporaryFolder();
    const result = await runCli(
      ['run', '-m', 'toy', '-d', 'quick', '-n', '2', '--threads', '1', '--max-tokens', '4', '--no-profile', '--json'],
      { cwd, env: offline },
    );
    expect(result.stderr).toMatch(/group "quick" is not whole/);
    const record = JSON.parse(result.stdout);
    expect(record.tasks.length).toBeGreaterThan(3);
    expect(record.groups).toEqual([]);
    expect(record.notes.join()).toContain('is not whole');
  });
});

describe('plans, prompts and foreign predictions', () => {
  test('--dry-run runs nothing', async () => {
    const cwd = await temporaryFolder();
    const result = await runCli(['run', '-m', 'toy', '-d', 'qa-mini', '--dry-run'], { cwd, env: offline });
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/nothing is run/);
    expect(await readdir(cwd)).not.toContain('runs');
  });

  test('sample shows prompt, choices and gold', async () => {
    const cwd = await temporaryFolder();
    const result = await runCli(['sample', '-m', 'toy', '-d', 'mmlu-mini', '-n', '1', '--threads', '1'], { cwd, env: offline });
    expect(result.stdout).toMatch(/token ids \(\d+\)/);
    expect(result.stdout).toContain('(gold)');
  });

  test('score and extract read lines', async () => {
    const cwd = await temporaryFolder();
    const lines = [
      { label: 'a', prediction: 'a' },
      { label: 'b', prediction: 'a' },
      { label: 'b', prediction: 'b' },
    ];
    const scored = await runCli(['score', '-', '--metric', 'accuracy,f1', '--labels', 'a,b', '--json'], {
      cwd,
      env: offline,
      input: lines.map((line) => JSON.stringify(line)).join('\n'),
    });
    expect(JSON.parse(scored.stdout).values[0].value).toBeCloseTo(2 / 3, 12);
    const read = await runCli(['extract', '--kind', 'choice'], {
      cwd,
      env: offline,
      input: '{"output":"The answer is **B**.","options":["x","y","z"]}\n',
    });
    expect(JSON.parse(read.stdout).value).toBe('B');
  });
});
