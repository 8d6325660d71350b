// GGUF: what is written is read back; damaged, hostile and foreign files fail clearly and quickly.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../core/errors.ts';
import { type ByteSource, memorySource } from './byte-source.ts';
import { ggufFacts, requireModel, splitFileNames } from './gguf-facts.ts';
import { readGguf } from './gguf-reader.ts';
import { type GgufPair, type GgufTensorInput, writeGguf } from './gguf-writer.ts';

const pair = (key: string, type: GgufPair['type'], value: GgufPair['value']): GgufPair => ({ key, type, value });
const f32 = (name: string, dimensions: number[]): GgufTensorInput => ({
  name,
  dimensions,
  type: 'F32',
  data: new Float32Array(dimensions.reduce((a, b) => a * b, 1)).fill(0.5),
});
const basics = [pair('general.architecture', 'string', 'llama'), pair('tokenizer.ggml.model', 'string', 'gpt2')];
const sample = () => writeGguf([...basics, pair('general.file_type', 'u32', 1)], [f32('a', [32, 3]), f32('b', [64])]);

async function failure(bytes: Uint8Array): Promise<ToolError> {
  try {
    await readGguf(memorySource(bytes), { title: 'model.gguf' });
  } catch (thrown) {
    if (ToolError.isInstance(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('did not fail');
}

function changed(change: (view: DataView, bytes: Uint8Array) => void): Uint8Array {
  const bytes = sample().slice();
  change(new DataView(bytes.buffer), bytes);
  return bytes;
}

describe('GGUF round trip', () => {
  it('keeps every value type and tensor', async () => {
    const pairs = [
      ...basics,
      pair('u8', 'u8', 255),
      pair('i8', 'i8', -128),
      pair('u16', 'u16', 65535),
      pair('i16', 'i16', -2),
      pair('u32', 'u32', 4294967295),
      pair('i32', 'i32', -3),
      pair('f32', 'f32', 0.5),
      pair('bool', 'bool', true),
      pair('text', 'string', 'é\u0000🙂'),
      pair('u64', 'u64', 2n ** 63n),
      pair('i64', 'i64', -5),
      pair('f64', 'f64', Math.PI),
      pair('list', 'i32', [1, 2, 3]),
      pair('words', 'string', ['a', '']),
      pair('none', 'string', []),
    ];
    const file = await readGguf(memorySource(writeGguf(pairs, [f32('w', [32, 2, 3])])));
    for (const { key, value } of pairs) expect(file.metadata.get(key)).toEqual(value);
    expect(file.tensors).toEqual([
      { name: 'w', dimensions: [32, 2, 3], type: 'F32', elements: 192, sizeBytes: 768, offset: file.dataOffset },
    ]);
    expect(file.dataOffset % 32).toBe(0);
  });

  it('walks over large arrays unless they are wanted, whatever the chunk borders', async () => {
    const words = Array.from({ length: 80_000 }, (_, index) => `token-${index}`);
    const bytes = writeGguf(
      [
        ...basics,
        pair('tokenizer.ggml.tokens', 'string', words),
        pair(
          'scores',
          'f32',
          words.map((_, index) => index),
        ),
        pair('last', 'u32', 7),
      ],
      [],
    );
    const skipped = await readGguf(memorySource(bytes));
    expect(skipped.metadata.get('tokenizer.ggml.tokens')).toEqual({ kind: 'skipped', elementType: 'string', length: 80_000 });
    expect(skipped.metadata.get('last')).toBe(7);
    const kept = await readGguf(memorySource(bytes), { keepArray: () => true });
    expect(kept.metadata.get('tokenizer.ggml.tokens')).toEqual(words);
    expect(ggufFacts([skipped])).toMatchObject({ vocabularySize: 80_000, kind: 'vocabulary' });
  });

  it('reads through a source that gives the bytes piece by piece, never more than a chunk at once', async () => {
    const bytes = sample();
    let largest = 0;
    const source: ByteSource = {
      sizeBytes: bytes.length,
      read: async (offset, length) => {
        largest = Math.max(largest, length);
        return bytes.subarray(offset, offset + length);
      },
    };
    expect((await readGguf(source)).tensors).toHaveLength(2);
    expect(largest).toBeLessThanOrEqual(1 << 20);
  });
});

describe('damaged and foreign files', () => {
  it.each<[string, Uint8Array, string, RegExp]>([
    ['empty', new Uint8Array(0), 'integrity', /too short/u],
    ['a web page', new TextEncoder().encode('<!doctype html><html><body>Not found</body></html>'), 'integrity', /not a GGUF file/u],
    ['big-endian', changed((view) => view.setUint32(4, 3, false)), 'unsupported', /big-endian/u],
    ['version 1', changed((view) => view.setUint32(4, 1, true)), 'unsupported', /version 1/u],
    ['version 4', changed((view) => view.setUint32(4, 4, true)), 'unsupported', /version 4/u],
    ['absurd tensor count', changed((view) => view.setBigUint64(8, 2n ** 40n, true)), 'integrity', /cannot fit/u],
    ['impossible metadata count', changed((view) => view.setBigUint64(16, 2n ** 64n - 1n, true)), 'integrity', /absurd/u],
    ['absurd key length', changed((view) => view.setBigUint64(24, 2n ** 33n, true)), 'integrity', /at most 65535/u],
    ['cut off weights', sample().slice(0, -100), 'integrity', /cut off: tensor "b"/u],
    ['unknown tensor type', writeGgufWithType(77), 'unsupported', /unknown type 77/u],
  ])('%s', async (_name, bytes, code, message) => {
    const error = await failure(bytes);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('fails with a ToolError wherever the file is cut', async () => {
    const bytes = sample();
    for (let length = 0; length < bytes.length - 32; length += 7) expect((await failure(bytes.subarray(0, length))).code).toBe('integrity');
  });

  it('answers or fails with a ToolError on any damage, without hanging', async () => {
    const bytes = sample();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 }), async (edits) => {
        const damaged = bytes.slice();
        for (const [at, value] of edits) damaged[at] = value;
        try {
          ggufFacts([await readGguf(memorySource(damaged))]);
        } catch (thrown) {
          if (!ToolError.isInstance(thrown)) throw thrown;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('shows hostile names escaped', async () => {
    const key = '\u001b[2J\u001b]52;c;ZWNobw==\u0007';
    const cut = writeGguf([...basics, pair(key, 'u64', 1)], []);
    const error = await failure(cut.subarray(0, cut.length - (cut.length % 32) - 36));
    const twins = await failure(writeGguf([...basics, pair(key, 'u8', 1), pair(key, 'u8', 1)], []));
    for (const { message } of [error, twins]) expect(message).not.toMatch(/[\u0000-\u001f]/u);
    expect(twins.message).toContain('\\u001b[2J');
  });

  it('refuses twins, nested arrays and arrays larger than the file', async () => {
    expect((await failure(writeGguf([...basics, ...basics], []))).message).toContain('appears twice');
    expect((await failure(writeGguf(basics, [f32('a', [4]), f32('a', [4])]))).message).toContain('appears twice');
    const claims = writeGguf([...basics, pair('x', 'u8', new Array(40).fill(9))], []);
    const view = new DataView(claims.buffer);
    const key = findArray(claims);
    view.setBigUint64(key + 8, 2n ** 45n, true);
    expect((await failure(claims)).message).toContain('more than the file can hold');
    view.setUint32(key + 4, 9, true);
    expect((await failure(claims)).message).toContain('array of arrays');
  });
});

/** Offset of the value type of the pair "x". */
function findArray(bytes: Uint8Array): number {
  const marker = Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 'x'.charCodeAt(0)]);
  return Buffer.from(bytes).indexOf(marker) + marker.length;
}

function writeGgufWithType(type: number): Uint8Array {
  const bytes = writeGguf(basics, [f32('odd', [32])]);
  const at = Buffer.from(bytes).indexOf('odd') + 3 + 4 + 8;
  new DataView(bytes.buffer).setUint32(at, type, true);
  return bytes;
}

describe('ggufFacts', () => {
  it('counts parameters, bits per weight and types from the tensors', async () => {
    const q8 = { name: 'q', dimensions: [64, 2], type: 'Q8_0', data: new Float32Array(128).map((_, i) => Math.sin(i)) };
    const facts = ggufFacts([await readGguf(memorySource(writeGguf(basics, [q8, f32('n', [64])])))]);
    expect(facts).toMatchObject({
      parameters: 192,
      tensorBytes: 136 + 256,
      quantisation: 'Q8_0',
      kind: 'model',
      attention: null,
      trainedContext: null,
    });
    expect(facts.bitsPerWeight).toBeCloseTo((392 * 8) / 192, 10);
    expect(facts.tensorTypes['Q8_0']).toEqual({ tensors: 1, elements: 128, sizeBytes: 136 });
  });

  it('reads the attention shape, heads per layer included', async () => {
    const pairs = [
      ...basics,
      pair('llama.block_count', 'u32', 2),
      pair('llama.embedding_length', 'u32', 64),
      pair('llama.attention.head_count', 'u32', 4),
      pair('llama.attention.head_count_kv', 'u32', [2, 1]),
      pair('llama.attention.sliding_window', 'u32', 512),
    ];
    const { attention } = ggufFacts([await readGguf(memorySource(writeGguf(pairs, [f32('a', [4])])))]);
    expect(attention).toMatchObject({ layers: 2, keyValueHeads: [2, 1], keyLength: 16, valueLength: 16, slidingWindow: 512 });
  });

  it('names what a file without weights is', async () => {
    const vocabulary = ggufFacts([await readGguf(memorySource(writeGguf(basics, [])))]);
    expect(() => requireModel(vocabulary, 'v.gguf')).toThrow(/vocabulary but no weights/u);
    const adapter = ggufFacts([
      await readGguf(memorySource(writeGguf([...basics, pair('general.type', 'string', 'adapter')], [f32('a', [4])]))),
    ]);
    expect(() => requireModel(adapter, 'l.gguf')).toThrow(/--adapter/u);
  });

  it('checks split files against each other', async () => {
    const part = async (index: number, count: number) =>
      readGguf(
        memorySource(
          writeGguf(
            [...basics, pair('split.no', 'u16', index), pair('split.count', 'u16', count), pair('split.tensors.count', 'i32', 2)],
            [f32(`t${index}`, [8])],
          ),
        ),
      );
    const [first, second] = [await part(0, 2), await part(1, 2)];
    expect(ggufFacts([first, second]).parameters).toBe(16);
    expect(() => ggufFacts([first])).toThrow(/split into 2 files, 1 found/u);
    expect(() => ggufFacts([second, first])).toThrow(/calls itself part/u);
    expect(splitFileNames('m-Q4-00002-of-00003.gguf')).toEqual([
      'm-Q4-00001-of-00003.gguf',
      'm-Q4-00002-of-00003.gguf',
      'm-Q4-00003-of-00003.gguf',
    ]);
    expect(splitFileNames('m.gguf')).toEqual(['m.gguf']);
  });
});
