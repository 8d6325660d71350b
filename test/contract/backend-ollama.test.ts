// The Ollama adapter passes the suite of all backends against a scripted Ollama.
import { afterAll, beforeAll, describe } from 'vitest';
import { openBackend } from '../../src/backends/registry.ts';
import { resolveModel } from '../../src/backends/resolve-model.ts';
import { type FakeOllama, openFakeOllama } from '../servers/fake-ollama.ts';
import { describeBackendContract } from './backend-contract.ts';

const words = Array.from({ length: 500 }, (_, index) => `word${index}`).join(' ');

describe('scripted Ollama', () => {
  let server: FakeOllama;
  beforeAll(async () => {
    server = await openFakeOllama({ models: ['smollm2:135m'], answers: { ends: 'a short known answer.', 'goes on': words } });
  });
  afterAll(() => server.close());
  const open = async () => {
    const model = await resolveModel(`ollama:smollm2:135m@${server.url}`, { cacheDirectory: '/nowhere', offline: false });
    return openBackend(model, { contextTokens: 50 });
  };
  describeBackendContract('ollama', open, {
    answer: { prompt: { kind: 'chat', messages: [{ role: 'user', content: 'ends' }] }, text: 'a short known answer.' },
    endless: { prompt: { kind: 'text', text: 'goes on' }, text: words },
    stop: 'known',
    stopReason: 'stop',
    overflow: { kind: 'text', text: 'word '.repeat(60) },
  });
});
