// Adds a GGUF LoRA adapter to the weights of its GGUF base: one model file without an adapter, in F32, F16 or Q8_0.
import type { FileHandle } from 'node:fs/promises';
import { rename, rm } from 'node:fs/promises';
import { ToolError } from '../core/errors.ts';
import type { ByteSource } from '../formats/byte-source.ts';
import { dequantise } from '../formats/dequantise.ts';
import { type Gguf, type GgufTensor, readGguf } from '../formats/gguf-reader.ts';
import { type ReencodeType, reencodeGguf } from '../formats/reencode-gguf.ts';
import { withOpenFile, writeBlocks } from './file-bytes.ts';

interface LoraPair {
  readonly name: string;
  /** rank x in. */
  readonly down: Float32Array;
  /** out x rank. */
  readonly up: Float32Array;
  readonly rank: number;
}

export interface MergeGgufOptions {
  readonly basePath: string;
  /** GGUF adapter. */
  readonly adapterPath: string;
  readonly outputPath: string;
  /** @default 'F16' */
  readonly type?: ReencodeType | undefined;
  /** @default 1 */
  readonly scale?: number | undefined;
}

/**
 * Sums are made in float32 and rounded once, when the output is written.
 * @returns number of changed tensors
 * @throws ToolError `integrity` where adapter and base do not fit; `unsupported` (split model, tensor types)
 */
export async function mergeGguf(options: MergeGgufOptions): Promise<number> {
  const { basePath, adapterPath, outputPath, type = 'F16', scale = 1 } = options;
  const { pairs, scaling } = await readPairs(adapterPath);
  const wide = `${outputPath}.f32-part`;
  const narrow = `${outputPath}.part`;
  try {
    await writeBlocks(wide, (write) => withOpenFile(basePath, (source) => reencodeGguf(source, 'F32', write)));
    await withOpenFile(wide, (source, handle) => addAll(source, handle, pairs, scaling * scale), 'r+');
    if (type === 'F32') {
      await rename(wide, outputPath);
    } else {
      await writeBlocks(narrow, (write) => withOpenFile(wide, (source) => reencodeGguf(source, type, write)));
      await rename(narrow, outputPath);
    }
    return pairs.length;
  } finally {
    await Promise.all([wide, narrow].map((path) => rm(path, { force: true })));
  }
}

async function readPairs(path: string): Promise<{ readonly pairs: readonly LoraPair[]; readonly scaling: number }> {
  return withOpenFile(path, async (source) => {
    const file = await readGguf(source);
    if (file.metadata.get('general.type') !== 'adapter') throw new ToolError('integrity', `${path} is not a GGUF adapter`);
    const floats = async (tensor: GgufTensor) => dequantise(tensor.type, await source.read(tensor.offset, tensor.sizeBytes));
    const pairs: LoraPair[] = [];
    for (const down of file.tensors.filter(({ name }) => name.endsWith('.lora_a'))) {
      const name = down.name.slice(0, -'.lora_a'.length);
      const up = file.tensors.find((tensor) => tensor.name === `${name}.lora_b`);
      if (up === undefined) throw new ToolError('integrity', `${path}: ${name} lacks lora_b`);
      pairs.push({ name, rank: down.dimensions[1]!, down: await floats(down), up: await floats(up) });
    }
    const alpha = file.metadata.get('adapter.lora.alpha');
    if (typeof alpha !== 'number' || pairs.length === 0) throw new ToolError('integrity', `${path} holds no LoRA weights`);
    return { pairs, scaling: alpha / pairs[0]!.rank };
  });
}

async function addAll(source: ByteSource, handle: FileHandle, pairs: readonly LoraPair[], scaling: number): Promise<void> {
  const file = await readGguf(source);
  for (const pair of pairs) {
    const tensor = tensorOf(file, pair);
    const bytes = new Uint8Array(await source.read(tensor.offset, tensor.sizeBytes));
    addProduct(new Float32Array(bytes.buffer, 0, tensor.elements), pair, scaling);
    await handle.write(bytes, 0, bytes.length, tensor.offset);
  }
}

function tensorOf(file: Gguf, { name, down, up, rank }: LoraPair): GgufTensor {
  const tensor = file.tensors.find((other) => other.name === name);
  const shape = [down.length / rank, up.length / rank];
  if (tensor === undefined || tensor.type !== 'F32' || tensor.dimensions[0] !== shape[0] || tensor.dimensions[1] !== shape[1]) {
    throw new ToolError('integrity', `the adapter changes ${name} (${shape.join(' x ')}), which the base does not have in this shape`, {
      hint: 'is the adapter for another base model?',
    });
  }
  return tensor;
}

/** weights (out x in) += scaling * up (out x rank) * down (rank x in). */
export function addProduct(weights: Float32Array, { down, up, rank }: Omit<LoraPair, 'name'>, scaling: number): void {
  const width = down.length / rank;
  for (let row = 0; row < up.length / rank; row++) {
    const target = weights.subarray(row * width, (row + 1) * width);
    for (let inner = 0; inner < rank; inner++) {
      const factor = scaling * up[row * rank + inner]!;
      if (factor === 0) continue;
      const from = inner * width;
      for (let column = 0; column < width; column++) target[column] = target[column]! + factor * down[from + column]!;
    }
  }
}
