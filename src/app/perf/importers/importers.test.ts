// llama-bench.json, guidellm-0.8.json and aiperf-0.13.json are real files (the last two shortened); the others have the shape of their
// tools' result files with made-up numbers.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { importResults } from './import-results.ts';

const fixture = (name: string) => fileURLToPath(new URL(`__fixtures__/${name}.json`, import.meta.url));

async function metricsOf(name: string) {
  const imported = await importResults(fixture(name));
  return { imported, metrics: new Map(imported.points[0]!.metrics.map((metric) => [metric.metric, metric])) };
}

test('llama-bench: rates of its own repetitions, the same definition as ours', async () => {
  const { imported } = await metricsOf('llama-bench');
  expect(imported.tool).toBe('llama-bench');
  expect(imported.points.map((point) => point.metrics[0]!.metric)).toEqual(['pp64', 'tg8']);
  expect(imported.points[0]!.metrics[0]).toMatchObject({ n: 3, p50: 70.044, differs: null, unit: 'tok/s' });
  expect(imported.points[0]!.metrics[0]!.mean!).toBeCloseTo(70.602302, 4);
  expect(imported.points[0]!.metrics[0]!.sd!).toBeCloseTo(4.546229, 3);
});

test('vLLM: its ITL is our ICL; whole-run rates are marked', async () => {
  const { imported, metrics } = await metricsOf('vllm');
  expect(imported.points[0]).toMatchObject({ model: 'smol', load: '8 users', requests: 100, failed: 2 });
  expect(metrics.has('itl')).toBe(false);
  expect(metrics.get('icl')).toMatchObject({ original: 'itl_ms', p50: 5.9, differs: expect.stringContaining('gap between chunks') });
  expect(metrics.get('ttft')!.differs).toContain('role chunk');
  expect(metrics.get('outputRate')!.differs).toContain('ramp and drain');
});

test('guidellm: seconds become ms, its TPOT is marked as holding ttft', async () => {
  const { imported, metrics } = await metricsOf('guidellm');
  expect(imported.points[0]).toMatchObject({ load: 'concurrent 4 users', requests: 52, failed: 2 });
  expect(metrics.get('e2e')!.mean).toBeCloseTo(692, 6);
  expect(metrics.get('tpot')!.differs).toContain('ttft is part of it');
});

test('aiperf: inter-token latency of a request is our TPOT', async () => {
  const { imported, metrics } = await metricsOf('aiperf');
  expect(imported.points[0]).toMatchObject({ model: 'smol', load: '16 users', requests: 200, failed: 3 });
  expect(metrics.get('tpot')).toMatchObject({ mean: 10, original: 'inter_token_latency' });
  expect(metrics.get('e2e')).toMatchObject({ mean: 695, p95: 903.5, differs: null });
});

test('files as guidellm 0.8 and aiperf 0.13 write them', async () => {
  const guidellm = await metricsOf('guidellm-0.8');
  expect(guidellm.imported.points[0]).toMatchObject({ model: 'mock', load: 'concurrent 32 users', requests: 100, failed: 0 });
  // 6,300 token gaps there, but one mean of each request.
  expect(guidellm.metrics.get('icl')).toMatchObject({ n: 100, original: 'inter_token_latency_ms' });
  expect(guidellm.metrics.get('e2e')!.mean!).toBeCloseTo(102.87, 1);
  const aiperf = await metricsOf('aiperf-0.13');
  expect(aiperf.imported.points[0]).toMatchObject({ model: 'mock', load: '32 users', requests: 100 });
  expect(aiperf.metrics.get('ttft')!.mean!).toBeCloseTo(92.43, 1);
});

test('other files are refused with what is known', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slmbench-import-'));
  const path = join(folder, 'x.json');
  for (const text of ['{"a":1}', '[]', '<html>', '']) {
    writeFileSync(path, text);
    await expect(importResults(path)).rejects.toMatchObject({ code: 'data' });
  }
  await expect(importResults(join(folder, 'none.json'))).rejects.toMatchObject({ code: 'not-found' });
  rmSync(folder, { recursive: true, force: true });
});
