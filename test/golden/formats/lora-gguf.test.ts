// The LoRA converter against the gguf Python writer: equal bytes (lora_gguf.py makes the reference).
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/core/digest.ts';
import { loraToGguf } from '../../../src/formats/lora-gguf.ts';

interface Golden {
  readonly heads: number;
  readonly keyValueHeads: number;
  readonly safetensors: string;
  readonly cases: readonly { architecture: string; type: 'F32' | 'F16'; config: { use_rslora: boolean }; bytes: number; sha256: string }[];
}

const golden = JSON.parse(readFileSync(new URL('lora-gguf.golden.json', import.meta.url), 'utf8')) as Golden;
const weights = Uint8Array.from(Buffer.from(golden.safetensors, 'base64'));

describe('loraToGguf', () => {
  it.each(golden.cases.map((item) => [item.architecture, item.type, item.config.use_rslora ? 'rsLoRA' : 'LoRA', item] as const))(
    'equals the Python writer byte for byte: %s %s %s',
    (architecture, type, _kind, item) => {
      const base = { architecture, heads: golden.heads, keyValueHeads: golden.keyValueHeads };
      const { bytes } = loraToGguf(JSON.stringify(item.config), weights, base, type);
      expect(bytes.length).toBe(item.bytes);
      expect(sha256Hex(bytes)).toBe(item.sha256);
    },
  );

  it('does not depend on the permutation by accident', () => {
    const sums = new Set(golden.cases.map((item) => item.sha256));
    expect(sums.size).toBe(golden.cases.length);
  });
});
