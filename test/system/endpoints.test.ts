// One model on two real llama-servers: one is killed in the middle and comes back; nothing is lost, and both have worked.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { evaluate } from '../../src/app/evaluate.ts';
import { readServerTotals } from '../../src/backends/openai/read-server-totals.ts';
import { findLlamaServer, type RunningServer, startLlamaServer } from '../servers/llama-server.ts';

const program = findLlamaServer();
const answered = async ({ url }: RunningServer): Promise<number> =>
  (await readServerTotals({ backendKind: 'openai', url: `${url}/v1` }))!.generatedTokens!;

describe.skipIf(program === null)('two llama-servers behind one reference', () => {
  let servers: RunningServer[] = [];
  let folder = '';
  beforeEach(async () => {
    servers = await Promise.all([startLlamaServer(program!), startLlamaServer(program!)]);
    folder = await mkdtemp(join(tmpdir(), 'slmbench-endpoints-'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  });
  const reference = (): string => `openai:${servers[0]!.model}@${servers.map(({ url }) => `${url}/v1#limit=2`).join('+')}`;

  it('one is killed in the middle of a run and started again: every sample is answered, also by the new one', async () => {
    let count = 0;
    let dying: Promise<RunningServer> | undefined;
    const { record } = await evaluate({
      models: [reference()],
      tasks: ['sentiment-mini', 'qa-mini'],
      settings: { maxErrorRate: 0 },
      runsFolder: folder,
      onEvent: (event) => {
        if (event.kind !== 'sample-finished' || ++count !== 8) return;
        process.kill(servers[1]!.pid, 'SIGKILL');
        dying = startLlamaServer(program!, [], servers[1]!.port);
      },
    });
    servers.push(await dying!);
    expect(record.status).toBe('complete');
    for (const { counts } of record.results) expect(counts).toMatchObject({ error: 0, missing: 0 });
    expect(record.modelRuns[0]!.backend.settings).toMatchObject({ endpoints: 2 });
    expect(await answered(servers[0]!)).toBeGreaterThan(0);
    // The counters of the new process began at nothing.
    expect(await answered(servers[2]!)).toBeGreaterThan(0);
  });

  it('one is away at the start: the run begins with the other; one that is drained gets nothing', async () => {
    await servers[1]!.stop();
    const first = await evaluate({ models: [reference()], tasks: ['sentiment-mini'], settings: { samples: 8 }, runsFolder: folder });
    expect(first.record.status).toBe('complete');
    expect(first.record.modelRuns[0]!.backend.settings).toMatchObject({ endpoints: 2, endpointsReached: 1 });
    servers[1] = await startLlamaServer(program!, [], servers[1]!.port);
    const drain = join(folder, 'drain');
    await writeFile(drain, `127.0.0.1:${servers[0]!.port}\n`);
    vi.stubEnv('SLMBENCH_DRAIN_FILE', drain);
    const before = await answered(servers[0]!);
    const second = await evaluate({
      models: [reference()],
      tasks: ['sentiment-mini'],
      settings: { samples: 8, seed: 7 },
      runsFolder: folder,
    });
    expect(second.record.status).toBe('complete');
    expect(await answered(servers[1]!)).toBeGreaterThan(0);
    // Only the check of what the server can do was sent there.
    expect((await answered(servers[0]!)) - before).toBeLessThan(8);
  });
});
