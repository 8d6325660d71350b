// A real specialist: SmolLM2 learns the built-in intents, and llama.cpp with the converted adapter gives the probabilities of transformers.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTransformersModel } from '../../src/backends/transformers/transformers-backend.ts';
import type { Backend } from '../../src/core/ports/backend.ts';
import type { TrainingOutcome } from '../../src/core/ports/trainer.ts';
import type { Prompt } from '../../src/core/prompt.ts';
import { loraToGguf } from '../../src/formats/lora-gguf.ts';
import { reencodeGguf } from '../../src/formats/reencode-gguf.ts';
import { digestFile } from '../../src/sources/file-digest.ts';
import { convertAdapter } from '../../src/training/convert-adapter.ts';
import { exportModel } from '../../src/training/export-model.ts';
import { withOpenFile, writeBlocks } from '../../src/training/file-bytes.ts';
import { toolErrorOf } from '../contract/backend-contract.ts';
import { openModel, realModelPath, settings, unknownFacts } from './llama-fixtures.ts';
import { cacheDirectory, hasPython, type Intent, readIntents, train } from './training-fixtures.ts';

const modelPath = realModelPath();
const testRows = 24;
const intents = readIntents();
const labels = [...new Set(intents.map((row) => row.label))].sort();
const held = intents.filter((_, index) => index % 16 === 5).slice(0, testRows);
const trained = intents.filter((_, index) => index % 16 !== 5);
const chat = (row: Intent): Prompt => ({
  kind: 'chat',
  messages: [
    { role: 'system', content: `Answer with one word: ${labels.join(', ')}.` },
    { role: 'user', content: row.text },
  ],
});

interface Answers {
  readonly logprobs: readonly (readonly number[])[];
  readonly predictions: readonly number[];
  readonly accuracy: number;
}

async function ask(backend: Backend, rows: readonly Intent[] = held): Promise<Answers> {
  const choices = labels.map((continuation) => ({ continuation }));
  const results = await Promise.all(rows.map((row) => backend.score({ prompt: chat(row), choices })));
  const logprobs = results.map((result) => result.choices.map((choice) => choice.logprob));
  const predictions = logprobs.map((values) => values.indexOf(Math.max(...values)));
  return { logprobs, predictions, accuracy: rows.filter((row, index) => labels[predictions[index]!] === row.label).length / rows.length };
}

async function answersOf(open: Promise<Backend>): Promise<Answers> {
  const backend = await open;
  try {
    return await ask(backend);
  } finally {
    await backend.close();
  }
}

function meanDifference(left: Answers, right: Answers): number {
  const differences = left.logprobs.flatMap((values, row) => values.map((value, at) => Math.abs(value - right.logprobs[row]![at]!)));
  return differences.reduce((sum, value) => sum + value, 0) / differences.length;
}

const agreement = (left: Answers, right: Answers) =>
  left.predictions.filter((value, index) => value === right.predictions[index]).length / left.predictions.length;

describe.skipIf(modelPath === undefined || !hasPython)('SmolLM2-135M on the built-in intents', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slmbench-smollm2-'));
  const adapterFolder = join(folder, 'peft');
  const wide = join(folder, 'f16.gguf');
  const converted = join(folder, 'adapter.gguf');
  let base: { kind: 'gguf'; path: string; digest: string };
  let outcome: TrainingOutcome;
  let before: Answers;
  let inTransformers: Answers;

  beforeAll(async () => {
    base = { kind: 'gguf', path: modelPath!, digest: (await digestFile(modelPath!, { cacheDirectory: folder })).sha256 };
    const engine = await openModel(modelPath!, { contextTokens: 512 });
    const examples = [];
    for (const [index, row] of trained.entries()) {
      const { text, tokens } = await engine.render(chat(row));
      examples.push({ id: String(index), prompt: text, completion: `${row.label}<|im_end|>`, servedTokens: [...tokens!] });
    }
    before = await ask(engine);
    await engine.close();
    const request = {
      base,
      examples,
      adapterFolder,
      checkpointFolder: join(folder, 'base'),
      seed: 1,
      settings: { maxSteps: 40, batchSize: 4, learningRate: 1e-3, checkpointSteps: 1000, threads: 1 },
    };
    ({ outcome } = await train(request));
    await writeBlocks(wide, (write) => withOpenFile(modelPath!, (source) => reencodeGguf(source, 'F16', write)));
    await convertAdapter({ adapterFolder, basePath: wide, outputPath: converted, type: 'F32' });
    const load = { kind: 'gguf' as const, path: base.path, facts: { ...unknownFacts, digest: base.digest }, dtype: 'float32' as const };
    inTransformers = await answersOf(
      openTransformersModel({ ...load, options: { threads: 1, contextTokens: 512, adapters: [{ path: adapterFolder, scale: 1 }] } }),
    );
  }, 1_500_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const inEngine = (path: string, adapter?: string) =>
    answersOf(openModel(path, { contextTokens: 512, ...(adapter === undefined ? {} : { adapters: [{ path: adapter, scale: 1 }] }) }));

  it('becomes a specialist within three gigabytes', () => {
    expect(inTransformers.accuracy).toBeGreaterThan(before.accuracy + 0.3);
    expect(outcome.peakRssBytes!).toBeLessThan(3e9);
    const losses = outcome.lossCurve.map((point) => point.loss);
    expect(losses.slice(-5).reduce((sum, loss) => sum + loss, 0)).toBeLessThan(losses.slice(0, 5).reduce((sum, loss) => sum + loss, 0) / 2);
  });

  it('has the same probabilities in llama.cpp on an F16 base, and others without the row permutation', async () => {
    const exact = await inEngine(wide, converted);
    const control = join(folder, 'unpermuted.gguf');
    const [config, weights] = [
      readFileSync(join(adapterFolder, 'adapter_config.json'), 'utf8'),
      readFileSync(join(adapterFolder, 'adapter_model.safetensors')),
    ];
    // Heads of two rows are their own permutation: this writes the rows as PEFT has them.
    writeFileSync(control, loraToGguf(config, weights, { architecture: 'llama', heads: 576 / 2, keyValueHeads: 192 / 2 }, 'F32').bytes);
    const wrong = await inEngine(wide, control);
    console.log(
      `label log-probabilities, llama.cpp F16 against transformers float32: mean difference ${meanDifference(exact, inTransformers).toFixed(4)} nats, ` +
        `unpermuted ${meanDifference(wrong, inTransformers).toFixed(3)}; accuracy ${before.accuracy.toFixed(3)} -> ${exact.accuracy.toFixed(3)}; ` +
        `training ${outcome.elapsedSeconds.toFixed(0)} s, peak ${(outcome.peakRssBytes! / 1e9).toFixed(2)} GB`,
    );
    expect(meanDifference(exact, inTransformers)).toBeLessThan(0.02);
    expect(agreement(exact, inTransformers)).toBeGreaterThanOrEqual(0.97);
    expect(meanDifference(wrong, inTransformers)).toBeGreaterThan(0.3);
  });

  it('keeps its answers when it is exported: adapter on the quantised base, merged GGUF, merged safetensors', async () => {
    const options = {
      base,
      adapterFolder,
      outputFolder: join(folder, 'out'),
      name: 'intents',
      cacheDirectory,
      threads: 1,
      dtype: 'float32',
    } as const;
    const merged = await exportModel('gguf', options);
    const mergedAnswers = await inEngine(merged.paths[0]!);
    expect(meanDifference(mergedAnswers, inTransformers)).toBeLessThan(0.02);
    const adapter = await exportModel('adapter', options);
    const quantised = await inEngine(base.path, adapter.paths[0]);
    expect(agreement(quantised, inTransformers)).toBeGreaterThanOrEqual(0.9);
    const safetensors = await exportModel('safetensors', options);
    const plain = await answersOf(
      openTransformersModel({
        kind: 'directory',
        path: safetensors.paths[0]!,
        facts: unknownFacts,
        options: { threads: 1, contextTokens: 512 },
      }),
    );
    expect(meanDifference(plain, inTransformers)).toBeLessThan(1e-3);
    const modelfile = await exportModel('modelfile', { ...options, modelfile: { stop: ['<|im_end|>'] } });
    expect(readFileSync(modelfile.paths[0]!, 'utf8')).toContain(`FROM ${base.path}\nADAPTER ./${basename(modelfile.paths[1]!)}`);
    expect(existsSync(modelfile.paths[1]!)).toBe(true);
  });

  it('trains DoRA, which a GGUF adapter cannot hold', async () => {
    const settings = {
      maxSteps: 2,
      batchSize: 2,
      learningRate: 1e-2,
      warmupRatio: 0,
      threads: 1,
      lora: { dora: true, rank: 2, targetModules: ['q_proj'] },
    };
    const examples = trained.slice(0, 8).map((row, index) => ({ id: String(index), prompt: row.text, completion: ` ${row.label}` }));
    const folders = { adapterFolder: join(folder, 'dora'), checkpointFolder: join(folder, 'dora-base') };
    const trainedDora = await train({ base, examples, ...folders, settings });
    expect(trainedDora.outcome.globalSteps).toBe(2);
    const conversion = convertAdapter({ adapterFolder: folders.adapterFolder, basePath: base.path, outputPath: join(folder, 'dora.gguf') });
    expect((await toolErrorOf(conversion)).message).toContain('DoRA');
    const load = { kind: 'gguf' as const, path: base.path, facts: { ...unknownFacts, digest: base.digest }, dtype: 'float32' as const };
    const options = { threads: 1, contextTokens: 512 };
    const request = { prompt: { kind: 'text', text: trained[0]!.text } as const, choices: [{ continuation: ` ${trained[0]!.label}` }] };
    const values: number[] = [];
    for (const adapters of [[], [{ path: folders.adapterFolder, scale: 1 }]]) {
      const backend = await openTransformersModel({ ...load, options: { ...options, adapters } });
      values.push((await backend.score(request)).choices[0]!.logprob);
      await backend.close();
    }
    expect(Math.abs(values[1]! - values[0]!)).toBeGreaterThan(1e-4);
  });

  it('gives one text in both runtimes', async () => {
    const engine = await openModel(wide, { contextTokens: 512, adapters: [{ path: converted, scale: 1 }] });
    const load = { kind: 'gguf' as const, path: base.path, facts: { ...unknownFacts, digest: base.digest }, dtype: 'float32' as const };
    const python = await openTransformersModel({
      ...load,
      options: { threads: 1, contextTokens: 512, adapters: [{ path: adapterFolder, scale: 1 }] },
    });
    for (const row of held.slice(0, 6)) {
      const request = { prompt: chat(row), settings: settings({ maxTokens: 8 }) };
      const [left, right] = [await engine.generate(request), await python.generate(request)];
      expect([right.text, right.finishReason]).toEqual([left.text, left.finishReason]);
      expect((await python.render(chat(row))).tokens).toEqual((await engine.render(chat(row))).tokens);
    }
    await Promise.all([engine.close(), python.close()]);
  });
});
