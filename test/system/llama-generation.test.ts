// Generation on the toy model: stop strings, characters cut by tokens, streaming, limits, samplers, grammars, cancellation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StreamPart } from '../../src/core/generation.ts';
import type { Backend } from '../../src/core/ports/backend.ts';
import { toyExpectation } from '../../src/formats/toy-expectation.ts';
import { makeFolder, openModel, removeFolder, settings, textPrompt, userPrompt, writeToyModel } from './llama-fixtures.ts';

const folder = makeFolder();
let backend: Backend;
beforeAll(async () => {
  backend = await openModel(writeToyModel(folder));
});
afterAll(async () => {
  await backend.close();
  removeFolder(folder);
});

const generate = (prompt: string, changes: Parameters<typeof settings>[0] = {}) =>
  backend.generate({ prompt: textPrompt(prompt), settings: settings({ maxTokens: 40, ...changes }) });

describe('the end of a text', () => {
  it('never shows a stop string, also when tokens cut it', async () => {
    const { text } = await generate('The ');
    const stop = text.slice(5, 9);
    const cut = await generate('The ', { stop: [stop, 'never there'] });
    expect(cut.text).toBe(text.slice(0, text.indexOf(stop)));
    expect(cut.finishReason).toBe('stop-string');
    expect(cut.usage.completionTokens).toBe(text.indexOf(stop) + stop.length);
  });

  it('tells the token limit from an end of turn', async () => {
    expect((await generate('The ', { maxTokens: 3 })).finishReason).toBe('length');
    const grammar = 'root ::= "a"';
    const ended = await backend.generate({ prompt: textPrompt('The '), settings: settings(), grammar });
    expect(ended).toMatchObject({ text: 'a', finishReason: 'stop' });
  });

  it('leaves out a character that the limit cuts in half', async () => {
    // The grammar asks for é (two byte tokens each): an odd limit ends in the middle of the third.
    const grammar = 'root ::= "éééé"';
    const cut = await backend.generate({ prompt: textPrompt('caf'), settings: settings({ maxTokens: 5 }), grammar });
    expect(cut.text).toBe('éé');
    expect(cut.finishReason).toBe('length');
    expect(cut.tokens).toHaveLength(5);
    const emoji = await backend.generate({ prompt: textPrompt('x'), settings: settings({ maxTokens: 9 }), grammar: 'root ::= "😀😀😀"' });
    expect(emoji.text).toBe('😀😀');
  });
});

describe('streaming', () => {
  it('sends the text in parts that join to the result, then one finish', async () => {
    const parts: StreamPart[] = [];
    const result = await backend.generate(
      { prompt: textPrompt('The '), settings: settings({ maxTokens: 20, stop: ['zzzz'] }) },
      { onPart: (part) => parts.push(part) },
    );
    const texts = parts.filter((part) => part.kind === 'text');
    expect(texts.map(({ text }) => text).join('')).toBe(result.text);
    expect(texts.length).toBeGreaterThan(3);
    expect(parts.at(-1)).toEqual({ kind: 'finish', generation: result });
    const times = texts.map(({ timeMs }) => timeMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('measures and counts', async () => {
    const { usage, timing, tokens } = await generate('The answer', { maxTokens: 12 });
    expect(usage).toMatchObject({ promptTokens: 11, completionTokens: 12, reasoningTokens: 0, source: 'engine' });
    expect(usage.cachedTokens! + usage.computedTokens!).toBe(11 + 11);
    expect(timing.ttftMs).toBeGreaterThan(0);
    expect(timing.totalMs).toBeGreaterThan(timing.ttftMs!);
    expect(timing.tpotMs).toBeCloseTo((timing.totalMs! - timing.ttftMs!) / 11, 6);
    expect(tokens!.every(({ id, timeMs }) => Number.isInteger(id) && timeMs > 0)).toBe(true);
  });
});

describe('samplers', () => {
  it('repeats with the same seed and differs with another', async () => {
    const draw = (seed: number) => generate('T', { temperature: 1, seed, maxTokens: 60 });
    const [first, again, other] = [await draw(1), await draw(1), await draw(2)];
    expect(again.text).toBe(first.text);
    expect(other.text).not.toBe(first.text);
  });

  it('equals greedy where only one token is left to draw', async () => {
    const greedy = await generate('The ');
    for (const changes of [{ topK: 1 }, { topP: 1e-6 }, { minP: 1 }]) {
      expect((await generate('The ', { temperature: 2, ...changes })).text).toBe(greedy.text);
    }
  });

  it('draws with the frequencies of the distribution', async () => {
    const draws = 300;
    const results = await Promise.all(Array.from({ length: draws }, (_, seed) => generate('q', { temperature: 1, seed, maxTokens: 1 })));
    const expected = Math.exp(toyExpectation().score('q', 'u').logprob);
    const share = results.filter(({ text }) => text === 'u').length / draws;
    expect(Math.abs(share - expected)).toBeLessThan(4.5 * Math.sqrt((expected * (1 - expected)) / draws) + 1e-9);
  });

  it('penalises repeats', async () => {
    const plain = await generate('The ', { maxTokens: 60 });
    const penalised = await generate('The ', { maxTokens: 60, repeatPenalty: 3 });
    expect(new Set(penalised.text).size).toBeGreaterThan(new Set(plain.text).size);
  });

  it('reports the exact log-probabilities of the likeliest tokens', async () => {
    const { tokens } = await backend.generate({ prompt: textPrompt('The'), settings: settings({ maxTokens: 3 }), topLogprobs: 4 });
    const exact = toyExpectation();
    const [first] = tokens!;
    const distribution = exact.logProbabilities([...Buffer.from('The')]);
    const best = [...distribution].sort((a, b) => b - a).slice(0, 4);
    for (const [place, { logprob }] of first!.top!.entries()) expect(logprob).toBeCloseTo(best[place]!, 3);
    expect(first!.logprob).toBeCloseTo(best[0]!, 3);
    expect(first!.top).toHaveLength(4);
  });
});

describe('grammars', () => {
  it('writes JSON of the wanted shape', async () => {
    const jsonSchema = {
      type: 'object',
      properties: {
        label: { enum: ['positive', 'negative', 'neu"tral\n'] },
        score: { type: 'integer' },
        note: { type: 'string', maxLength: 5 },
        tags: { type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 3 },
        next: { $ref: '#/$defs/leaf' },
      },
      required: ['label', 'tags', 'next'],
      $defs: { leaf: { type: ['null', 'number'] } },
    };
    for (const seed of [1, 2, 3, 4]) {
      const { text, finishReason } = await backend.generate({
        prompt: textPrompt('JSON: '),
        settings: settings({ maxTokens: 400, temperature: 1, seed }),
        jsonSchema,
      });
      expect(finishReason).toBe('stop');
      const value = JSON.parse(text);
      expect(jsonSchema.properties.label.enum).toContain(value.label);
      expect(value.tags.length).toBeGreaterThanOrEqual(2);
      expect(value.tags.length).toBeLessThanOrEqual(3);
      expect(value.next === null || typeof value.next === 'number').toBe(true);
      for (const key of Object.keys(value)) expect(Object.keys(jsonSchema.properties)).toContain(key);
    }
  });

  it('refuses a grammar that does not parse, and lives on', async () => {
    const bad = backend.generate({ prompt: textPrompt('x'), settings: settings(), grammar: 'root ::= (' });
    await expect(bad).rejects.toMatchObject({ code: 'unsupported' });
    const both = backend.generate({ prompt: textPrompt('x'), settings: settings(), grammar: 'root ::= "a"', jsonSchema: {} });
    await expect(both).rejects.toMatchObject({ code: 'unsupported' });
    expect((await generate('The ')).text).not.toBe('');
  });
});

describe('ending early', () => {
  it('cancels by signal while others go on', async () => {
    const controller = new AbortController();
    const long = backend.generate(
      { prompt: userPrompt('Tell me'), settings: settings({ maxTokens: 3000 }), grammar: 'root ::= "a"+' },
      { signal: controller.signal, onPart: () => controller.abort() },
    );
    const other = generate('The ');
    await expect(long).rejects.toMatchObject({ code: 'interrupted' });
    expect((await other).finishReason).toBe('length');
    await expect(
      backend.score({ prompt: textPrompt('a'), choices: [{ continuation: 'b' }] }, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({
      code: 'interrupted',
    });
  });
});
