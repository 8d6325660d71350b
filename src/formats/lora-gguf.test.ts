// PEFT adapters that cannot be converted fail with the reason; safetensors survive a round trip.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../core/errors.ts';
import { memorySource } from './byte-source.ts';
import { readGguf } from './gguf-reader.ts';
import { loraToGguf } from './lora-gguf.ts';
import { floatsOf, readSafetensors, writeSafetensors } from './safetensors.ts';

const base = { architecture: 'llama', heads: 2, keyValueHeads: 1 };
const config = { peft_type: 'LORA', r: 2, lora_alpha: 4 };
const key = 'base_model.model.model.layers.0.self_attn.q_proj';
const tensor = (name: string, shape: number[]) => ({
  name,
  type: 'F32' as const,
  shape,
  values: new Float32Array(shape.reduce((a, b) => a * b, 1)).map((_, index) => index),
});
const pairOf = (prefix: string, rows = 8) => [tensor(`${prefix}.lora_A.weight`, [2, 4]), tensor(`${prefix}.lora_B.weight`, [rows, 2])];

describe('loraToGguf', () => {
  it('writes the layout that llama.cpp reads, query rows interleaved by head', async () => {
    const { bytes, scaling, pairs } = loraToGguf(JSON.stringify(config), writeSafetensors(pairOf(key)), base, 'F32');
    expect({ scaling, pairs }).toEqual({ scaling: 2, pairs: 1 });
    const file = await readGguf(memorySource(bytes));
    expect(Object.fromEntries(file.metadata)).toEqual({
      'general.architecture': 'llama',
      'general.type': 'adapter',
      'adapter.type': 'lora',
      'adapter.lora.alpha': 4,
    });
    expect(file.tensors.map(({ name, dimensions }) => ({ name, dimensions }))).toEqual([
      { name: 'blk.0.attn_q.weight.lora_a', dimensions: [4, 2] },
      { name: 'blk.0.attn_q.weight.lora_b', dimensions: [2, 8] },
    ]);
    const at = file.tensors[1]!.offset;
    expect([...new Float32Array(bytes.slice(at, at + 64).buffer)]).toEqual([0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15]);
  });

  it.each([
    ['DoRA', { use_dora: true }, /DoRA/u],
    ['biases', { bias: 'all' }, /biases/u],
    ['saved modules', { modules_to_save: ['lm_head'] }, /modules_to_save/u],
    ['rank pattern', { rank_pattern: { q_proj: 4 } }, /rank_pattern/u],
    ['another method', { peft_type: 'IA3' }, /not a LoRA configuration/u],
    ['another rank', { r: 4 }, /do not fit rank 4/u],
  ])('refuses %s', (_name, change, message) => {
    expect(() => loraToGguf(JSON.stringify({ ...config, ...change }), writeSafetensors(pairOf(key)), base)).toThrow(message);
  });

  it('refuses unknown layers, halves and architectures', () => {
    const convert =
      (tensors: ReturnType<typeof pairOf>, architecture = 'llama') =>
      () =>
        loraToGguf(JSON.stringify(config), writeSafetensors(tensors), { ...base, architecture });
    expect(convert(pairOf('base_model.model.lm_head'))).toThrow(/lm_head/u);
    expect(convert(pairOf(key).slice(1))).toThrow(/lacks half/u);
    expect(convert([])).toThrow(/no LoRA weights/u);
    expect(convert(pairOf(key, 6))).toThrow(/do not divide into 2 heads/u);
    expect(convert(pairOf(key), 'lama')).toThrow(/not known/u);
  });
});

describe('safetensors', () => {
  it('round trips in F32, and in F16 within half precision', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ min: -1000, max: 1000, noNaN: true }), { maxLength: 20 }), (numbers) => {
        const values = Float32Array.from(numbers);
        const file = writeSafetensors(
          [
            { name: 'é', type: 'F32', shape: [values.length], values },
            { name: 'half', type: 'F16', shape: [1, values.length], values },
          ],
          { format: 'pt' },
        );
        const { tensors, metadata } = readSafetensors(file);
        expect(metadata).toEqual({ format: 'pt' });
        expect(floatsOf(tensors.get('é')!)).toEqual(values);
        for (const [index, value] of floatsOf(tensors.get('half')!).entries()) {
          expect(Math.abs(value - values[index]!)).toBeLessThanOrEqual(Math.abs(values[index]!) * 2 ** -11 + 2 ** -25);
        }
      }),
    );
  });

  it('fails with a ToolError on any damage', () => {
    const file = writeSafetensors(pairOf(key));
    fc.assert(
      fc.property(fc.nat(file.length), fc.array(fc.tuple(fc.nat(file.length - 1), fc.nat(255)), { maxLength: 4 }), (length, edits) => {
        const damaged = file.slice();
        for (const [at, value] of edits) damaged[at] = value;
        try {
          readSafetensors(damaged.subarray(0, length));
        } catch (thrown) {
          if (!ToolError.isInstance(thrown)) throw thrown;
        }
      }),
      { numRuns: 300 },
    );
    expect(() => readSafetensors(file.subarray(0, file.length - 1))).toThrow(/does not lie inside/u);
  });
});
