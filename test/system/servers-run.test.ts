// Whole runs against scripted servers: storms of refusals, keys in no file, prompts that do not fit.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { evaluate } from '../../src/app/evaluate.ts';
import { openFakeOllama } from '../servers/fake-ollama.ts';
import { fakeOpenai } from '../servers/fake-openai.ts';
import { type MockServer, openMockServer } from '../servers/mock-server.ts';
import { content, done, finish, json, timed, usage } from '../servers/openai-replies.ts';

let folder = '';
const servers: MockServer[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slmbench-servers-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) await server.close();
  await rm(folder, { recursive: true, force: true });
});
const usual = fakeOpenai({ model: 'm', answers: {}, contextTokens: 4096 });
const positive = () => timed([5, content('positive')], [6, finish() + usage(1) + done]);

async function filesOf(path: string): Promise<readonly string[]> {
  const names = await readdir(path, { recursive: true, withFileTypes: true });
  return names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

describe('runs against servers', () => {
  it('a server that takes two requests at a time is not stormed, and no sample is lost', async () => {
    let inFlight = 0;
    let refused = 0;
    const server = await openMockServer((request) => {
      if (!request.path.endsWith('/chat/completions')) return usual(request);
      if (inFlight >= 2) {
        refused++;
        return json({ error: { message: 'too many requests' } }, 429, { 'retry-after': '0.05' });
      }
      inFlight++;
      // A place is taken while the answer is on its way, and free when it has ended.
      setTimeout(() => inFlight--, 15);
      return timed([5, content('positive')], [20, finish() + usage(1) + done]);
    });
    servers.push(server);
    const settings = { samples: 40, concurrency: 16 };
    const { record } = await evaluate({ models: [`openai:m@${server.url}`], tasks: ['sentiment-mini'], settings, runsFolder: folder });
    expect(record.status).toBe('complete');
    expect(record.results[0]!.counts).toMatchObject({ total: 40, error: 0 });
    expect(refused).toBeLessThan(40);
  });

  it('a key is in no file of a run, even where the server echoes it (X01)', async () => {
    const key = 'sk-test-1234567890abcdef';
    vi.stubEnv('OPENAI_API_KEY', key);
    let calls = 0;
    const server = await openMockServer((sent) => {
      const request = { ...sent, path: sent.path.replace(/[?].*/u, '') };
      if (request.headers['authorization'] !== `Bearer ${key}`) return json({ error: { message: 'no key' } }, 401);
      if (!request.path.endsWith('/chat/completions')) return usual(request);
      return ++calls % 2 === 0
        ? positive()
        : json({ error: { message: `bad key ${key} ${Buffer.from(key).toString('base64')} pa55word zzz999zzz` } }, 400);
    });
    servers.push(server);
    const reference = `openai:m@http://user:pa55word@127.0.0.1:${server.port}/v1?api_key=zzz999zzz`;
    const { record } = await evaluate({
      models: [reference],
      tasks: ['sentiment-mini'],
      settings: { samples: 6, concurrency: 1 },
      runsFolder: folder,
    });
    expect(record.results[0]!.counts.error).toBeGreaterThan(0);
    const files = await filesOf(folder);
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      const text = await readFile(file, 'utf8');
      for (const secret of [key, Buffer.from(key).toString('base64'), 'pa55word', 'zzz999zzz'])
        expect(text.includes(secret), `${secret} in ${file}`).toBe(false);
    }
  });

  it('a task of log-likelihoods is refused before it starts, where the server cannot score', async () => {
    const server = await openMockServer(usual);
    servers.push(server);
    const work = evaluate({
      models: [`openai:m@${server.url}`],
      tasks: ['commonsense-mini'],
      settings: { samples: 5 },
      runsFolder: folder,
    });
    await expect(work).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('every call refused for want of a key ends before the first sample (K01)', async () => {
    const server = await openMockServer(() => json({ error: { message: 'no key' } }, 401));
    servers.push(server);
    const work = evaluate({ models: [`openai:m@${server.url}`], tasks: ['sentiment-mini'], settings: { samples: 5 }, runsFolder: folder });
    await expect(work).rejects.toMatchObject({ code: 'access' });
  });

  it('a model of Ollama is evaluated, its digest kept, and its memory free afterwards', async () => {
    const server = await openFakeOllama({ models: ['smollm2:135m'], answers: {} });
    servers.push(server);
    const { record } = await evaluate({
      models: [`ollama:smollm2:135m@${server.url}`],
      tasks: ['sentiment-mini'],
      settings: { samples: 5 },
      runsFolder: folder,
    });
    expect(record.models[0]!.facts).toMatchObject({ digest: 'b179c9523d0e', digestKind: 'server', quantisation: 'Q4_1' });
    expect(record.modelRuns[0]).toMatchObject({ loadMs: expect.any(Number), backend: { name: 'Ollama', version: '0.17.4' } });
    expect([...server.loaded]).toEqual([]);
  });
});
