// What -m accepts, and what it says about everything else.
import { describe, expect, it } from 'vitest';
import { ToolError } from '../core/errors.ts';
import { parseModelReference } from './model-reference.ts';
import { modelRegistry } from './model-registry.ts';

const { names } = modelRegistry();
const parse = (text: string) => parseModelReference(text, names);

function failure(text: string): ToolError {
  try {
    parse(text);
  } catch (thrown) {
    if (ToolError.isInstance(thrown)) return thrown;
  }
  throw new Error(`${text} did not fail`);
}

describe('parseModelReference', () => {
  it.each([
    ['smollm2-135m', { kind: 'registry', name: 'smollm2-135m' }],
    ['SmolLM2-135M:Q8_0', { kind: 'registry', name: 'smollm2-135m', variant: 'q8_0' }],
    ['toy:context', { kind: 'registry', name: 'toy', variant: 'context' }],
    ['./m.gguf', { kind: 'file', path: './m.gguf' }],
    ['m with spaces ü.GGUF', { kind: 'file', path: 'm with spaces ü.GGUF' }],
    ['C:\\models\\m.gguf', { kind: 'file', path: 'C:\\models\\m.gguf' }],
    ['~/m.gguf', { kind: 'file', path: '~/m.gguf' }],
    ['file:a.bin', { kind: 'file', path: 'a.bin' }],
    ['hf:o/r-GGUF:Q4_K_M', { kind: 'hf', repository: 'o/r-GGUF', quantisation: 'Q4_K_M' }],
    ['hf:o/r/sub/f.gguf', { kind: 'hf', repository: 'o/r', file: 'sub/f.gguf' }],
    ['hf:o/r@v1.0/f.gguf', { kind: 'hf', repository: 'o/r', revision: 'v1.0', file: 'f.gguf' }],
    ['hf:o/r@abc123:Q8_0', { kind: 'hf', repository: 'o/r', revision: 'abc123', quantisation: 'Q8_0' }],
    ['hf:o/r', { kind: 'hf', repository: 'o/r' }],
    ['ollama:phi3:mini', { kind: 'ollama', tag: 'phi3:mini' }],
    ['ollama:hf.co/o/r:Q4_K_M@http://h:11434', { kind: 'ollama', tag: 'hf.co/o/r:Q4_K_M', url: 'http://h:11434' }],
    ['openai:org/model@1@http://h:8080/v1', { kind: 'openai', model: 'org/model@1', url: 'http://h:8080/v1' }],
    ['transformers:./dir', { kind: 'transformers', path: './dir' }],
    ['scripted:a.jsonl', { kind: 'scripted', path: 'a.jsonl' }],
  ])('%s', (text, expected) => {
    expect(JSON.parse(JSON.stringify(parse(text)))).toEqual(expected);
  });

  it.each([
    ['smolm2-135m', 'not-found', 'did you mean "smollm2-135m"?'],
    ['qwen3-0.6', 'not-found', 'did you mean "qwen3-0.6b"?'],
    ['toy:contxt', 'not-found', 'toy:context'],
    ['smollm2-135m:q9', 'not-found', 'smollm2-135m'],
    ['oai:x@http://h', 'usage', 'known: file:, hf:, ollama:, openai:, transformers:, scripted:'],
    ['olama:x', 'usage', 'did you mean "ollama:"?'],
    ['owner/repo', 'not-found', 'hf:owner/repo'],
    ['https://h/v1', 'usage', 'openai:MODEL@https://h/v1'],
    ['openai:m', 'usage', 'openai:MODEL@'],
    ['openai:@http://h', 'usage', 'openai:MODEL@'],
    ['hf:repo', 'usage', 'hf:owner/repo'],
    ['hf:o/r/model.bin', 'usage', '.gguf'],
    ['hf:o/r/../x.gguf', 'usage', '.gguf'],
    ['ollama:', 'usage', 'ollama:TAG'],
    ['ollama:a b', 'usage', 'ollama:TAG'],
    ['scripted:', 'usage', 'scripted:FILE'],
    ['', 'usage', 'a registry name'],
  ])('%s fails with %s', (text, code, hint) => {
    const error = failure(text);
    expect(error.code).toBe(code);
    expect(error.hint).toContain(hint);
  });
});

describe('modelRegistry', () => {
  it('has unique names, the tutorial keys, and parameters that can be read', () => {
    const { entries } = modelRegistry();
    const all = entries.flatMap((entry) => [entry.name, ...entry.aliases]);
    expect(new Set(all).size).toBe(all.length);
    for (const key of ['phi3-mini', 'qwen2.5-3b', 'gemma2-2b', 'llama3.2-3b', 'smollm2-1.7b']) {
      expect(modelRegistry().find(key)).toMatchObject({
        ollamaTag: expect.any(String),
        strengths: expect.any(String),
        weaknesses: expect.any(String),
        bestUse: expect.any(String),
      });
    }
  });

  it('lets a user entry replace a built-in one, and refuses two of one name', () => {
    const mine = { ...modelRegistry().find('toy'), name: 'smollm2-135m', aliases: [], title: 'Mine' };
    expect(modelRegistry([mine]).find('smollm2-135m').title).toBe('Mine');
    expect(modelRegistry([mine]).entries.filter((entry) => entry.name === 'smollm2-135m')).toHaveLength(1);
    expect(() => modelRegistry([mine, mine])).toThrow(/two models/u);
    expect(() => modelRegistry().find('smolm2-135m')).toThrow(/unknown model/u);
  });
});
