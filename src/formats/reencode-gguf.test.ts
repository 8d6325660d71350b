// Re-encoding keeps metadata, vectors and values; only the type of matrices changes.
import { describe, expect, it } from 'vitest';
import { memorySource } from './byte-source.ts';
import { dequantise } from './dequantise.ts';
import { ggufFacts } from './gguf-facts.ts';
import { readGguf } from './gguf-reader.ts';
import { type GgufPair, writeGguf } from './gguf-writer.ts';
import { reencodeGguf } from './reencode-gguf.ts';

const pairs: GgufPair[] = [
  { key: 'general.architecture', type: 'string', value: 'llama' },
  { key: 'general.file_type', type: 'u32', value: 7 },
  { key: 'tokenizer.ggml.tokens', type: 'string', value: Array.from({ length: 3000 }, (_, index) => `t${index}`) },
];
const numbers = (count: number) => new Float32Array(count).map((_, index) => Math.sin(index) / 3);
const model = () =>
  writeGguf(pairs, [
    { name: 'a.weight', dimensions: [64, 16_500], type: 'Q8_0', data: numbers(1_056_000) },
    { name: 'norm', dimensions: [65], type: 'F32', data: numbers(65) },
    { name: 'narrow', dimensions: [5, 3], type: 'F32', data: numbers(15) },
  ]);

async function reencoded(bytes: Uint8Array, type: 'F16' | 'F32' | 'Q8_0'): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  await reencodeGguf(memorySource(bytes), type, async (part) => {
    parts.push(part.slice());
  });
  return new Uint8Array(Buffer.concat(parts));
}

describe('reencodeGguf', () => {
  it('writes a complete file with the same metadata and nearly the same numbers', async () => {
    const before = model();
    const after = await reencoded(before, 'F16');
    const [old, file] = [await readGguf(memorySource(before)), await readGguf(memorySource(after))];
    expect(file.tensors.map(({ name, type }) => ({ name, type }))).toEqual([
      { name: 'a.weight', type: 'F16' },
      { name: 'norm', type: 'F32' },
      { name: 'narrow', type: 'F16' },
    ]);
    expect(Object.fromEntries(file.metadata)).toEqual({ ...Object.fromEntries(old.metadata), 'general.file_type': 1 });
    expect(ggufFacts([file])).toMatchObject({ quantisation: 'F16', parameters: ggufFacts([old]).parameters });
    const valuesOf = (bytes: Uint8Array, read: typeof file, index: number) => {
      const { offset, sizeBytes, type } = read.tensors[index]!;
      return dequantise(type, bytes.slice(offset, offset + sizeBytes));
    };
    const [from, to] = [valuesOf(before, old, 0), valuesOf(after, file, 0)];
    let worst = 0;
    for (let index = 0; index < from.length; index++) worst = Math.max(worst, Math.abs(from[index]! - to[index]!));
    expect(worst).toBeLessThan(2e-4);
    expect(valuesOf(after, file, 1)).toEqual(valuesOf(before, old, 1));
  });

  it('changes nothing when the type is the same', async () => {
    const bytes = await reencoded(model(), 'Q8_0');
    expect(Buffer.compare(Buffer.from(bytes), Buffer.from(model()))).toBe(0);
  });
});
