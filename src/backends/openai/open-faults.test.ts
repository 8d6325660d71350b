// What a user sees when a server is not what it was said to be, and where keys never go.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hasOpenssl, makeSelfSignedCertificate } from '../../../test/fixtures/self-signed-certificate.ts';
import { fakeOpenai } from '../../../test/servers/fake-openai.ts';
import { type MockHandler, type MockServer, openMockServer } from '../../../test/servers/mock-server.ts';
import { content, done, finish, json, stream } from '../../../test/servers/openai-replies.ts';
import { ToolError } from '../../core/errors.ts';
import { defaultGenerationSettings, type GenerateRequest } from '../../core/generation.ts';
import type { ModelFacts } from '../../core/model.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { openOpenaiBackend } from './openai-backend.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
async function listen(server: NetServer): Promise<number> {
  cleanups.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
const ask: GenerateRequest = { prompt: { kind: 'text', text: 'q' }, settings: defaultGenerationSettings };

async function serve(handler: MockHandler): Promise<MockServer> {
  const server = await openMockServer(handler);
  cleanups.push(() => server.close());
  return server;
}

async function open(url: string, model = 'm', environment: Readonly<Record<string, string>> = {}): Promise<Backend> {
  const tuning = { environment, patience: { retries: 0, overloadRetries: 0 }, timeouts: { connectMs: 2000 } };
  const backend = await openOpenaiBackend({ url, serverModel: model, facts: {} as ModelFacts }, {}, { server: tuning });
  cleanups.push(() => backend.close());
  return backend;
}

async function failure(work: Promise<unknown>): Promise<ToolError> {
  const thrown = await work.catch((error: unknown) => error);
  if (ToolError.isInstance(thrown)) return thrown;
  throw new Error(`no ToolError but ${JSON.stringify(thrown)}`);
}

const working = (model = 'm') => fakeOpenai({ model, answers: { q: 'a' }, contextTokens: 100 });

describe('opening a server', () => {
  it('that does not run says where it was looked for and how to start it (V01)', async () => {
    const server = await serve(working());
    await server.close();
    const { code, message, hint } = await failure(open(server.url));
    expect(code).toBe('transport');
    expect(message).toContain(`127.0.0.1:${server.port}`);
    expect(hint).toContain('is the server running');
  });

  it('with another model lists what it has, the nearest first', async () => {
    const { url } = await serve(working('smollm2-135m'));
    const { code, message, hint } = await failure(open(url, 'smolm2-135m'));
    expect([code, hint?.includes('did you mean "smollm2-135m"?')]).toEqual(['not-found', true]);
    expect(message).toContain('no model "smolm2-135m"');
  });

  it('finds a llama-server model by its file name', async () => {
    const { url } = await serve(working('/models/SmolLM2.Q4_1.gguf'));
    expect((await (await open(url, 'smollm2.q4_1')).generate(ask)).text).toBe('a');
  });

  it('that has no list of models is used as it is', async () => {
    const { url } = await serve((request) => (request.path === '/v1/models' ? json({ error: 'no such path' }, 404) : working()(request)));
    expect((await (await open(url)).generate(ask)).text).toBe('a');
  });

  it('that still loads its model is waited for', async () => {
    let calls = 0;
    const { url } = await serve((request) =>
      calls++ < 2 ? json({ error: { message: 'Loading model' } }, 503, { 'retry-after': '0.05' }) : working()(request),
    );
    expect((await (await open(url)).generate(ask)).text).toBe('a');
  });

  it('wants a key: the error names the variable, not the key', async () => {
    const { url } = await serve((request) =>
      json({ error: { message: `Incorrect API key provided: ${request.headers['authorization']}` } }, 401),
    );
    const { code, message, hint } = await failure(open(url, 'm', { SLMBENCH_API_KEY: 'sk-test-1234567890abcdef' }));
    expect(code).toBe('access');
    expect(message).not.toContain('1234567890');
    expect(hint).toContain('SLMBENCH_API_KEY');
  });

  it('is a web page', async () => {
    const page = { headers: { 'content-type': 'text/html' }, pieces: [{ bytes: '<!doctype html><html><title>Router</title></html>' }] };
    const { url } = await serve(() => page);
    expect((await failure(open(url))).message).toContain('a web page titled "Router", not JSON');
    const { url: missing } = await serve(() => ({ ...page, status: 404 }));
    expect((await failure(open(missing))).message).toContain('HTTP 404: a web page titled "Router"');
  });

  it('does not speak HTTP', async () => {
    const port = await listen(createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')));
    const { code, message } = await failure(open(`http://127.0.0.1:${port}`));
    expect(code).toBe('transport');
    expect(message).toContain('does not answer in HTTP');
  });

  it('an address that is none is a usage error', async () => {
    expect((await failure(open('ftp://somewhere/v1'))).code).toBe('usage');
  });
});

describe('keys', () => {
  const key = 'sk-test-1234567890abcdef';

  it('go to the named server, and into no field that is kept (X01)', async () => {
    const server = await serve(working());
    const url = `http://user:pa55word@127.0.0.1:${server.port}/v1?api_key=zzz999zzz`;
    const backend = await open(url, 'm', { OPENAI_API_KEY: key });
    await backend.generate(ask);
    expect(server.requests.at(-1)!.headers['authorization']).toBe(`Bearer ${key}`);
    expect(server.requests.at(-1)!.path).toContain('?api_key=zzz999zzz');
    const kept = JSON.stringify([backend.identity, backend.model, await backend.generate(ask)]);
    for (const secret of [key, 'pa55word', 'zzz999zzz']) expect(kept).not.toContain(secret);
    expect(kept).toContain(`http://***@127.0.0.1:${server.port}/v1`);
  });

  it('that no header can carry are a usage error that does not show them', async () => {
    const { code, message } = await failure(open('http://127.0.0.1:1', 'm', { SLMBENCH_API_KEY: 'sk-two\nlines-12345' }));
    expect([code, message.includes('12345')]).toEqual(['usage', false]);
  });

  it('user and password of the address are sent where there is no key', async () => {
    const server = await serve(working());
    await open(`http://user:pa55word@127.0.0.1:${server.port}`);
    expect(server.requests[0]!.headers['authorization']).toBe(`Basic ${Buffer.from('user:pa55word').toString('base64')}`);
  });

  it('echoed by a server in any form are struck out of its messages', async () => {
    const echoes = [key, Buffer.from(key).toString('base64'), 'pa55word', encodeURIComponent('zzz9 99zzz'), 'zzz9 99zzz'];
    const handler: MockHandler = (request) =>
      request.path.includes('models') ? working()(request) : json({ error: { message: `bad: ${echoes.join(' ')}` } }, 400);
    const server = await serve((request) => handler({ ...request, path: request.path.replace(/\?.*/u, '') }));
    const backend = await open(`http://user:pa55word@127.0.0.1:${server.port}/v1?key=zzz9%2099zzz`, 'm', { SLMBENCH_API_KEY: key });
    const { message } = await failure(backend.generate(ask));
    expect(message).toContain('bad: *** *** *** *** ***');
  });

  it('never follow a redirect to another host (X07)', async () => {
    const thief = await serve(() => stream(content('stolen'), finish(), done));
    const server = await serve((request) =>
      request.path.includes('models')
        ? working()(request)
        : { status: 307, headers: { location: `${thief.url}/v1/completions?token=${key}` }, pieces: [] },
    );
    const { code, message } = await failure((await open(server.url, 'm', { SLMBENCH_API_KEY: key })).generate(ask));
    expect(code).toBe('transport');
    expect(message).toContain(`redirects to ${thief.url}`);
    expect(message).not.toContain(key);
    expect(thief.requests).toHaveLength(0);
  });
});

describe('proxies and encryption', () => {
  it('a model on this machine is asked without the proxy', async () => {
    const server = await serve(working());
    const proxy = await serve(() => json({}, 502));
    const backend = await open(server.url, 'm', { HTTP_PROXY: proxy.url, http_proxy: proxy.url });
    expect((await backend.generate(ask)).text).toBe('a');
    expect(proxy.requests).toHaveLength(0);
  });

  it('a model elsewhere is asked through it', async () => {
    const proxy = await serve((request) => {
      const path = request.path.replace(/^http:\/\/models\.example/u, '');
      return working()({ ...request, path });
    });
    const backend = await open('http://models.example/v1', 'm', { HTTP_PROXY: proxy.url });
    expect((await backend.generate(ask)).text).toBe('a');
    expect(proxy.requests.length).toBeGreaterThan(1);
  });

  it('a proxy that does not answer is named without its password, unless the host is asked directly', async () => {
    const environment = { HTTP_PROXY: 'http://me:hush@127.0.0.1:9' };
    const proxied = await failure(open('http://models.invalid/v1', 'm', environment));
    expect(proxied.hint).toContain('through the proxy 127.0.0.1:9;');
    expect(`${proxied.message}${proxied.hint}`).not.toContain('hush');
    for (const excluded of ['models.invalid', '.invalid', '*', 'other.example, models.invalid:80']) {
      const direct = await failure(open('http://models.invalid/v1', 'm', { ...environment, NO_PROXY: excluded }));
      expect(direct.hint, excluded).toBe('check the address');
    }
  });

  it.skipIf(!hasOpenssl)('an unknown certificate is named, and accepted once its authority is', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slmbench-tls-'));
    cleanups.push(() => rmSync(folder, { recursive: true }));
    const certificate = makeSelfSignedCertificate(folder);
    const tls = createTlsServer(certificate, (request, response) => {
      response.setHeader('content-type', request.url === '/v1/models' ? 'application/json' : 'text/event-stream');
      response.end(request.url === '/v1/models' ? '{"data":[{"id":"m"}]}' : content('a') + finish() + done);
    });
    const port = await listen(tls);
    const { message, hint } = await failure(open(`https://127.0.0.1:${port}`));
    expect(message).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(hint).toContain('NODE_EXTRA_CA_CERTS');
    expect(
      (await (await open(`https://127.0.0.1:${port}`, 'm', { NODE_EXTRA_CA_CERTS: certificate.certificateFile })).generate(ask)).text,
    ).toBe('a');
    const plain = await failure(open(`http://127.0.0.1:${port}`));
    expect(plain.code).toBe('transport');
  });
});
