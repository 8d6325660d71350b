// Faulty servers through the command line, for `run` and `perf` alike: what is wrong is said, failed samples are errors, no figure is made up.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/core/record.ts';
import { hasOpenssl, makeSelfSignedCertificate } from '../fixtures/self-signed-certificate.ts';
import { fakeOpenai } from '../servers/fake-openai.ts';
import { type MockHandler, type MockReply, type MockServer, openMockServer } from '../servers/mock-server.ts';
import { content, done, finish, json, role, stream, usage } from '../servers/openai-replies.ts';
import { type CliResult, runCli, temporaryFolder } from './run-cli.ts';

const key = 'sk-secret-42424242424242';
const verbs = ['run', 'perf'] as const;
type Verb = (typeof verbs)[number];

let cwd: string;
const open: { readonly close: () => unknown }[] = [];
beforeAll(async () => {
  cwd = await temporaryFolder();
});
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
  for (const name of ['runs']) rmSync(join(cwd, name), { recursive: true, force: true });
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function serve(handler: MockHandler): Promise<MockServer> {
  const server = await openMockServer(handler);
  open.push(server);
  return server;
}

const usual = fakeOpenai({ model: 'm', answers: {}, contextTokens: 4096 });

/** Lists its model as it should, and answers every question in one faulty way. */
function answering(reply: () => MockReply): Promise<MockServer> {
  return serve((request) => (request.path.endsWith('/chat/completions') ? reply() : usual(request)));
}

async function listen(server: Server | ReturnType<typeof createTlsServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return (server.address() as AddressInfo).port;
}

function ask(verb: Verb, model: string, env: Record<string, string> = {}): Promise<CliResult> {
  const own =
    verb === 'run'
      ? ['-t', 'sentiment-mini', '-n', '4', '--no-profile']
      : ['--text', 'questions', '-n', '6', '--warm-up', '0', '--output-tokens', '8', '--no-profile'];
  return runCli([verb, '-m', model, ...own, '-q', '-o', 'runs'], { cwd, env: { OPENAI_API_KEY: key, ...env } });
}

function record(): RunRecord {
  const [run] = readdirSync(join(cwd, 'runs'));
  return JSON.parse(readFileSync(join(cwd, 'runs', run!, 'record.json'), 'utf8')) as RunRecord;
}

/** The one error line and its hint; neither a stack nor the key. */
function expectRefusal({ code, stderr, stdout }: CliResult, wantedCode: number, message: RegExp, hint: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(hint);
  expect(code, stderr).toBe(wantedCode);
  expect(`${stderr}${stdout}`).not.toContain(key);
  expect(stderr).not.toMatch(/internal error|\n\s+at /);
}

describe.each(verbs)('%s: a server that cannot be used is told at once, and leaves no run behind', (verb) => {
  test('not running', async () => {
    expectRefusal(
      await ask(verb, 'openai:m@http://127.0.0.1:1/v1'),
      1,
      /127\.0\.0\.1:1\/v1 refused the connection/,
      /is the server running, and is that its port/,
    );
    if (verb === 'perf') expect(readdirSync(join(cwd, 'runs'))).toEqual([]);
  });

  test('a port of something else: a web page', async () => {
    const page = await serve(() => ({ headers: { 'content-type': 'text/html' }, pieces: [{ bytes: '<html><title>Router</title>' }] }));
    expectRefusal(await ask(verb, `openai:m@${page.url}/v1`), 1, /a web page titled "Router", not JSON/, /usually end in \/v1/);
  });

  test('another model than it serves', async () => {
    const models = ['smollm2-135m', 'qwen3-0.6b', 'gemma-3-1b'];
    const server = await serve(() => json({ data: models.map((id) => ({ id, object: 'model' })) }));
    expectRefusal(
      await ask(verb, `openai:qwen3-0.5b@${server.url}/v1`),
      2,
      /serves no model "qwen3-0\.5b"/,
      /did you mean "qwen3-0\.6b"\?/,
    );
  });

  test('without its key', async () => {
    const server = await serve(({ headers }) => json({ error: { message: `unknown key ${headers['authorization']}` } }, 401));
    expectRefusal(await ask(verb, `openai:m@${server.url}/v1`), 1, /answered HTTP 401/, /SLMBENCH_API_KEY/);
  });

  test('https where it speaks http', async () => {
    const port = await listen(createHttpServer((_, response) => response.end('{}')));
    expectRefusal(await ask(verb, `openai:m@https://127.0.0.1:${port}/v1`), 1, /no encrypted connection could be made/, /try http:\/\//);
  });

  test.skipIf(!hasOpenssl)('a certificate that nobody vouches for', async () => {
    const certificate = makeSelfSignedCertificate(cwd);
    const tls = createTlsServer(certificate, (request, response) => {
      response.setHeader('content-type', request.url === '/v1/models' ? 'application/json' : 'text/event-stream');
      response.end(request.url === '/v1/models' ? '{"data":[{"id":"m"}]}' : role + content('positive') + finish() + usage(1) + done);
    });
    const model = `openai:m@https://127.0.0.1:${await listen(tls)}/v1`;
    expectRefusal(await ask(verb, model), 1, /DEPTH_ZERO_SELF_SIGNED_CERT/, /NODE_EXTRA_CA_CERTS/);
    expect((await ask(verb, model, { NODE_EXTRA_CA_CERTS: certificate.certificateFile })).code).toBe(0);
  });

  test('behind a proxy that does not run, without its password in the message', async () => {
    const env = { HTTP_PROXY: 'http://me:hush-hush@127.0.0.1:9', NO_PROXY: '' };
    const result = await ask(verb, 'openai:m@http://models.invalid/v1', env);
    expectRefusal(result, 1, /models\.invalid\/v1 refused the connection/, /through the proxy 127\.0\.0\.1:9; NO_PROXY/);
    expect(result.stderr).not.toContain('hush-hush');
  });

  test('on this machine is asked without the proxy', async () => {
    const server = await answering(() => stream(role, content('positive'), finish(), usage(1), done));
    expect(
      (await ask(verb, `openai:m@${server.url}/v1`, { HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' })).code,
    ).toBe(0);
  });
});

const endless = Array.from({ length: 20_000 }, () => ({ bytes: content('and so on ') }));
const faults: readonly (readonly [string, () => MockReply, RegExp])[] = [
  [
    'a web page',
    () => ({ headers: { 'content-type': 'text/html' }, pieces: [{ bytes: '<html><title>Sorry</title>' }] }),
    /"Sorry", not JSON/,
  ],
  ['a stream without end', () => ({ pieces: endless, end: 'hang' }), /sent more than \d+ chunks for max_tokens \d+: it ignores the limit/],
  ['a line of ten megabytes', () => stream(`data: ${'x'.repeat(10_000_000)}`), /a line of more than 8 MiB/],
  ['an error event after HTTP 200', () => stream(role, 'data: {"error":{"message":"out of memory"}}\n\n'), /out of memory/],
  ['an end in the middle', () => ({ pieces: [{ bytes: role + content('po') }], end: 'cut' }), /broke|early/],
  ['HTTP 500', () => json({ error: { message: 'it fell over' } }, 500), /HTTP 500: it fell over/],
];

describe.each(verbs)('%s: a server that answers wrongly', (verb) => {
  test.each(faults)('%s', async (_, reply, message) => {
    const server = await answering(reply);
    const { code, stdout, stderr } = await ask(verb, `openai:m@${server.url}/v1`);
    expect(code, stderr).toBe(1);
    expect(stdout).toMatch(message);
    expect(stdout).toContain('invalid');
    expect(stderr).not.toMatch(/internal error|\n\s+at /);
    expect(JSON.stringify(record())).not.toContain('NaN');
  });

  test('an answer of no tokens is empty, not a time of 0', async () => {
    const server = await answering(() => stream(role, finish(), usage(0), done));
    const { code, stdout } = await ask(verb, `openai:m@${server.url}/v1`);
    expect(stdout).toMatch(verb === 'perf' ? /6 of 6 answers are empty/ : /no answer could be read \(empty 4\)/);
    expect(code).toBe(verb === 'perf' ? 1 : 0);
    const kept = JSON.stringify(record());
    expect(kept).toContain('"ttft');
    expect(kept).not.toMatch(/"ttft(Ms)?":\{[^}]*"p50":0[,}]/);
  });

  test('a redirect to another host: not followed, no key leaves', async () => {
    const thief = await serve(() => stream(content('stolen'), finish(), done));
    const server = await answering(() => ({ status: 307, headers: { location: `${thief.url}/v1/chat/completions` }, pieces: [] }));
    const { code, stdout } = await ask(verb, `openai:m@${server.url}/v1`);
    expect(code).toBe(1);
    expect(stdout).toContain(`redirects to ${thief.url}`);
    expect(thief.requests).toHaveLength(0);
    expect(server.requests.some(({ headers }) => headers['authorization'] === `Bearer ${key}`)).toBe(true);
  });
});

describe('a storm of refusals', () => {
  const refusal = (): MockReply => json({ error: { message: 'too many' } }, 429, { 'retry-after': '0.01' });

  test('perf counts each as what it is: a refusal, not a server that went away', async () => {
    const server = await answering(refusal);
    const { code, stdout } = await ask('perf', `openai:m@${server.url}/v1`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/6 of 6 requests failed \(refused 6\); the first: .*HTTP 429: too many/);
    expect(record().status).toBe('failed');
  });

  test('perf: refusals at the end leave a complete run with its errors', async () => {
    let calls = 0;
    const server = await answering(() => (++calls > 3 ? refusal() : stream(role, content('a'), content('b'), finish(), usage(2), done)));
    const { stdout } = await ask('perf', `openai:m@${server.url}/v1`);
    expect(stdout).toContain('3 of 6 requests failed (refused 3)');
    expect(record().status).toBe('complete');
  });

  test('run waits and asks again: no sample is lost', async () => {
    let calls = 0;
    const server = await answering(() => (++calls % 3 === 0 ? stream(role, content('positive'), finish(), usage(1), done) : refusal()));
    expect((await ask('run', `openai:m@${server.url}/v1`)).code).toBe(0);
    expect(record().results[0]!.counts).toMatchObject({ total: 4, error: 0 });
  });
});
