// End-to-end parity: the same weights and documents through lm-evaluation-harness (transformers, float32) and through slmbench.
// F16 re-encoding: the same option in at least 99 % of 200 items a task. Q4_1: agreement, with a margin fixed from 40 other items a task.
// usage: SLMBENCH_TEST_MODEL=SmolLM2-135M-Instruct.Q4_1.gguf SLMBENCH_PARITY_PYTHON=python node bench/parity/end-to-end.ts
import { spawnSync } from 'node:child_process';
import { copyFileSync, createWriteStream, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { evaluateRequest } from '../../src/app/evaluate-request.ts';
import { withFileSource } from '../../src/backends/file-byte-source.ts';
import type { PredictionRow } from '../../src/core/prediction.ts';
import { loadDataset } from '../../src/datasets/registry.ts';
import { reencodeGguf } from '../../src/formats/reencode-gguf.ts';
import { cacheRoot } from '../../src/sources/cache-root.ts';
import { compareItems, type ReferenceItem } from './compare-items.ts';

const judged = 200;
const calibration = 40;
const folder = fileURLToPath(new URL('../.cache/parity', import.meta.url));
const tasks = [
  { ours: 'arc-easy', theirs: 'arc_easy' },
  { ours: 'hellaswag', theirs: 'hellaswag' },
] as const;

function needed(variable: string): string {
  const value = process.env[variable];
  if (value === undefined) throw new Error(`set ${variable}; see the first lines of this script`);
  return value;
}

async function reencode(from: string): Promise<string> {
  const path = join(folder, 'f16.gguf');
  if (existsSync(path)) return path;
  const stream = createWriteStream(path);
  const write = (bytes: Uint8Array) =>
    new Promise<void>((resolve, reject) => stream.write(bytes, (error) => (error == null ? resolve() : reject(error))));
  await withFileSource(from, (source) => reencodeGguf(source, 'F16', write));
  await new Promise<void>((resolve) => stream.end(() => resolve()));
  return path;
}

async function writeDocuments(): Promise<void> {
  for (const { ours, theirs } of tasks) {
    const dataset = await loadDataset(ours, { offline: false, cacheDirectory: cacheRoot() });
    const { rows } = await dataset.split('validation');
    const lines = rows.slice(0, judged + calibration).map((row) => JSON.stringify(row.fields));
    writeFileSync(join(folder, `${theirs}.jsonl`), `${lines.join('\n')}\n`);
  }
}

function runReference(model: string): { versions: object; addsBos: boolean; items: Record<string, ReferenceItem[]> } {
  const output = join(folder, 'lm-eval.json');
  if (!existsSync(output)) {
    const script = fileURLToPath(new URL('lm_eval_side.py', import.meta.url));
    const result = spawnSync(needed('SLMBENCH_PARITY_PYTHON'), [script, model, folder, output], { stdio: 'inherit' });
    if (result.status !== 0) throw new Error('the lm-evaluation-harness side failed');
  }
  return JSON.parse(readFileSync(output, 'utf8'));
}

/** Rows of a finished side are kept under bench/.cache/parity, as the reference's are; delete that folder to start over. */
async function runOurs(model: string): Promise<PredictionRow[]> {
  const kept = join(folder, `${basename(model, '.gguf')}.jsonl`);
  if (!existsSync(kept)) copyFileSync(await evaluateModel(model), kept);
  const lines = readFileSync(kept, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as PredictionRow);
}

/** Path of the run's predictions. */
async function evaluateModel(model: string): Promise<string> {
  const result = await evaluateRequest({
    assignments: [],
    models: [model],
    tasks: tasks.map((task) => task.ours),
    settings: { protocol: 'lm-eval', limit: judged + calibration, shots: 0, threads: 1, profile: false },
    generation: {},
    adapters: [],
    dataFile: { columns: [], split: 'validation' },
    output: join(folder, 'runs'),
    dryRun: false,
    force: false,
    fresh: false,
    offline: false,
    commandLine: 'bench/parity/end-to-end.ts',
  });
  if (result.kind !== 'record') throw new Error('no record');
  return join(result.folder, 'predictions.jsonl');
}

const original = needed('SLMBENCH_TEST_MODEL');
mkdirSync(folder, { recursive: true });
const f16 = await reencode(original);
await writeDocuments();
const reference = runReference(f16);
const comparisons = [];
for (const model of [f16, original]) {
  const rows = await runOurs(model);
  for (const { ours, theirs } of tasks) {
    const own = rows.filter((row) => row.task === `${ours}@lm-eval`);
    comparisons.push({ weights: basename(model), task: ours, ...compareItems(reference.items[theirs]!, own, judged) });
  }
}
const document = { versions: reference.versions, addsBos: reference.addsBos, judged, calibration, comparisons };
writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
const failed = comparisons.filter((one) => one.promptsDiffer > 0 || (one.weights === 'f16.gguf' && one.sameOption < 0.99));
if (failed.length > 0) process.exitCode = 1;
