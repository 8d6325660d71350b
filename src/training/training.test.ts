// Requests, launch flags, adapter facts, merging and Modelfiles, without Python.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolError } from '../core/errors.ts';
import { memorySource } from '../formats/byte-source.ts';
import { dequantise } from '../formats/dequantise.ts';
import { readGguf } from '../formats/gguf-reader.ts';
import { writeGguf } from '../formats/gguf-writer.ts';
import { toyModelBytes } from '../formats/toy-model.ts';
import { assertAdapterFitsBase, readAdapter } from './adapter-files.ts';
import { launchFlags } from './launch-worker.ts';
import { addProduct, mergeGguf } from './merge-gguf.ts';
import { ollamaModelfile } from './ollama-modelfile.ts';
import { createPeftTrainer } from './peft-trainer.ts';
import { parseTrainingRequest, type TrainingRequestInput } from './training-request.ts';
import { totalStepsOf, workerRequest } from './worker-request.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slmbench-training-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function failureOf(work: Promise<unknown> | (() => unknown)): Promise<ToolError> {
  const thrown = await (typeof work === 'function' ? Promise.resolve().then(work) : work).then(
    () => 'resolved',
    (error: unknown) => error,
  );
  expect(ToolError.isInstance(thrown), String(thrown)).toBe(true);
  return thrown as ToolError;
}

const digest = 'a'.repeat(64);
const request = (changes: Partial<TrainingRequestInput> = {}): TrainingRequestInput => ({
  base: { kind: 'gguf', path: '/models/Base.Q4_1.gguf', digest },
  examples: Array.from({ length: 10 }, (_, index) => ({ id: String(index), prompt: 'p', completion: 'c' })),
  adapterFolder: 'a',
  checkpointFolder: 'c',
  ...changes,
});

describe('training request', () => {
  it('counts steps from epochs over whole batches, and warm-up from steps', () => {
    const parsed = parseTrainingRequest(request({ settings: { epochs: 2, batchSize: 4, warmupRatio: 0.2 } }));
    expect(totalStepsOf(parsed)).toBe(5);
    const { settings, base } = workerRequest(parsed, '/cache');
    expect([settings.totalSteps, settings.warmupSteps, settings.validation.everySteps]).toEqual([5, 1, 3]);
    expect(base.name).toBe('Base.Q4_1');
    expect(totalStepsOf(parseTrainingRequest(request({ settings: { epochs: 9, maxSteps: 7 } })))).toBe(7);
  });

  it.each([
    [{ settings: { lora: { rank: 0 } } }, 'config', 'settings.lora.rank'],
    [{ settings: { lerningRate: 1 } }, 'config', 'lerningRate'],
    [{ examples: [] }, 'data', 'no example'],
    [{ base: { kind: 'gguf', path: 'x', digest: 'short' } }, 'config', 'base.digest'],
    [{ settings: { trainer: 'trl', launch: { num_processes: 2 } } }, 'unsupported', 'plain'],
  ])('refuses %j', async (changes, code, text) => {
    const error = await failureOf(() => parseTrainingRequest({ ...request(), ...changes }));
    expect(error.code).toBe(code);
    expect(error.message).toContain(text);
  });

  it('finds out that a folder cannot be written before anything is trained', async () => {
    await writeFile(join(folder, 'file'), '');
    const trainer = createPeftTrainer({ cacheDirectory: folder });
    const error = await failureOf(
      trainer.train(request({ adapterFolder: join(folder, 'file', 'x', 'adapter') }), { onProgress: () => {} }),
    );
    expect(error.code).toBe('storage');
  });

  it('says how to set up Python where the environment is missing', async () => {
    const trainer = createPeftTrainer({ cacheDirectory: join(folder, 'empty') });
    const work = trainer.train(request({ adapterFolder: join(folder, 'a'), checkpointFolder: join(folder, 'c') }), {
      onProgress: () => {},
    });
    expect((await failureOf(work)).code).toBe('unavailable');
  });
});

describe('accelerate launch', () => {
  it('passes settings by their own names and starts as many processes as asked for, also without GPUs', () => {
    expect(launchFlags({ num_processes: 2, cpu: true, main_process_port: 29501, debug: false })).toEqual(
      '--num_machines 1 --mixed_precision no --dynamo_backend no --num_processes 2 --main_process_port 29501 --multi_gpu'.split(' '),
    );
    expect(launchFlags({ num_processes: 1, cpu: true })).toContain('--cpu');
  });

  it('refuses a missing number of processes and names that are no settings', async () => {
    expect((await failureOf(() => launchFlags({ cpu: true }))).code).toBe('config');
    expect((await failureOf(() => launchFlags({ num_processes: 1, '-x; rm': 1 }))).code).toBe('config');
  });
});

describe('adapter folder', () => {
  it('refuses an adapter that was trained on another base, and accepts one that does not say', async () => {
    await writeFile(join(folder, 'adapter_config.json'), '{}');
    await writeFile(join(folder, 'adapter_model.safetensors'), 'x');
    assertAdapterFitsBase(await readAdapter(folder), digest);
    await writeFile(join(folder, 'slmbench.json'), JSON.stringify({ base: { digest, name: 'b' } }));
    const adapter = await readAdapter(folder);
    assertAdapterFitsBase(adapter, digest);
    const error = await failureOf(() => assertAdapterFitsBase(adapter, 'b'.repeat(64)));
    expect([error.code, error.message.includes('another base')]).toEqual(['integrity', true]);
    await writeFile(join(folder, 'slmbench.json'), '{');
    expect((await failureOf(readAdapter(folder))).code).toBe('integrity');
    await mkdir(join(folder, 'empty'));
    expect((await failureOf(readAdapter(join(folder, 'empty')))).code).toBe('not-found');
  });
});

describe('merged GGUF', () => {
  const rank = 2;

  async function writeLora(name: string, width: number, height: number): Promise<string> {
    const path = join(folder, 'lora.gguf');
    const down = Float32Array.from({ length: rank * width }, (_, index) => ((index * 7) % 11) / 11 - 0.4);
    const up = Float32Array.from({ length: rank * height }, (_, index) => ((index * 5) % 13) / 13 - 0.5);
    const pairs = [
      { key: 'general.architecture', type: 'string', value: 'llama' },
      { key: 'general.type', type: 'string', value: 'adapter' },
      { key: 'adapter.type', type: 'string', value: 'lora' },
      { key: 'adapter.lora.alpha', type: 'f32', value: 8 },
    ] as const;
    await writeFile(
      path,
      writeGguf(pairs, [
        { name: `${name}.lora_a`, dimensions: [width, rank], type: 'F32', data: down },
        { name: `${name}.lora_b`, dimensions: [rank, height], type: 'F32', data: up },
      ]),
    );
    return path;
  }

  async function tensorOf(bytes: Uint8Array, name: string) {
    const tensor = (await readGguf(memorySource(bytes))).tensors.find((other) => other.name === name)!;
    return { tensor, values: dequantise(tensor.type, bytes.subarray(tensor.offset, tensor.offset + tensor.sizeBytes)) };
  }

  it.each(['F32', 'F16', 'Q8_0'] as const)('equals base + alpha/rank * B A in %s, other tensors untouched', async (type) => {
    const base = toyModelBytes();
    const name = 'blk.0.attn_q.weight';
    const before = await tensorOf(base, name);
    const [width, height] = before.tensor.dimensions as [number, number];
    await writeFile(join(folder, 'base.gguf'), base);
    const adapterPath = await writeLora(name, width, height);
    const outputPath = join(folder, 'merged.gguf');
    expect(await mergeGguf({ basePath: join(folder, 'base.gguf'), adapterPath, outputPath, type })).toBe(1);
    const lora = await readFile(adapterPath);
    const down = (await tensorOf(lora, `${name}.lora_a`)).values;
    const up = (await tensorOf(lora, `${name}.lora_b`)).values;
    const expected = Float64Array.from(before.values, (value, index) => {
      const [row, column] = [Math.floor(index / width), index % width];
      return value + 4 * (up[row * rank]! * down[column]! + up[row * rank + 1]! * down[width + column]!);
    });
    const after = await tensorOf(await readFile(outputPath), name);
    const largest = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const tolerance = largest * { F32: 1e-6, F16: 1e-3, Q8_0: 8e-3 }[type];
    const worst = after.values.reduce((most, value, index) => Math.max(most, Math.abs(value - expected[index]!)), 0);
    expect(worst).toBeLessThanOrEqual(tolerance);
    const other = 'blk.0.attn_norm.weight';
    expect((await tensorOf(await readFile(outputPath), other)).values).toEqual((await tensorOf(base, other)).values);
  });

  it('refuses an adapter whose shapes the base does not have, and leaves nothing behind', async () => {
    await writeFile(join(folder, 'base.gguf'), toyModelBytes());
    const adapterPath = await writeLora('blk.0.attn_q.weight', 7, 5);
    const outputPath = join(folder, 'merged.gguf');
    expect((await failureOf(mergeGguf({ basePath: join(folder, 'base.gguf'), adapterPath, outputPath }))).code).toBe('integrity');
    expect((await failureOf(readFile(outputPath).catch((cause) => Promise.reject(new ToolError('not-found', String(cause)))))).code).toBe(
      'not-found',
    );
  });

  it('adds nothing for a zero factor', () => {
    const weights = Float32Array.of(1, 2, 3, 4);
    addProduct(weights, { down: Float32Array.of(1, 1), up: Float32Array.of(0, 2), rank: 1 }, 0.5);
    expect([...weights]).toEqual([1, 2, 4, 5]);
  });
});

describe('Modelfile', () => {
  it('bounds context and answer as the held-out test does', () => {
    const text = ollamaModelfile({ model: 'a.gguf', contextTokens: 512, maxTokens: 8 });
    expect(text).toContain('PARAMETER num_ctx 512\nPARAMETER num_predict 8\n');
  });

  it('names model and adapter, and keeps any system text inside its quotes', () => {
    const text = ollamaModelfile({
      model: './m.gguf',
      adapter: './a.gguf',
      system: 'Say """x"""\nFROM evil',
      stop: ['<|im_end|>'],
      notes: ['a\nFROM b'],
    });
    expect(text).toBe(
      '# a\n# FROM b\nFROM ./m.gguf\nADAPTER ./a.gguf\nPARAMETER temperature 0\nPARAMETER stop "<|im_end|>"\nSYSTEM """Say "" "x"" "\nFROM evil"""\n',
    );
  });
});
