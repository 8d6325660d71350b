// The engine on a real small quantised model: sharing against full passes, concurrency, counts against llama.cpp's own, chat.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineCounters } from '../../src/backends/llama/llama-backend.ts';
import type { ChoiceScore, ScoreRequest } from '../../src/core/generation.ts';
import type { Backend } from '../../src/core/ports/backend.ts';
import { noRealModel, openModel, realModelPath, settings, textPrompt, userPrompt } from './llama-fixtures.ts';

const path = realModelPath();
/**
 * llama.cpp rounds activations to 8 bits, which turns the order of a sum into a difference: another batch shape moves a score
 * on Q4_1 weights by about this, nats a token (single tokens up to 0.41 were seen).
 */
const meanShapeNoise = 0.2;
const largestShapeNoise = 1;

const shots = [
  ['What do plants take in from the air?', 'carbon dioxide'],
  ['Which organ pumps blood?', 'the heart'],
  ['What is frozen water called?', 'ice'],
  ['Which planet is closest to the sun?', 'Mercury'],
  ['What force pulls objects to the ground?', 'gravity'],
]
  .map(([question, answer]) => `Question: ${question}\nAnswer: ${answer}\n\n`)
  .join('');
const questions = [
  ['What gas do people breathe in to live?', [' oxygen', ' helium', ' carbon monoxide', ' neon gas']],
  ['Which animal is a mammal?', [' a whale', ' a trout', ' a lizard', ' a bee']],
  ['What do bees make?', [' honey', ' milk', ' steel', ' paper money']],
  ['What is the capital of France?', [' Paris', ' London', ' Berlin', ' Madrid']],
  ['Which of these is a liquid at room temperature?', [' water', ' iron', ' oxygen', ' wood']],
  ['What do we call a baby dog?', [' a puppy', ' a kitten', ' a calf', ' a foal']],
  ['How many legs does a spider have?', [' eight', ' six', ' four', ' two']],
  ['What is the largest ocean?', [' the Pacific', ' the Atlantic', ' the Arctic', ' the Indian Ocean']],
] as const;
const requestOf = ([question, choices]: (typeof questions)[number], header = ''): ScoreRequest => ({
  prompt: textPrompt(`${header}Question: ${question}\nAnswer:`),
  choices: choices.map((continuation) => ({ continuation })),
});
const best = (scores: readonly ChoiceScore[]) =>
  scores.reduce((winner, score, index) => (score.logprob > scores[winner]!.logprob ? index : winner), 0);

describe.skipIf(path === undefined)(`SmolLM2-135M-Instruct${path === undefined ? ` (skipped: ${noRealModel})` : ''}`, () => {
  let backend: Backend;
  let exactBackend: Backend;
  beforeAll(async () => {
    backend = await openModel(path!);
    exactBackend = await openModel(path!, { deterministic: true, contextTokens: 1024 });
  });
  afterAll(async () => {
    await backend?.close();
    await exactBackend?.close();
  });

  it('scores shared and batched as it scores alone, each choice by a full pass', async () => {
    const together = await Promise.all(questions.map((question) => backend.score(requestOf(question))));
    const differences: number[] = [];
    for (const [index, question] of questions.entries()) {
      const { prompt, choices } = requestOf(question);
      for (const [place, choice] of choices.entries()) {
        const alone = (await exactBackend.score({ prompt, choices: [choice] })).choices[0]!;
        const shared = together[index]!.choices[place]!;
        differences.push(Math.abs(shared.logprob - alone.logprob) / alone.tokens);
        expect(shared.tokens).toBe(alone.tokens);
      }
    }
    expect(Math.max(...differences)).toBeLessThan(largestShapeNoise);
    expect(differences.reduce((sum, value) => sum + value, 0) / differences.length).toBeLessThan(meanShapeNoise);
    expect(together.filter(({ choices }) => best(choices) === 0).length).toBeGreaterThanOrEqual(5);
  });

  it('gives bit-equal scores one at a time and eight at once when deterministic', async () => {
    const few = questions.slice(0, 4);
    const serial = [];
    for (const question of few) serial.push(await exactBackend.score(requestOf(question)));
    const parallel = await Promise.all(few.map((question) => exactBackend.score(requestOf(question))));
    expect(parallel.map(({ choices }) => choices)).toEqual(serial.map(({ choices }) => choices));
  });

  it.each([1, 8])('computes the few-shot header once and at most 1.05 times the unique tokens, %i at a time', async (concurrency) => {
    const fresh = await openModel(path!);
    const requests = questions.map((question) => requestOf(question, shots));
    const unique = await countUnique(fresh, requests);
    const before = await engineCounters(fresh);
    let computed = 0;
    for (let from = 0; from < requests.length; from += concurrency) {
      const results = await Promise.all(requests.slice(from, from + concurrency).map((request) => fresh.score(request)));
      computed += results.reduce((sum, { usage }) => sum + usage.computedTokens!, 0);
    }
    const after = await engineCounters(fresh);
    await fresh.close();
    expect(after.llamaEvaluatedTokens - before.llamaEvaluatedTokens).toBe(computed);
    expect(computed).toBeGreaterThanOrEqual(unique);
    expect(computed / unique).toBeLessThanOrEqual(1.05);
  });

  it('answers a chat, with the prompt as the template writes it', async () => {
    const prompt = userPrompt('Answer in one word: what colour is the sky on a clear day?');
    const { tokens, text } = await backend.render(prompt);
    expect(text).toMatch(/^<\|im_start\|>system\n.*<\|im_start\|>assistant\n$/su);
    expect(tokens!.filter((token) => token === 1)).toHaveLength(3);
    const answer = await backend.generate({ prompt, settings: settings({ maxTokens: 24 }) });
    expect(answer.text.length).toBeGreaterThan(0);
    expect(['stop', 'length']).toContain(answer.finishReason);
    const again = await backend.generate({ prompt, settings: settings({ maxTokens: 24 }) });
    expect(again.usage.cachedTokens).toBe(tokens!.length - 1);
  });

  it('measures raw speed', async () => {
    const { prefillTokensPerSecond, decodeTokensPerSecond } = await backend.bench({
      promptTokens: 64,
      generatedTokens: 8,
      depth: 16,
      repetitions: 2,
    });
    for (const rate of [...prefillTokensPerSecond, ...decodeTokensPerSecond]) expect(rate).toBeGreaterThan(0.1);
    expect(prefillTokensPerSecond).toHaveLength(2);
  });
});

/** Distinct token prefixes that must be evaluated, from the rendered ids alone. */
async function countUnique(backend: Backend, requests: readonly ScoreRequest[]): Promise<number> {
  const seen = new Set<string>();
  for (const { prompt, choices } of requests) {
    if (prompt.kind !== 'text') continue;
    for (const { continuation } of choices) {
      const { tokens } = await backend.render(textPrompt(prompt.text + continuation));
      let key = '';
      for (const token of tokens!.slice(0, -1)) seen.add((key += `${token},`));
    }
  }
  return seen.size;
}
