// Bad input through the command line: what, where, what was expected; exit code 2 for what the user can mend, 1 for what failed on the way.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { toyModelBytes } from '../../src/formats/toy-model.ts';
import { type LoopbackHub, startLoopbackHub } from '../../src/sources/__fixtures__/loopback-hub.ts';
import { type CliResult, runCli, temporaryFolder } from './run-cli.ts';

const offline = { SLMBENCH_OFFLINE: '1' };
const rows = '{"question":"a","answer":"x"}\n{"question":"b","answer":"y"}\n';
let cwd: string;
const cli = (args: readonly string[], env: Record<string, string> = offline): Promise<CliResult> => runCli(args, { cwd, env });
const runOn = (data: string, ...more: string[]) =>
  cli(['run', '-m', 'toy', '-d', data, '-q', '--max-tokens', '2', '--no-profile', '--threads', '1', ...more]);

beforeAll(async () => {
  cwd = await temporaryFolder();
  await writeFile(join(cwd, 'ok.jsonl'), rows);
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

/** One error in words, on one place, without a stack. */
function expectError({ code, stderr }: CliResult, wantedCode: number, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(code, stderr).toBe(wantedCode);
  expect(stderr).not.toMatch(/internal error|\n\s+at /);
}

describe('data', () => {
  test.each<[string, string, string | Uint8Array, RegExp]>([
    ['an empty gold of a text task', 'gold.jsonl', '{"question":"a","answer":"x"}\n{"question":"b","answer":" "}\n', /row 2 .*empty gold/],
    ['an empty label', 'label.jsonl', '{"text":"a","label":"x"}\n{"text":"b","label":null}\n', /row 2 .*empty gold/],
    ['no option named', 'choice.jsonl', '{"question":"a","choices":["x","y"],"answer":""}\n', /row 1 .*empty gold/],
    ['one broken line', 'broken.jsonl', '{"question":"a","answer":"x"}\n{"question": oops}\n', /broken\.jsonl:2: /],
    ['a short row', 'short.csv', 'q,a\nx,y\nz\n', /short\.csv:3: line 3 has 1 field, expected 2/],
    ['a long row', 'long.csv', 'q,a\nx,y,z\n', /long\.csv:2: line 2 has 3 fields, expected 2/],
    ['UTF-16 lines', 'wide.jsonl', Buffer.from(rows, 'utf16le'), /UTF-16 .*\n.*iconv/],
    ['latin-1', 'latin.csv', Buffer.from('question,answer\nwh\xe4t,x\n', 'latin1'), /latin\.csv.*not utf-8\n.*iconv/],
    ['zero bytes', 'zero.jsonl', '', /zero\.jsonl: 0 rows/],
    ['zero bytes named Parquet', 'zero.parquet', '', /not a parquet file/],
    ['a header only', 'header.csv', 'question,answer\n', /0 rows/],
    ['an empty list', 'list.json', '[]', /0 rows/],
    [
      'splits, none of them held out',
      'train.json',
      '{"a":[{"question":"a","answer":"x"}],"b":[{"question":"b","answer":"y"}]}',
      /has: a, b/,
    ],
    ['splits with training rows only', 'only.json', '{"train":[{"question":"a","answer":"x"}]}', /it has: train\n.*--split train/],
  ])('%s', async (_title, name, content, message) => {
    await writeFile(join(cwd, name), content);
    expectError(await runOn(`./${name}`), 2, message);
  });

  test('a folder without splits, a missing file, a missing column', async () => {
    await mkdir(join(cwd, 'folder'), { recursive: true });
    expectError(await runOn('./folder'), 2, /no file in it is named for a split/);
    expectError(await runOn('./okk.jsonl'), 2, /no file or folder \.\/okk\.jsonl\n.*did you mean "ok\.jsonl"/);
    expectError(await runOn('./ok.jsonl', '--column', 'target=anwser'), 2, /no column "anwser".*\n.*did you mean "answer"/);
    expectError(await runOn('./ok.jsonl', '--split', 'tset'), 2, /no split "tset"\n.*did you mean "test"/);
  });

  test('a prompt with an unknown name or broken syntax', async () => {
    expectError(await runOn('./ok.jsonl', '--prompt', '{{ qestion }}'), 2, /unknown variable "qestion"/);
    expectError(await runOn('./ok.jsonl', '--prompt', '{{ question'), 2, /template .*failed/);
  });

  test('the test split of a JSON file with several is the one that runs', async () => {
    const splits = { train: [{ question: 'a', answer: 'x' }], test: [1, 2, 3].map((at) => ({ question: `b${at}`, answer: 'y' })) };
    await writeFile(join(cwd, 'splits.json'), JSON.stringify(splits));
    const result = await runOn('./splits.json', '--json');
    expect(result.code, result.stderr).toBe(0);
    const record = JSON.parse(result.stdout);
    expect(record.results[0].counts.total).toBe(3);
    expect(record.tasks[0].dataset.split).toBe('test');
  });

  test('rows that share an id are told, and each is asked', async () => {
    await writeFile(join(cwd, 'ids.jsonl'), '{"id":"1","question":"a","answer":"x"}\n{"id":"1","question":"b","answer":"y"}\n');
    const result = await runOn('./ids.jsonl', '--json');
    expect(result.code, result.stderr).toBe(0);
    const record = JSON.parse(result.stdout);
    expect(record.results[0].counts.total).toBe(2);
    expect(JSON.stringify(record.tasks[0].dataset.notes)).toContain('stands on 2 rows');
  });

  test('score: an empty gold is left out and counted; a folder and an unknown metric are told', async () => {
    await writeFile(join(cwd, 'made.jsonl'), '{"label":"a","prediction":"a"}\n{"label":"","prediction":""}\n');
    const result = await cli(['score', 'made.jsonl', '--metric', 'accuracy']);
    expect(result.code).toBe(0);
    expect(result.stdout).toMatch(/accuracy .*100\.0 % .* 1 /);
    expect(result.stdout).toContain('left out: 1 of 2 rows, empty gold (line 2)');
    expectError(await cli(['score', '.', '--metric', 'accuracy']), 2, /is a folder/);
    expectError(await cli(['score', 'ok.jsonl', '--metric', 'acuracy']), 2, /did you mean "accuracy"/);
  });
});

describe('flags and names', () => {
  test.each([
    [['-n', '0'], /at least 1/],
    [['-n', '-1'], /at least 1/],
    [['-n', 'abc'], /whole number/],
    [['-n', '1.5'], /whole number/],
    [['--max-tokens', '0'], /at least 1/],
    [['--temperature', 'hot'], /expected a number/],
    [['--metric', 'acuracy'], /did you mean "accuracy"/],
    [['--metricc', 'accuracy'], /Did you mean --metric/],
  ])('%j', async (flags, message) => {
    expectError(await runOn('./ok.jsonl', ...flags), 2, message);
  });

  test.each([
    [['run', '-m', 'smolm2-135m', '-d', './ok.jsonl'], /did you mean "smollm2-135m"/],
    [['run', '-m', 'toy', '-d', 'senitment-mini'], /did you mean "sentiment-mini"/],
    [['list', 'modls'], /did you mean "models"/],
  ])('%j', async (args, message) => {
    expectError(await cli(args), 2, message);
  });

  test.each([
    ['run:\n\tsamples: 3\n', /recipe\.yml:2:1: not valid YAML: Tabs/],
    ['models: [toy\ntasks: [sentiment-mini]\n', /recipe\.yml:\d:\d+: not valid YAML/],
    ['models: [toy]\ntasks: [sentiment-mini]\nrun: { samples: many }\n', /recipe\.yml:3:17: "run\.samples" is "many"/],
    ['models: [toy]\ntask: [sentiment-mini]\n', /recipe\.yml:2:1: unknown key "task"; did you mean "tasks"/],
    ['', /recipe\.yml:1:1: a recipe must be a map/],
  ])('recipe %j', async (text, message) => {
    await writeFile(join(cwd, 'recipe.yml'), text);
    expectError(await cli(['run', '-c', 'recipe.yml']), 2, message);
  });
});

describe('model files', () => {
  const bytes = toyModelBytes();
  const firstTensor = Buffer.from(bytes).indexOf('token_embd.weight') - 8;
  /** The head of a model with the count of its tensors at zero: what `--vocab-only` converters write. */
  const vocabulary = Buffer.concat([Buffer.from(bytes.subarray(0, firstTensor)), Buffer.alloc((32 - (firstTensor % 32)) % 32)]);
  vocabulary.writeBigUInt64LE(0n, 8);

  test.each<[string, Uint8Array, number, RegExp]>([
    ['no GGUF', Buffer.from('hello world'), 2, /not a GGUF file/],
    ['a web page', Buffer.from('<html>not found</html>'), 1, /not a GGUF file.*\n.*web page/],
    ['zero bytes', Buffer.alloc(0), 1, /too short for a GGUF file/],
    ['half a file', bytes.subarray(0, bytes.length / 2), 1, /cut off: tensor/],
    ['half a header', bytes.subarray(0, 100), 1, /cannot fit|ends inside/],
    ['a vocabulary only', vocabulary, 2, /a vocabulary but no weights/],
  ])('%s', async (_title, content, code, message) => {
    await writeFile(join(cwd, 'file.gguf'), content);
    expectError(await cli(['run', '-m', './file.gguf', '-d', './ok.jsonl', '-q']), code, message);
  });

  test('a folder and a missing file', async () => {
    await mkdir(join(cwd, 'folder.gguf'), { recursive: true });
    expectError(await cli(['run', '-m', './folder.gguf', '-d', './ok.jsonl', '-q']), 2, /is a directory/);
    expectError(await cli(['run', '-m', './nothing.gguf', '-d', './ok.jsonl', '-q']), 2, /there is no file/);
  });
});

describe('downloads', () => {
  const weights = Buffer.from(toyModelBytes());
  let hub: LoopbackHub;
  let place: string;
  const pull = (name: string) =>
    runCli(['pull', name, '-q'], { cwd: place, env: { HF_ENDPOINT: hub.url, HF_HOME: join(place, 'hf'), SLMBENCH_OFFLINE: '' } });

  beforeAll(async () => {
    hub = await startLoopbackHub('owner/repo', { 'model.gguf': { content: weights, large: true } });
    place = await temporaryFolder();
    const entry = (name: string, more: object) => ({
      name,
      title: name,
      provider: 'me',
      parameters: '1M',
      quantisation: 'F32',
      contextLength: 512,
      licence: 'MIT',
      sources: [{ reference: 'hf:owner/repo/model.gguf', ...more }],
    });
    const models = [entry('mine', {}), entry('other', { sha256: '0'.repeat(64) })];
    await writeFile(join(place, 'slmbench.config.json'), JSON.stringify({ models }));
  });
  afterAll(async () => {
    await hub.close();
    await rm(place, { recursive: true, force: true });
  });
  afterEach(() => rm(join(place, 'hf'), { recursive: true, force: true }));

  test('a file with another sha256 than the registry names is refused, and nothing stays', async () => {
    expectError(await pull('other'), 1, /sha256/);
    // The hub names the digest itself, so the transfer may not even begin.
    const left = await readdir(join(place, 'hf'), { recursive: true }).catch(() => []);
    expect(left.filter((path) => /blobs.[0-9a-f]{64}$|\.gguf$/.test(path))).toEqual([]);
  });

  test('a transfer that breaks goes on where it was', async () => {
    hub.breakAfterBytes = 1_000_000;
    const result = await pull('mine');
    expect(result.code, result.stderr).toBe(0);
    expect(hub.requests.some(({ headers }) => headers.range !== undefined)).toBe(true);
  });

  test('a missing repository and a gated one', async () => {
    expectError(await pull('hf:owner/nothing:Q4_K_M'), 2, /owner\/nothing/);
    hub.gated = true;
    expectError(await pull('mine'), 1, /owner\/repo.*(401|gated|licence|token)/is);
    hub.gated = false;
  });
});

const canMount = (() => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const probe = mkdtempSync(join(tmpdir(), 'slmbench-mount-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', probe], { stdio: 'ignore' });
    execFileSync('umount', [probe], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(probe);
  }
})();
if (!canMount) process.stderr.write('bad-input: read-only mounts and a full disk are skipped: they need root on Linux\n');

describe('places that cannot be written', () => {
  test('a file where the folder of the run should be', async () => {
    await writeFile(join(cwd, 'occupied'), '');
    expectError(await runOn('./ok.jsonl', '-o', 'occupied'), 2, /exists already and is not a folder/);
    expectError(await runOn('./ok.jsonl', '-o', 'occupied/runs'), 2, /a part of the path is a file/);
  });

  describe.runIf(canMount)('mounts', () => {
    const mount = async (name: string, options: string): Promise<string> => {
      const folder = join(cwd, name);
      await mkdir(folder, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]);
      return folder;
    };
    afterEach(() => {
      for (const name of ['read only', 'small']) {
        try {
          execFileSync('umount', [join(cwd, name)], { stdio: 'ignore' });
        } catch {
          // Not mounted in this test.
        }
      }
    });

    test('a read-only file system is told before a model is loaded', async () => {
      await mount('read only', 'ro');
      expectError(await runOn('./ok.jsonl', '-o', 'read only/runs'), 2, /the file system is read-only/);
      expectError(await runOn('./ok.jsonl', '-o', 'read only/record.json'), 2, /the file system is read-only/);
      expectError(await runOn('./ok.jsonl', '--report', '--report-dir', 'read only/report'), 2, /the file system is read-only/);
    });

    test('a full disk ends the run with its journal readable; with space the same command finishes it', async () => {
      const folder = await mount('small', 'size=120k');
      const long = Array.from({ length: 80 }, (_, at) => JSON.stringify({ question: `${at} ${'x'.repeat(300)}`, answer: 'x' }));
      await writeFile(join(cwd, 'long.jsonl'), long.join('\n'));
      expectError(await runOn('./long.jsonl', '-o', 'small'), 1, /the disk is full\n.*run the same command again/);
      const [run] = await readdir(folder);
      const journal = (await readFile(join(folder, run!, 'journal.jsonl'), 'utf8')).trimEnd().split('\n');
      expect(journal.slice(0, -1).every((line) => typeof JSON.parse(line) === 'object')).toBe(true);
      execFileSync('mount', ['-o', 'remount,size=20m', folder]);
      const again = await runOn('./long.jsonl', '-o', 'small', '--json');
      expect(again.code, again.stderr).toBe(0);
      expect(await readdir(folder)).toEqual([run]);
      expect(JSON.parse(again.stdout).results[0].counts.total).toBe(80);
      expect((await cli(['verify', join(folder, run!)])).code).toBe(0);
    });
  });
});
