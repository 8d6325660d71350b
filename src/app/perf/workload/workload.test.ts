import { expect, test } from 'vitest';
import { fakeBackend, fakeTokens, textOfPrompt } from '../__fixtures__/fake-backend.ts';
import { promptWorkload, textSetPrompts } from './prompt-workload.ts';
import { syntheticWorkload } from './synthetic-workload.ts';
import { textSets } from './text-sets.ts';
import { parseTrace } from './trace-workload.ts';

test('synthetic prompts have the exact number of tokens, and no two begin alike', async () => {
  const backend = fakeBackend();
  const workload = await syntheticWorkload({ backend, promptTokens: 128, outputTokens: 32, seed: 1, uniquePrefix: true });
  const prompts = [...(await workload.prepare(50, 'phase 1')), ...(await workload.prepare(50, 'phase 2'))];
  for (const { request, expectedPromptTokens } of prompts) {
    expect(fakeTokens(request.prompt)).toBe(128);
    expect(expectedPromptTokens).toBe(128);
    expect(request).toMatchObject({ ignoreEndOfText: true, settings: { maxTokens: 32 } });
  }
  const beginnings = prompts.map(({ request }) => textOfPrompt(request.prompt).split(' ').slice(0, 4).join(' '));
  expect(new Set(beginnings).size).toBe(100);
});

test('without a tokenizer the size is learnt from what the server counts', async () => {
  const fake = fakeBackend((_, prompt) => ({ usage: { promptTokens: Math.round(20 + 1.5 * (fakeTokens(prompt) - 1)) } }));
  const backend = { ...fake, capabilities: { ...fake.capabilities, tokenize: false } };
  const workload = await syntheticWorkload({ backend, promptTokens: 320, outputTokens: 8, seed: 1, uniquePrefix: true });
  const [first] = await workload.prepare(1, 'x');
  expect(fakeTokens(first!.request.prompt) - 1).toBe(200);
  expect(first!.expectedPromptTokens).toBe(320);
});

test('prompts of a set keep their digest whatever their nonce; the nonce stands first', async () => {
  const backend = fakeBackend();
  const make = (uniquePrefix: boolean) =>
    promptWorkload({
      kind: 'text',
      name: 'questions',
      prompts: textSetPrompts('questions'),
      backend,
      outputTokens: 8,
      seed: 1,
      uniquePrefix,
    });
  const [one] = await make(true).prepare(1, 'a');
  const [two] = await make(true).prepare(1, 'b');
  const [plain] = await make(false).prepare(1, 'a');
  expect(one!.promptDigest).toBe(two!.promptDigest);
  expect(one!.promptDigest).toBe(plain!.promptDigest);
  expect(textOfPrompt(one!.request.prompt).slice(0, 30)).not.toBe(textOfPrompt(two!.request.prompt).slice(0, 30));
  expect(textOfPrompt(plain!.request.prompt)).toBe(textSets['questions']![0]);
  expect(make(true).facts.digest).toBe(make(false).facts.digest);
  expect(() => textSetPrompts('question')).toThrow(expect.objectContaining({ hint: expect.stringContaining('questions') }));
});

test('traces: own and Mooncake lines, sorted, from zero; a bad line is named', () => {
  const text = '{"timestamp":2000,"input_length":100,"output_length":10,"hash_ids":[1]}\n{"atMs":1500,"promptTokens":5,"outputTokens":6}\n';
  expect(parseTrace(text, 't.jsonl')).toEqual([
    { atMs: 0, promptTokens: 5, outputTokens: 6, prompt: null },
    { atMs: 500, promptTokens: 100, outputTokens: 10, prompt: null },
  ]);
  expect(() => parseTrace('{"atMs":1}\n', 't.jsonl')).toThrow(expect.objectContaining({ location: { file: 't.jsonl', line: 1 } }));
  expect(() => parseTrace('\n', 't.jsonl')).toThrow(expect.objectContaining({ code: 'data' }));
});
