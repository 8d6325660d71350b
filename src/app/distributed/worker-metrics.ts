// Figures of a worker for Prometheus, and its health, over HTTP.
import { createServer, type Server } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { messageOf, ToolError } from '../../core/errors.ts';

export interface WorkerMetrics {
  readonly samples: (outcome: string) => void;
  readonly chunk: (result: 'done' | 'returned' | 'failed') => void;
  readonly claim: (durationMs: number) => void;
  readonly sampleTime: (durationMs: number) => void;
  readonly modelLoaded: (durationMs: number | null) => void;
  readonly outage: (isOut: boolean) => void;
  readonly busy: (isBusy: boolean) => void;
  readonly beat: () => void;
  readonly text: () => Promise<string>;
  /** Why the worker is not well, or null. */
  readonly illness: () => string | null;
}

const claimBuckets = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5];
const sampleBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** @param lostAfterMs - without a sign of life for so long the others take the worker for lost */
export function openWorkerMetrics(worker: string, lostAfterMs: number): WorkerMetrics {
  const registry = new Registry();
  registry.setDefaultLabels({ worker });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const samples = new Counter({ name: 'slmbench_samples_total', help: 'Samples finished, by outcome', labelNames: ['outcome'], registers });
  const chunks = new Counter({ name: 'slmbench_chunks_total', help: 'Chunks ended, by result', labelNames: ['result'], registers });
  const claims = new Histogram({ name: 'slmbench_claim_seconds', help: 'Time to claim a chunk', buckets: claimBuckets, registers });
  const times = new Histogram({
    name: 'slmbench_sample_seconds',
    help: 'Time of a sample at the model',
    buckets: sampleBuckets,
    registers,
  });
  const loads = new Counter({ name: 'slmbench_model_loads_total', help: 'Models loaded', registers });
  const loadTime = new Gauge({ name: 'slmbench_model_load_seconds', help: 'Load time of the last model', registers });
  const outages = new Counter({ name: 'slmbench_database_outages_total', help: 'Times the database was away', registers });
  const busy = new Gauge({ name: 'slmbench_worker_busy', help: '1 while a chunk is worked on', registers });
  let beatAt = performance.now();
  let isOut = false;
  return {
    samples: (outcome) => samples.inc({ outcome }),
    chunk: (result) => chunks.inc({ result }),
    claim: (durationMs) => claims.observe(durationMs / 1000),
    sampleTime: (durationMs) => times.observe(durationMs / 1000),
    modelLoaded: (durationMs) => {
      loads.inc();
      if (durationMs !== null) loadTime.set(durationMs / 1000);
    },
    outage: (now) => {
      if (now && !isOut) outages.inc();
      isOut = now;
    },
    busy: (isBusy) => busy.set(isBusy ? 1 : 0),
    beat: () => {
      beatAt = performance.now();
    },
    text: () => registry.metrics(),
    illness: () => {
      const silentMs = performance.now() - beatAt;
      if (silentMs > lostAfterMs) return `no sign of life reached the database for ${(silentMs / 1000).toFixed(0)} s`;
      return isOut ? 'the database is away' : null;
    },
  };
}

export interface HealthServer {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * `/metrics` (Prometheus), `/healthz` (200 or 503 with the reason).
 * @param host - where it listens. Loopback unless the user opens it.
 */
export async function serveHealth(metrics: WorkerMetrics, port: number, host = '127.0.0.1'): Promise<HealthServer> {
  const server: Server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/metrics') {
      metrics.text().then(
        (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
        (error) => response.writeHead(500).end(messageOf(error)),
      );
      return;
    }
    if (path === '/healthz') {
      const illness = metrics.illness();
      const body = JSON.stringify(illness === null ? { status: 'ok' } : { status: 'ill', reason: illness });
      response.writeHead(illness === null ? 200 : 503, { 'content-type': 'application/json' }).end(body);
      return;
    }
    response.writeHead(404, { 'content-type': 'text/plain' }).end('/metrics and /healthz are here\n');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(
        new ToolError('unavailable', `cannot listen on ${host}:${port}: ${messageOf(cause)}`, {
          cause,
          hint: 'choose another --metrics-port',
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as { port: number }).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
