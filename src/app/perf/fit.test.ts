import { expect, test } from 'vitest';
import { prepareModels } from '../prepare-models.ts';
import { openWorkspace } from '../workspace.ts';
import { fitModels } from './fit.ts';

const request = { models: ['smollm2-135m'], quantisations: ['Q8_0'], contexts: [8192, 2048], memoryBytes: 8 * 2 ** 30 };

test('more memory for more context; what is too large for the memory says so', async () => {
  const { rows } = await fitModels(request);
  expect(rows.map((row) => row.quantisation)).toEqual(['Q4_1', 'Q8_0']);
  for (const { contexts } of rows) {
    expect(contexts.map((context) => context.contextTokens)).toEqual([2048, 8192]);
    expect(contexts[1]!.memoryBytes).toBeGreaterThan(contexts[0]!.memoryBytes);
    expect(contexts.every((context) => context.fit === 'fits')).toBe(true);
  }
  expect(rows[1]!.sizeBytes).toBeGreaterThan(rows[0]!.sizeBytes);
  const tiny = await fitModels({ ...request, memoryBytes: 100 * 2 ** 20 });
  expect(tiny.rows.every((row) => row.largestContext === null && row.instances === 0)).toBe(true);
});

test('a context beyond what the model was trained on is not offered; unknown names are told', async () => {
  const { rows } = await fitModels({ ...request, contexts: [4096, 1_000_000] });
  expect(rows[0]!.contexts.map((context) => context.contextTokens)).toEqual([4096]);
  await expect(fitModels({ ...request, models: ['smollm2-135'] })).rejects.toMatchObject({
    code: 'not-found',
    hint: expect.stringContaining('smollm2-135m'),
  });
});

test('a model whose file is here is judged by that file, with the figure of a run’s plan', async () => {
  const { rows } = await fitModels({ ...request, models: ['toy'], quantisations: [], contexts: [4096] });
  const use = { reference: 'toy', adapters: [] };
  const { models } = await prepareModels([use], { context: 4096 } as never, await openWorkspace({ offline: true }));
  expect(rows[0]).toMatchObject({ basis: 'file', sizeBytes: models[0]!.facts.sizeBytes });
  expect(rows[0]!.contexts[0]!.memoryBytes).toBe(models[0]!.estimatedMemoryBytes);
});

test('an unknown quantisation is refused with the nearest name; case does not matter', async () => {
  await expect(fitModels({ ...request, quantisations: ['Q9_0'] })).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining('"Q9_0"'),
    hint: expect.stringMatching(/did you mean "Q\d_0"/),
  });
  const { rows } = await fitModels({ ...request, quantisations: ['q8_0'] });
  expect(rows.map((row) => row.quantisation)).toContain('Q8_0');
});
