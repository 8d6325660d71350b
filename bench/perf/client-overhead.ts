// What this client costs and adds, against a mock whose truth is known: CPU per streamed chunk, requests per CPU second, CPU of a whole
// `slmbench perf` of 200 requests (from dist/), memory of 100,000 kept requests, added latency.
// Usage: node bench/perf/client-overhead.ts [requests]
// Added latency and gap errors are wall-clock figures: they mean something on an idle machine only.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { generateLoad, type LoadOutcome } from '../../src/app/perf/generate-load.ts';
import { addedTtftMs } from '../../src/app/perf/mock/added-ttft.ts';
import { startMockServer } from '../../src/app/perf/mock/start-mock-server.ts';
import { RequestLog, type RequestResult } from '../../src/app/perf/request-log.ts';
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
const goals = {
  cpuMicrosPerEvent: 8,
  runOf200CpuSeconds: 1.5,
  megabytesPer100kRequests: 45,
  addedTtftP50Ms: 1,
  addedTtftP99Ms: 5,
  gapErrorShare: 0.005,
};

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

/** CPU seconds of the whole command as a user starts it: start-up, requests, figures, files. */
async function cpuOfWholeRun(url: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'slmbench-overhead-'));
  const report =
    'process.on("exit", () => { const { user, system } = process.cpuUsage(); process.stderr.write(`cpu ${user + system}\\n`); });';
  const bin = fileURLToPath(new URL('../../bin/slmbench.js', import.meta.url));
  const args = ['--users', '32', '-n', '200', '--warm-up', '0', '--text', 'questions', '--output-tokens', `${chunks}`, '-q', '-o', folder];
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(report)}`, bin, 'perf', '-m', `openai:mock@${url}`, ...args],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  rmSync(folder, { recursive: true, force: true });
  const micros = /^cpu (\d+)$/m.exec(said)?.[1];
  if (code !== 0 || micros === undefined) throw new Error(`slmbench perf ended with ${String(code)}: ${said}`);
  return Number(micros) / 1e6;
}

/** Memory that 100,000 answers of 64 chunks take, by what is in use after a collection. */
async function megabytesPer100k(result: RequestResult): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = async (): Promise<number> => {
    // Buffers are given back a moment after the collection that found them unused.
    for (let round = 0; round < 3; round++) {
      collect();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = await used();
  const log = new RequestLog();
  for (let index = 0; index < 100_000; index++) log.add({ ...result, index });
  const after = await used();
  if (log.length !== 100_000) throw new Error('requests were lost');
  return (after - before) / 1e6;
}

const mock = await startMockServer();
try {
  const model = await resolveModel(`openai:mock@${mock.url}`, { cacheDirectory: cacheRoot(), offline: true });
  const backend = await openBackend(model, {}, { server: loadTestTuning });
  await mock.shape({ chunks, firstMs: 0, gapMs: 0 });
  // The first run fills the compile cache; the middle one of the next three counts.
  const wholeRuns: number[] = [];
  for (let round = 0; round < 4; round++) wholeRuns.push(await cpuOfWholeRun(mock.url));
  const runOf200 = wholeRuns.slice(1).sort((a, b) => a - b)[1]!;
  await load(backend, 200, 32);
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
  await mock.takeFirstDelays();
  const paced = (await load(backend, 320, 32)).log.results();
  const added = summarize(addedTtftMs(paced, await mock.takeFirstDelays()));
  const gaps = paced.flatMap((result) => Array.from(result.gapsMs));
  const gapError = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length / 10 - 1;
  const figures = {
    requests,
    failed: fast.log.results().filter((result) => result.error !== null).length,
    cpuMicrosPerEvent: (perRequest * 1e6) / frames,
    requestsPerCpuSecond: 1 / perRequest,
    runOf200CpuSeconds: runOf200,
    megabytesPer100kRequests: await megabytesPer100k(paced.find((result) => result.error === null)!),
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
