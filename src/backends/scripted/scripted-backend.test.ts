// The scripted backend: matching, limits, failures on demand, clear complaints, and speed.
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../core/digest.ts';
import { ToolError } from '../../core/errors.ts';
import { defaultGenerationSettings, type GenerateRequest, type GenerationSettings } from '../../core/generation.ts';
import type { ModelFacts } from '../../core/model.ts';
import { parseScript } from './script.ts';
import { scriptedBackend } from './scripted-backend.ts';

const facts = { digest: null, digestKind: 'script', file: 's.json' } as unknown as ModelFacts;
const open = (rules: readonly unknown[], header: object = {}, options = {}, hooks = {}) =>
  scriptedBackend(parseScript(JSON.stringify({ ...header, rules }), 's.json'), facts, options, hooks);
const ask = (text: string, settings: Partial<GenerationSettings> = {}): GenerateRequest => ({
  prompt: {
    kind: 'chat',
    messages: [
      { role: 'system', content: 'sys' },
      { role: 'user', content: text },
    ],
  },
  settings: { ...defaultGenerationSettings, ...settings },
});

async function failure(work: Promise<unknown> | (() => unknown)): Promise<ToolError> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (thrown) {
    if (ToolError.isInstance(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('did not fail');
}

describe('rules', () => {
  it('match by call, text, hash, part and pattern, in that order', async () => {
    const backend = open([
      { pattern: '^\\d+$', text: 'number' },
      { contains: 'sky', text: 'blue' },
      { equals: 'the sky', text: 'exact' },
      { sha256: sha256Hex('secret'), text: 'hashed' },
      { call: 6, text: 'sixth' },
      { echo: true },
    ]);
    const answers = [];
    for (const text of ['12', 'a sky', 'the sky', 'secret', 'other', 'the sky']) answers.push((await backend.generate(ask(text))).text);
    expect(answers).toEqual(['number', 'blue', 'exact', 'hashed', 'other', 'sixth']);
  });

  it('apply stop strings and the token limit as a real backend does', async () => {
    const backend = open([{ text: 'one two\nthree four' }]);
    expect(await backend.generate(ask('x', { stop: ['\n', 'three'] }))).toMatchObject({ text: 'one two', finishReason: 'stop-string' });
    expect(await backend.generate(ask('x', { maxTokens: 3 }))).toMatchObject({
      text: 'one two\nthree',
      finishReason: 'length',
      usage: { completionTokens: 3, promptTokens: 2 },
    });
    expect(await backend.generate(ask('x', { maxTokens: 4 }))).toMatchObject({ finishReason: 'stop' });
  });

  it('keep reasoning on its own channel and report the given counts', async () => {
    const backend = open([
      { reasoning: 'let me think', text: 'A', usage: { completionTokens: 9, cachedTokens: 3 }, finishReason: 'length' },
    ]);
    const parts: string[] = [];
    const generation = await backend.generate(ask('x'), { onPart: (part) => parts.push(part.kind) });
    expect(generation).toMatchObject({
      text: 'A',
      reasoning: 'let me think',
      finishReason: 'length',
      usage: { completionTokens: 9, cachedTokens: 3, reasoningTokens: 3 },
    });
    expect(parts).toEqual(['reasoning', 'text', 'finish']);
  });

  it('score by table, list or rule', async () => {
    const request = { prompt: { kind: 'text', text: 'q' }, choices: [{ continuation: ' a' }, { continuation: ' b c' }] } as const;
    const score = async (scores: unknown) => (await open([{ scores }]).score(request)).choices.map((choice) => choice.logprob);
    expect(await score({ ' a': -1, ' b c': -2 })).toEqual([-1, -2]);
    expect(await score([-3, -0.1])).toEqual([-3, -0.1]);
    expect(await score('length')).toEqual([-2, -4]);
    expect(await score('hash')).toEqual(await score('hash'));
    expect((await failure(score({ ' a': -1 }))).message).toContain('no score for choice 2, " b c"');
  });
});

describe('failures on demand', () => {
  it('reject with the wanted code', async () => {
    for (const code of ['backend', 'transport', 'timeout', 'context-overflow'] as const) {
      expect((await failure(open([{ fail: { code } }]).generate(ask('x')))).code).toBe(code);
    }
  });

  it('crash at the n-th call, once, and tell the listener', async () => {
    const restarts: string[] = [];
    const backend = open([{ call: 2, crash: true }, { text: 'ok' }], {}, {}, { onRestart: (reason: string) => restarts.push(reason) });
    expect((await backend.generate(ask('1'))).text).toBe('ok');
    expect(await failure(backend.generate(ask('2')))).toMatchObject({ code: 'backend', isRetryable: true });
    expect((await backend.generate(ask('3'))).text).toBe('ok');
    expect(restarts).toHaveLength(1);
  });

  it('take their time, respect the request timeout and can be cancelled', async () => {
    const slow = open([{ text: 'ok', ttftMs: 10, latencyMs: 40 }]);
    const { timing } = await slow.generate(ask('x'));
    expect(timing.ttftMs).toBeGreaterThanOrEqual(8);
    expect(timing.totalMs).toBeGreaterThanOrEqual(36);
    expect((await failure(open([{ text: 'ok', latencyMs: 5000 }], {}, { requestTimeoutMs: 20 }).generate(ask('x')))).code).toBe('timeout');
    const controller = new AbortController();
    const running = open([{ text: 'ok', latencyMs: 5000 }]).generate(ask('x'), { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    expect((await failure(running)).code).toBe('interrupted');
  });

  it('refuse an over-long prompt, an unmatched prompt and work after close', async () => {
    const backend = open([{ equals: 'a', text: 'b' }], { contextTokens: 3 });
    expect((await failure(backend.generate(ask('one two three four')))).code).toBe('backend');
    expect((await failure(open([{ text: 'b' }], { contextTokens: 3 }).generate(ask('one two three')))).code).toBe('context-overflow');
    await backend.close();
    expect((await failure(backend.generate(ask('a')))).message).toContain('closed');
  });
});

describe('bad scripts', () => {
  it.each([
    ['{"rules": [\n {"text": "a"},\n {"txt": "b"}\n]}', 's.json', 3, /unknown key "txt"/u],
    ['{"rules": [\n {"text": "a",}\n]}', 's.json', 2, /not valid JSON/u],
    ['{"text": "a"}\n\n{"text": 1}\n', 's.jsonl', 3, /text: /u],
    ['{"text": "a"}\n{oops}\n', 's.jsonl', 2, /not valid JSON/u],
    ['{"equals": "a", "contains": "b", "text": "c"}', 's.jsonl', 1, /by equals and contains/u],
    ['{"text": "c", "echo": true}', 's.jsonl', 1, /one of text, echo/u],
    ['{"equals": "a"}', 's.jsonl', 1, /answers nothing/u],
    ['{"pattern": "(", "text": "c"}', 's.jsonl', 1, /regular expression/u],
    ['{"rules": []}', 's.json', undefined, /no rules/u],
    ['[]', 's.json', 1, /list "rules"/u],
    ['{"script": {"nam": "x"}}\n{"text": "a"}', 's.jsonl', 1, /unknown key "nam"/u],
  ])('%s', async (text, file, line, message) => {
    const error = await failure(() => parseScript(text, file));
    expect(error.code).toBe('config');
    expect(error.message).toMatch(message);
    expect(error.location?.line).toBe(line);
  });

  it('reads a header line and defaults', () => {
    const script = parseScript(
      '{"script": {"name": "n", "defaults": {"latencyMs": 5}}}\n{"text": "a"}\n{"text": "b", "latencyMs": 1}\n',
      's.jsonl',
    );
    expect(script).toEqual({
      name: 'n',
      contextTokens: null,
      rules: [
        { latencyMs: 5, text: 'a' },
        { latencyMs: 1, text: 'b' },
      ],
    });
  });
});

it('costs less than 30 microseconds a call with 100,000 rules', async () => {
  const rules = Array.from({ length: 100_000 }, (_, index) => ({ equals: `question ${index}`, text: `answer ${index}` }));
  const backend = scriptedBackend({ name: null, contextTokens: null, rules }, facts);
  const cost = async () => {
    const startMs = performance.now();
    for (let index = 0; index < 20_000; index++) await backend.generate(ask(`question ${index}`));
    return ((performance.now() - startMs) / 20_000) * 1000;
  };
  // The best of a few rounds: a shared machine makes single timings mean little.
  const costs = [await cost(), await cost(), await cost(), await cost()];
  expect(Math.min(...costs)).toBeLessThan(30);
});
