import { expect, test } from 'vitest';
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
