// From a reference to an open-able model: digests, facts, hub choices, and files that cannot be models.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sha256Hex } from '../core/digest.ts';
import { ToolError } from '../core/errors.ts';
import { modelEntrySchema } from '../core/model.ts';
import { writeGguf } from '../formats/gguf-writer.ts';
import { toyModelBytes } from '../formats/toy-model.ts';
import { builtinModels } from './builtin-models.ts';
import { estimateEntryMemoryBytes, estimateMemoryBytes, instancesThatFit, parseParameters } from './estimate-memory.ts';
import { chooseFile } from './hub-model-file.ts';
import { type ResolveContext, resolveModel } from './resolve-model.ts';

let folder: string;
let context: ResolveContext;
const toyBytes = toyModelBytes();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slmbench models ü '));
  context = { cacheDirectory: join(folder, 'cache'), offline: true };
  await writeFile(join(folder, 'toy.gguf'), toyBytes);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function failure(work: Promise<unknown>): Promise<ToolError> {
  const thrown = await work.then(
    () => new Error('did not fail'),
    (error: unknown) => error,
  );
  if (ToolError.isInstance(thrown)) return thrown;
  throw thrown;
}

describe('resolveModel', () => {
  it('generates the toy model under its name, offline, with facts from the file', async () => {
    const model = await resolveModel('toy', context);
    expect(model).toMatchObject({
      key: 'toy',
      backendKind: 'llama',
      servedBy: 'builtin:toy',
      facts: { digest: sha256Hex(toyBytes), vocabularySize: 260, architecture: 'llama' },
    });
    const other = await resolveModel('toy:context', context);
    expect(other.facts.digest).not.toBe(model.facts.digest);
    expect((await resolveModel('toy:bigram', context)).facts.digest).toBe(model.facts.digest);
  });

  it('reads a file, never its name', async () => {
    const path = join(folder, 'Huge-70B-Q2_K.gguf');
    await writeFile(path, toyBytes);
    expect(await resolveModel(path, context)).toMatchObject({
      key: 'Huge-70B-Q2_K',
      title: 'slmbench toy',
      facts: { quantisation: 'F32', parameters: 1_351_872, digestKind: 'sha256' },
    });
  });

  it('opens all parts of a split model and digests them together', async () => {
    const meta = (index: number) => [
      { key: 'general.architecture', type: 'string', value: 'llama' } as const,
      { key: 'split.no', type: 'u16', value: index } as const,
      { key: 'split.count', type: 'u16', value: 2 } as const,
    ];
    const paths = [1, 2].map((part) => join(folder, `m-0000${part}-of-00002.gguf`));
    for (const [index, path] of paths.entries()) {
      await writeFile(path, writeGguf(meta(index), [{ name: `t${index}`, dimensions: [8], type: 'F32', data: new Float32Array(8) }]));
    }
    const model = await resolveModel(paths[1]!, context);
    expect(model).toMatchObject({ path: paths[0], key: 'm', facts: { parameters: 16 } });
    await rm(paths[1]!);
    expect((await failure(resolveModel(paths[0]!, context))).code).toBe('not-found');
  });

  it.each<[string, () => Uint8Array, string, RegExp]>([
    ['truncated', () => toyBytes.subarray(0, 1_000_000), 'integrity', /cut off/u],
    [
      'vocabulary only',
      () =>
        writeGguf(
          [
            { key: 'general.architecture', type: 'string', value: 'llama' },
            { key: 'tokenizer.ggml.model', type: 'string', value: 'gpt2' },
          ],
          [],
        ),
      'unsupported',
      /no weights/u,
    ],
    ['text', () => new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\n'), 'integrity', /not a GGUF/u],
  ])('refuses a %s file', async (name, bytes, code, message) => {
    const path = join(folder, `${name}.gguf`);
    await writeFile(path, bytes());
    const error = await failure(resolveModel(path, context));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('says what to do about missing files and directories', async () => {
    expect(await failure(resolveModel(join(folder, 'missing.gguf'), context))).toMatchObject({ code: 'not-found' });
    expect((await failure(resolveModel(`${folder}/`, context))).hint).toContain('transformers:');
    expect(await failure(resolveModel(`scripted:${folder}/no.json`, context))).toMatchObject({ code: 'not-found' });
    expect(await failure(resolveModel(`transformers:${folder}`, context))).toMatchObject({ code: 'not-found' });
  });

  it('describes servers, scripts and directories without opening them', async () => {
    expect(await resolveModel('openai:m@http://user:pw@localhost:1/v1?api_key=s3cret', context)).toMatchObject({
      backendKind: 'openai',
      serverModel: 'm',
      url: 'http://user:pw@localhost:1/v1?api_key=s3cret',
      reference: expect.not.stringContaining('s3cret'),
    });
    expect(await resolveModel('ollama:phi3:mini', context)).toMatchObject({ backendKind: 'ollama', key: 'phi3:mini', path: null });
    const script = join(folder, 'answers.jsonl');
    await writeFile(script, '{"text":"x"}\n');
    expect(await resolveModel(`scripted:${script}`, context)).toMatchObject({
      backendKind: 'scripted',
      key: 'answers',
      facts: { digestKind: 'script', digest: sha256Hex('{"text":"x"}\n') },
    });
    await mkdir(join(folder, 'model-dir'));
    await writeFile(join(folder, 'model-dir', 'config.json'), '{}');
    expect(await resolveModel(`transformers:${folder}/model-dir`, context)).toMatchObject({
      backendKind: 'transformers',
      key: 'model-dir',
    });
  });

  it('takes a model of the tutorial from Ollama where that has it, else from its file; offline asks nobody', async () => {
    const asked: string[] = [];
    const fetchFile: ResolveContext['fetchFile'] = async () => {
      throw new ToolError('unavailable', 'no file today');
    };
    const at = (isThere: boolean, offline = false): ResolveContext => ({
      ...context,
      offline,
      fetchFile,
      isInOllama: async (tag) => {
        asked.push(tag);
        return isThere;
      },
    });
    const model = await resolveModel('phi3-mini', at(true));
    expect(model).toMatchObject({ key: 'phi3-mini', backendKind: 'ollama', serverModel: 'phi3:mini', reference: 'phi3-mini', path: null });
    expect((await failure(resolveModel('phi3-mini', at(false)))).message).toBe('no file today');
    expect((await failure(resolveModel('phi3-mini', at(true, true)))).message).toBe('no file today');
    expect((await failure(resolveModel('qwen3-0.6b', at(true)))).message).toBe('no file today');
    expect(asked).toEqual(['phi3:mini', 'phi3:mini']);
  });

  it('offline, asks servers of this machine only', async () => {
    expect((await failure(resolveModel('openai:m@http://box.example/v1', context))).code).toBe('unavailable');
    expect((await failure(resolveModel('ollama:m@http://192.0.2.7:11434', context))).code).toBe('unavailable');
    expect(await resolveModel('openai:m@http://localhost:1/v1', context)).toMatchObject({ backendKind: 'openai' });
  });

  it('fetches a registry entry, and adds the licence page to a refusal', async () => {
    const served = {
      path: join(folder, 'toy.gguf'),
      sha256: 'x',
      sizeBytes: 1,
      servedBy: 'hf:a/b/c.gguf',
      fromCache: true,
      revision: 'abc',
    };
    const model = await resolveModel('qwen3-0.6b', { ...context, fetchFile: async () => served });
    expect(model).toMatchObject({ key: 'qwen3-0.6b', servedBy: 'hf:a/b/c.gguf', facts: { revision: 'abc' } });
    const refused = resolveModel('gemma3-1b', {
      ...context,
      fetchFile: async () => {
        throw new ToolError('access', 'gated', { hint: 'set HF_TOKEN.' });
      },
    });
    expect((await failure(refused)).hint).toBe('set HF_TOKEN. licence: Gemma terms of use, https://ai.google.dev/gemma/terms');
  });

  it('chooses a hub file by quantisation and remembers the choice for offline runs', async () => {
    const asked: string[] = [];
    const hub: ResolveContext = {
      ...context,
      offline: false,
      listHubFiles: async () => ({
        commit: 'f'.repeat(40),
        files: ['m-Q4_K_M.gguf', 'm-Q8_0.gguf', 'README.md'].map((path) => ({ path, sizeBytes: 1 })),
      }),
      fetchFile: async ([source]) => {
        asked.push(source!.reference);
        return { path: join(folder, 'toy.gguf'), sha256: 'x', sizeBytes: 1, servedBy: source!.reference, fromCache: false };
      },
    };
    await resolveModel('hf:o/r:q8_0', hub);
    await resolveModel('hf:o/r:q8_0', { ...hub, offline: true });
    expect(asked).toEqual(Array(2).fill(`hf:o/r@${'f'.repeat(40)}/m-Q8_0.gguf`));
    expect((await failure(resolveModel('hf:o/r:Q5_K_M', hub))).hint).toContain('Q4_K_M, Q8_0');
    expect((await failure(resolveModel('hf:o/other:Q8_0', { ...hub, offline: true }))).code).toBe('unavailable');
  });
});

describe('chooseFile', () => {
  const reference = (quantisation?: string) => ({ kind: 'hf', repository: 'o/r', quantisation }) as const;
  const files = [
    'm.Q4_0.gguf',
    'sub/m-Q4_K_M-00002-of-00002.gguf',
    'sub/m-Q4_K_M-00001-of-00002.gguf',
    'm-BF16.gguf',
    'mmproj-F16.gguf',
    'm-IQ4_XS.gguf',
    'm-UD-Q2_K_XL.gguf',
  ];

  it('knows the ways people name quantisations', () => {
    expect(chooseFile(files, reference())).toBe('sub/m-Q4_K_M-00001-of-00002.gguf');
    expect(chooseFile(files, reference('q4_0'))).toBe('m.Q4_0.gguf');
    expect(chooseFile(files, reference('bf16'))).toBe('m-BF16.gguf');
    expect(chooseFile(files, reference('IQ4_XS'))).toBe('m-IQ4_XS.gguf');
    expect(chooseFile(['only.gguf'], reference())).toBe('only.gguf');
  });

  it('says what there is', () => {
    expect(() => chooseFile(files, reference('F16'))).toThrow(/has no F16 file/u);
    expect(() => chooseFile(['a.safetensors'], reference())).toThrow(/no GGUF file/u);
  });
});

describe('memory estimates', () => {
  it('grow with context and sequences by the size of the attention cache', async () => {
    const { gguf } = await resolveModel('toy', context);
    const small = estimateMemoryBytes(gguf!, 1000);
    expect(estimateMemoryBytes(gguf!, 2000) - small).toBe((288 + 288) * 2 * 1000);
    expect(estimateMemoryBytes(gguf!, 1000, 2) - small).toBe((288 + 288) * 2 * 1000);
    expect(small).toBeGreaterThan(gguf!.tensorBytes);
  });

  it('can be made for every built-in entry before download', () => {
    for (const entry of builtinModels) {
      expect(modelEntrySchema.safeParse(entry).success).toBe(true);
      expect(estimateEntryMemoryBytes(entry)).toBeGreaterThan(1e6);
    }
    const fits = (name: string) =>
      instancesThatFit(estimateEntryMemoryBytes(builtinModels.find((entry) => entry.name === name)!)!, 8 * 2 ** 30);
    expect(fits('smollm2-1.7b')).toBeGreaterThanOrEqual(4);
    expect(fits('qwen2.5-3b')).toBe(2);
    expect([parseParameters('135M'), parseParameters('3.8B'), parseParameters('many')]).toEqual([135e6, 3.8e9, null]);
  });
});
