// The scripted backend passes the suite of all backends.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { openBackend } from '../../src/backends/registry.ts';
import { resolveModel } from '../../src/backends/resolve-model.ts';
import { describeBackendContract } from './backend-contract.ts';

const folder = await mkdtemp(join(tmpdir(), 'slmbench-contract-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const words = Array.from({ length: 500 }, (_, index) => `word${index}`).join(' ');
const script = {
  contextTokens: 50,
  rules: [
    { equals: 'ends', text: 'a short known answer.', scores: { ' yes': -0.25, ' no way': -3 } },
    { equals: 'goes on', text: words, latencyMs: 20 },
    { text: 'anything else' },
  ],
};
const path = join(folder, 'script.json');
await writeFile(path, JSON.stringify(script));
const text = (prompt: string) => ({ kind: 'text', text: prompt }) as const;

describeBackendContract(
  'scripted',
  async () => openBackend(await resolveModel(`scripted:${path}`, { cacheDirectory: folder, offline: true })),
  {
    answer: { prompt: { kind: 'chat', messages: [{ role: 'user', content: 'ends' }] }, text: 'a short known answer.' },
    endless: { prompt: text('goes on'), text: words },
    stop: 'known',
    scores: {
      request: { prompt: text('ends'), choices: [{ continuation: ' yes' }, { continuation: ' no way' }] },
      logprobs: [-0.25, -3],
      tolerance: 0,
    },
    overflow: text('word '.repeat(60)),
  },
);
