// Adapters: PEFT folders are converted for their base, and files that do not fit are refused.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeGguf } from '../formats/gguf-writer.ts';
import { writeSafetensors } from '../formats/safetensors.ts';
import { resolveAdapter } from './resolve-adapter.ts';
import { type ResolvedModel, resolveModel } from './resolve-model.ts';

let folder: string;
let model: ResolvedModel;
const context = () => ({ cacheDirectory: join(folder, 'cache') });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slmbench adapter '));
  model = await resolveModel('toy', { ...context(), offline: true });
  const peft = join(folder, 'peft');
  await mkdir(peft);
  await writeFile(join(peft, 'adapter_config.json'), JSON.stringify({ peft_type: 'LORA', r: 2, lora_alpha: 4 }));
  const key = 'base_model.model.model.layers.0.self_attn.q_proj';
  const tensor = (name: string, shape: number[]) => ({ name, type: 'F32' as const, shape, values: new Float32Array(1152).fill(0.01) });
  await writeFile(
    join(peft, 'adapter_model.safetensors'),
    writeSafetensors([tensor(`${key}.lora_A.weight`, [2, 576]), tensor(`${key}.lora_B.weight`, [576, 2])]),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('converts a PEFT folder once and gives the same digest again', async () => {
  const first = await resolveAdapter(`${folder}/peft`, model, context());
  expect(first).toMatchObject({ scale: 1, digest: expect.stringMatching(/^[0-9a-f]{64}$/u) });
  expect(await resolveAdapter(`${folder}/peft=0.5`, model, context())).toEqual({ ...first, scale: 0.5 });
  expect(await resolveAdapter(`${first.path}=-1`, model, context())).toEqual({ ...first, scale: -1 });
});

it('takes a PEFT folder as it is where transformers runs the model', async () => {
  const served: ResolvedModel = { ...model, backendKind: 'transformers', gguf: null };
  const found = await resolveAdapter(`${folder}/peft=0.5`, served, context());
  expect(found).toMatchObject({ path: join(folder, 'peft'), scale: 0.5, digest: expect.stringMatching(/^[0-9a-f]{64}$/u) });
  await expect(resolveAdapter(model.path!, served, context())).rejects.toMatchObject({ code: 'unsupported' });
  await expect(resolveAdapter(folder, served, context())).rejects.toMatchObject({ code: 'not-found' });
});

it('refuses what does not fit', async () => {
  const gemma = join(folder, 'gemma.gguf');
  const pairs = [
    { key: 'general.architecture', type: 'string', value: 'gemma3' },
    { key: 'general.type', type: 'string', value: 'adapter' },
  ] as const;
  await writeFile(gemma, writeGguf(pairs, [{ name: 'x', dimensions: [4], type: 'F32', data: new Float32Array(4) }]));
  await expect(resolveAdapter(gemma, model, context())).rejects.toThrow(/adapter for gemma3 models; toy is llama/u);
  await expect(resolveAdapter(model.path!, model, context())).rejects.toThrow(/not a LoRA adapter/u);
  await expect(resolveAdapter(`${folder}/nothing`, model, context())).rejects.toThrow(/no adapter/u);
  await expect(resolveAdapter(folder, model, context())).rejects.toThrow(/adapter_config.json/u);
  await expect(resolveAdapter(`${gemma}=half`, model, context())).rejects.toThrow(/not a scale/u);
});
