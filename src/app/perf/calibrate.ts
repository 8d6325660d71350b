// What this client can take at most, and what it adds to the times it measures: against a mock whose truth is known.
import { openBackend } from '../../backends/registry.ts';
import { resolveModel } from '../../backends/resolve-model.ts';
import { loadTestTuning } from '../../backends/shared/server-tuning.ts';
import { defaultGenerationSettings } from '../../core/generation.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { monotonicClock } from '../../profiler/monotonic-clock.ts';
import { summarize } from '../../stats/quantile.ts';
import { openWorkspace } from '../workspace.ts';
import { type Calibration, writeCalibration } from './calibration-file.ts';
import { generateLoad, type LoadOutcome } from './generate-load.ts';
import { addedTtftMs } from './mock/added-ttft.ts';
import { type MockServer, startMockServer } from './mock/start-mock-server.ts';

export interface CalibrateOptions {
  /** Requests of the ceiling and of the added-latency measurement. @default 2000 and 200 */
  readonly requests?: number | undefined;
  readonly pacedRequests?: number | undefined;
}

const chunks = 64;
const users = 32;
const paced = { chunks, firstMs: 50, gapMs: 10 } as const;

function load(backend: Backend, maxRequests: number): Promise<LoadOutcome> {
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
    maxRequests,
    maxDurationMs: 120_000,
    drainMs: 10_000,
  });
}

/** Measures and keeps the result in the cache folder. @throws ToolError where the mock or the client fails */
export async function calibrate(options: CalibrateOptions = {}): Promise<{ readonly calibration: Calibration; readonly path: string }> {
  const workspace = await openWorkspace({});
  const mock = await startMockServer();
  try {
    const model = await resolveModel(`openai:mock@${mock.url}`, workspace.sources);
    const backend = await openBackend(model, {}, { server: loadTestTuning });
    try {
      const calibration = await measure(backend, mock, options);
      return { calibration, path: await writeCalibration(workspace.cacheDirectory, calibration) };
    } finally {
      await backend.close();
    }
  } finally {
    await mock.close();
  }
}

async function measure(backend: Backend, mock: MockServer, options: CalibrateOptions): Promise<Calibration> {
  const requests = options.requests ?? 2000;
  await mock.shape({ chunks, firstMs: 0, gapMs: 0 });
  await load(backend, Math.min(200, requests));
  const before = process.cpuUsage();
  const fast = await load(backend, requests);
  const used = process.cpuUsage(before);
  await mock.shape(paced);
  await load(backend, users);
  await mock.takeFirstDelays();
  const answers = (await load(backend, options.pacedRequests ?? 200)).log.results();
  const added = summarize(addedTtftMs(answers, await mock.takeFirstDelays()));
  const even = answers.filter((result) => result.error === null);
  const gaps = even.flatMap((result) => Array.from(result.gapsMs));
  const seconds = fast.durationMs / 1000;
  const done = fast.log.results().filter((result) => result.error === null).length;
  return {
    schema: 'slmbench/calibration/1',
    measuredAt: monotonicClock.utc(),
    node: process.versions.node,
    chunksPerSecond: (done * chunks) / seconds,
    requestsPerSecond: done / seconds,
    chunksPerRequest: chunks,
    cpuMicrosPerChunk: (used.user + used.system) / (done * chunks),
    addedTtftMs: { p50: added.p50 ?? 0, p99: added.p99 ?? 0 },
    gapError: gaps.length === 0 ? 0 : gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length / paced.gapMs - 1,
  };
}
