// Fidelity equals llama-perplexity --kl-divergence on the same files and text; quant end to end on copies made here.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { summariseFidelity } from '../../src/app/perf/quant/fidelity-summary.ts';
import { runQuant } from '../../src/app/perf/quant/run-quant.ts';
import { measureFidelity } from '../../src/backends/llama/measure-fidelity.ts';
import { quantizeModel } from '../../src/backends/llama/quantize-model.ts';
import golden from '../golden/perf/llama-perplexity-kl.json' with { type: 'json' };
import { noRealModel, realModelPath } from './llama-fixtures.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'slmbench-quant-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const model = realModelPath();
if (model === undefined) console.warn(noRealModel);

describe.skipIf(model === undefined)('SmolLM2-135M', () => {
  test('KL divergence, perplexities and agreement equal llama-perplexity within 1e-3', async () => {
    const copy = join(folder, 'q2.gguf');
    await quantizeModel(model!, copy, golden.candidate, { threads: 1, allowRequantize: true });
    const { candidates, windows } = await measureFidelity({
      reference: model!,
      candidates: [copy],
      text: golden.text,
      windowTokens: golden.windowTokens,
      options: { threads: 1, flashAttention: 'on' },
    });
    const own = summariseFidelity(candidates[0]!)!;
    expect(windows).toBe(golden.windows);
    expect(Math.abs(own.klMean - golden.klMean)).toBeLessThan(1e-3);
    expect(Math.abs(own.klMedian - golden.klMedian)).toBeLessThan(2e-3);
    expect(Math.abs(own.logRatio - golden.logRatio)).toBeLessThan(1e-3);
    expect(Math.abs(own.perplexity / golden.perplexity - 1)).toBeLessThan(1e-3);
    expect(Math.abs(own.referencePerplexity / golden.referencePerplexity - 1)).toBeLessThan(1e-3);
    expect(Math.abs(own.topAgreement - golden.topAgreement)).toBeLessThan(0.005);
  });
});

test('another vocabulary is refused with a reason', async () => {
  if (model === undefined) return;
  const request = {
    models: [model, 'toy'],
    from: null,
    types: [],
    textFile: null,
    windowTokens: 64,
    maxWindows: 1,
    tasks: [],
    samples: 5,
    repetitions: 0,
    threads: 1,
    gpuLayers: null,
    seed: 1,
    name: null,
    output: folder,
    offline: true,
    commandLine: 'slmbench quant',
  };
  await expect(runQuant(request, { listener: () => {} })).rejects.toMatchObject({ code: 'data' });
});

test('quantised copies of the toy model: sizes, fidelity, tasks and a record', async () => {
  const result = await runQuant(
    {
      models: [],
      from: 'toy',
      types: ['Q8_0', 'F16'],
      textFile: null,
      windowTokens: 64,
      maxWindows: 4,
      tasks: ['sentiment-mini'],
      samples: 8,
      repetitions: 1,
      threads: 1,
      gpuLayers: null,
      seed: 1,
      name: null,
      output: folder,
      offline: true,
      commandLine: 'slmbench quant',
    },
    { listener: () => {} },
  );
  const { members, tasks } = result.quantisation;
  expect(members.map((member) => member.quantisation)).toEqual(['F32', 'Q8_0', 'F16']);
  expect(members[0]!.fidelity).toBeNull();
  expect(members[2]!.fidelity!.klMean).toBeLessThan(1e-3);
  expect(members[1]!.bitsPerWeight).toBeLessThan(members[2]!.bitsPerWeight);
  expect(members.every((member) => member.speed.length === 2)).toBe(true);
  expect(tasks[0]!.results.map((entry) => entry.verdict)[0]).toBe('baseline');
  expect(result.record.quantisation).toMatchObject({ schema: 'slmbench/quantisation/1' });
});
