// What this client costs and adds, against a mock whose truth is known: CPU per streamed chunk, requests per CPU second, added latency.
// (Memory per 100,000 requests is a unit test: request-line.test.ts.)
// Usage: node bench/perf/client-overhead.ts [requests]

import { generateLoad, type LoadOutcome } from '../../src/app/perf/generate-load.ts';
import { startMockServer } from '../../src/app/perf/mock/start-mock-server.ts';
import { openBackend } from '../../src/backends/registry.ts';
import { resolveModel } from '../../src/backends/resolve-model.ts';
import { loadTestTuning } from '../../src/backends/shared/server-tuning.ts';
import { defaultGenerationSettings } from '../../src/core/generation.ts';
import type { Backend } from '../../src/core/ports/backend.ts';
import { cacheRoot } from '../../src/sources/cache-root.ts';
import { summarize } from '../../src/stats/quantile.ts';

const requests = Number(process.argv[2] ?? 3000);
const chunks = 64;
/** Frames beside the content: role, finish, usage, DONE. */
const frames = chunks + 4;
const goals = { cpuMicrosPerEvent: 8, runOf200CpuSeconds: 1.5, addedTtftP50Ms: 1, addedTtftP99Ms: 5, gapErrorShare: 0.005 };

function load(backend: Backend, count: number, users: number): Promise<LoadOutcome> {
  const request = {
    request: {
      prompt: { kind: 'chat', messages: [{ role: 'user', content: 'mock' }] },
      settings: { ...defaultGenerationSettings, maxTokens: chunks },
    },
    promptDigest: 'mock',
    expectedPromptTokens: null,
  } as const;
  return generateLoad({
    backend,
    mode: { kind: 'concurrency', users },
    requestAt: () => request,
    maxRequests: count,
    maxDurationMs: 300_000,
    drainMs: 10_000,
  });
}

function cpuSeconds(since?: NodeJS.CpuUsage): number {
  const used = process.cpuUsage(since);
  return (used.user + used.system) / 1e6;
}

const mock = await startMockServer();
try {
  const model = await resolveModel(`openai:mock@${mock.url}`, { cacheDirectory: cacheRoot(), offline: true });
  const startOf200 = process.cpuUsage();
  const backend = await openBackend(model, {}, { server: loadTestTuning });
  await mock.shape({ chunks, firstMs: 0, gapMs: 0 });
  await load(backend, 200, 32);
  const runOf200 = cpuSeconds(startOf200);
  const small = process.cpuUsage();
  await load(backend, 500, 32);
  const smallCpu = cpuSeconds(small);
  const large = process.cpuUsage();
  const fast = await load(backend, 500 + requests, 32);
  const largeCpu = cpuSeconds(large);
  // Marginal cost, so that fixed work is not spread over requests.
  const perRequest = (largeCpu - smallCpu) / requests;
  await mock.shape({ chunks, firstMs: 50, gapMs: 10 });
  await load(backend, 32, 32);
  const paced = (await load(backend, 320, 32)).log.results();
  const added = summarize(paced.map((result) => result.ttftMs! - 50));
  const gaps = paced.flatMap((result) => Array.from(result.gapsMs));
  const gapError = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length / 10 - 1;
  const figures = {
    requests,
    failed: fast.log.results().filter((result) => result.error !== null).length,
    cpuMicrosPerEvent: (perRequest * 1e6) / frames,
    requestsPerCpuSecond: 1 / perRequest,
    runOf200CpuSeconds: runOf200,
    requestsPerSecond: ((500 + requests) * 1000) / fast.durationMs,
    addedTtftP50Ms: added.p50,
    addedTtftP99Ms: added.p99,
    addedTtftMinMs: added.min,
    gapErrorShare: gapError,
    negativeGaps: gaps.filter((gap) => gap < 0).length,
  };
  process.stdout.write(`${JSON.stringify({ figures, goals }, null, 2)}\n`);
  await backend.close();
} finally {
  await mock.close();
}
