// Servers behind the OpenAI API pass the suite of all backends: a scripted one with scores, one without, and a real llama-server.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openBackend } from '../../src/backends/registry.ts';
import { resolveModel } from '../../src/backends/resolve-model.ts';
import { type FakeOpenaiOptions, openFakeOpenai } from '../servers/fake-openai.ts';
import { findLlamaServer, startLlamaServer } from '../servers/llama-server.ts';
import type { MockServer } from '../servers/mock-server.ts';
import { describeBackendContract } from './backend-contract.ts';

const words = Array.from({ length: 500 }, (_, index) => `word${index}`).join(' ');
const text = (prompt: string) => ({ kind: 'text', text: prompt }) as const;
const chat = (prompt: string) => ({ kind: 'chat', messages: [{ role: 'user', content: prompt }] }) as const;
const open = async (model: string, url: string) =>
  openBackend(await resolveModel(`openai:${model}@${url}`, { cacheDirectory: '/nowhere', offline: false }));

const fake = {
  model: 'fake-model',
  answers: { ends: 'a short known answer.', 'goes on': words },
  contextTokens: 50,
} as const satisfies FakeOpenaiOptions;
// Plain words are likely, garbled ones are not: enough for the probe, and known by hand.
const scores = (piece: string) => (/^ ?[a-z]{2,}[.]?$/iu.test(piece) ? -0.5 - 0.125 * piece.length : -4 - piece.length);

const expectations = {
  answer: { prompt: chat('ends'), text: 'a short known answer.' },
  endless: { prompt: text('goes on'), text: words },
  stop: 'known',
  overflow: text('word '.repeat(60)),
};
const known = {
  request: { prompt: text('the answer is'), choices: [{ continuation: ' yes' }, { continuation: ' no way' }] },
  logprobs: [-1, -0.875 - 1],
  tolerance: 1e-12,
};

for (const scoringWay of ['prompt_logprobs', 'echo'] as const) {
  describe(`scripted server with ${scoringWay}`, () => {
    let server: MockServer;
    beforeAll(async () => {
      server = await openFakeOpenai({ ...fake, owner: 'vllm', scores, scoringWay });
    });
    afterAll(() => server.close());
    describeBackendContract(`openai (${scoringWay})`, () => open(fake.model, server.url), { ...expectations, scores: known });
  });
}

describe('scripted server that answers scoring with nonsense', () => {
  let server: MockServer;
  beforeAll(async () => {
    server = await openFakeOpenai(fake);
  });
  afterAll(() => server.close());
  describeBackendContract('openai (no scores)', () => open(fake.model, `${server.url}/v1`), expectations);
});

const program = findLlamaServer();
if (program === null) it.skip('no llama-server: build one with node scripts/build-llama-server.mjs', () => {});
else {
  describe('real llama-server', () => {
    let server: Awaited<ReturnType<typeof startLlamaServer>>;
    beforeAll(async () => {
      server = await startLlamaServer(program);
    });
    afterAll(() => server?.stop());
    describeBackendContract('openai (llama-server)', () => open(server.model, server.url), {
      answer: { prompt: chat('What is the capital of France? Answer with one word.'), text: 'The capital of France is Paris.' },
      endless: { prompt: text('1 2 3 4 5 6'), text: ' 7 8 9 10' },
      stop: 'ri',
      stopReason: 'stop',
      overflow: text('word '.repeat(3000)),
    });
  });
}
