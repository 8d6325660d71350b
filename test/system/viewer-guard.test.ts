// The viewer's door: host names (DNS rebinding), origins (other sites), the token, paths, and what a write may change (X06, X07).
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startViewer, type Viewer } from '../../src/web/server/start-viewer.ts';
import { buildClient, type MadeRun, makeRun, openTestLibrary, startTestViewer, temporaryFolder } from './viewer-fixtures.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

const runsFolder = temporaryFolder('guard');
let client = '';
let viewer: Viewer;
let run: MadeRun;

/** Sends exactly what it is told: fetch would tidy up paths and refuse to set Host. */
function send(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; token?: boolean } = {},
): Promise<Answer> {
  const headers: Record<string, string> = {
    host: `127.0.0.1:${viewer.port}`,
    ...(options.token === false ? {} : { authorization: `Bearer ${viewer.token}` }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const message = request({ host: '127.0.0.1', port: viewer.port, path, method: options.method ?? 'GET', headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    });
    message.on('error', reject);
    message.end(options.body);
  });
}

const own = (): Record<string, string> => ({ origin: `http://127.0.0.1:${viewer.port}`, 'content-type': 'application/json' });
const patch = (path: string, change: unknown, headers: Record<string, string> = own()) =>
  send(path, { method: 'PATCH', headers, body: JSON.stringify(change) });

beforeAll(async () => {
  run = await makeRun({ runsFolder, samples: 12 });
  client = buildClient();
  viewer = await startTestViewer(runsFolder, client);
});
afterAll(async () => {
  await viewer.close();
  rmSync(runsFolder, { recursive: true, force: true });
});

describe('host names', () => {
  it('serves its own loopback names only', async () => {
    for (const host of [`127.0.0.1:${viewer.port}`, `localhost:${viewer.port}`, `LOCALHOST:${viewer.port}`, `[::1]:${viewer.port}`])
      expect((await send('/api/runs', { headers: { host } })).status, host).toBe(200);
    const others = [
      'evil.example',
      `evil.example:${viewer.port}`,
      '127.0.0.1',
      `127.0.0.1:${viewer.port + 1}`,
      `127.0.0.1.evil.example:${viewer.port}`,
      `0.0.0.0:${viewer.port}`,
    ];
    for (const host of others) {
      const answer = await send('/api/runs', { headers: { host } });
      expect([400, 403], host).toContain(answer.status);
      expect(answer.body).not.toContain(run.id);
    }
  });

  it('listens on loopback addresses only', async () => {
    const library = await openTestLibrary(runsFolder);
    for (const host of ['0.0.0.0', '::', '192.168.1.1', 'example.org'])
      await expect(startViewer({ library, port: 0, host, clientFolder: client })).rejects.toMatchObject({ code: 'usage' });
    const outer = Object.values(networkInterfaces())
      .flat()
      .find((one) => one !== undefined && !one.internal && one.family === 'IPv4');
    if (outer === undefined) return;
    const reached = await new Promise<boolean>((resolve) => {
      const socket = connect({ host: outer.address, port: viewer.port, timeout: 2000 }, () => resolve(true));
      socket.on('error', () => resolve(false)).on('timeout', () => resolve(false));
    });
    expect(reached).toBe(false);
  });

  it('says so when the port is taken', async () => {
    const library = await openTestLibrary(runsFolder);
    await expect(startViewer({ library, port: viewer.port, clientFolder: client })).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('taken'),
    });
  });
});

describe('token', () => {
  it('is asked for everywhere, given once, and kept in a strict cookie', async () => {
    const asset = /src="\.(\/assets\/[^"]+)"/.exec((await send('/')).body)![1]!;
    for (const path of ['/', '/api/runs', '/api/events', asset, '/nothing'])
      expect((await send(path, { token: false })).status, path).toBe(401);
    for (const wrong of ['', 'x', viewer.token.slice(1), `${viewer.token}x`, viewer.token.toUpperCase()])
      expect((await send(`/?token=${wrong}`, { token: false })).status).toBe(401);
    const first = await send(`/?token=${viewer.token}`, { token: false });
    expect(first).toMatchObject({ status: 303, headers: { location: '/' } });
    const cookie = String(first.headers['set-cookie']);
    expect(cookie).toMatch(/HttpOnly/i);
    expect(cookie).toMatch(/SameSite=Strict/i);
    const kept = { cookie: cookie.split(';')[0]! };
    expect((await send('/', { token: false, headers: kept })).status).toBe(200);
    expect((await send(asset, { token: false, headers: kept })).status).toBe(200);
    // A token in the address of anything but the page opens nothing.
    expect((await send(`/api/runs?token=${viewer.token}`, { token: false })).status).toBe(401);
  });

  it('differs from start to start', async () => {
    const other = await startTestViewer(runsFolder, client);
    expect(other.token).not.toBe(viewer.token);
    expect(viewer.token.length).toBeGreaterThanOrEqual(32);
    await other.close();
  });
});

describe('origins', () => {
  const foreign = ['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://127.0.0.1', 'http://localhost.evil.example'];

  it('refuses writes of other origins and of none', async () => {
    for (const origin of [undefined, ...foreign]) {
      const headers = { 'content-type': 'application/json', ...(origin === undefined ? {} : { origin }) };
      expect((await patch(`/api/runs/${run.id}`, { name: 'stolen' }, headers)).status, origin).toBe(403);
      expect((await send(`/api/runs/${run.id}`, { method: 'DELETE', headers })).status, origin).toBe(403);
      expect((await send(`/api/runs/${run.id}/restore`, { method: 'POST', headers })).status, origin).toBe(403);
    }
    expect(existsSync(join(run.folder, 'viewer.json'))).toBe(false);
    expect(existsSync(join(run.folder, 'record.json'))).toBe(true);
  });

  it('refuses reads that another site started, and never allows another origin', async () => {
    for (const origin of foreign) expect((await send('/api/runs', { headers: { origin } })).status).toBe(403);
    for (const site of ['cross-site', 'same-site'])
      expect((await send('/api/runs', { headers: { 'sec-fetch-site': site } })).status).toBe(403);
    const preflight = await send('/api/runs', {
      method: 'OPTIONS',
      headers: { origin: foreign[0]!, 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.status).toBe(403);
    for (const answer of [preflight, await send('/api/runs'), await send('/')])
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('paths', () => {
  const secrets = ['root:', '"name": "slmbench"'];
  const ways = ['..', '%2e%2e', '..%2f..', '%2e%2e%2f', '..%5c..', '....//', '%252e%252e', '..%00'];

  it('never leaves the client files or the list of runs', async () => {
    const paths = [
      '/../../../../../../etc/passwd',
      '/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
      '/assets/../../../package.json',
      '/assets/..%2f..%2f..%2fpackage.json',
      '//etc/passwd',
      '/etc/passwd',
      ...ways.flatMap((way) => [
        `/${way}/etc/passwd`,
        `/api/runs/${way}`,
        `/api/runs/${way}/samples`,
        `/api/runs/${way}%2fetc`,
        `/api/runs/.trash/samples`,
      ]),
    ];
    for (const path of paths) {
      const answer = await send(path);
      expect(answer.status, path).toBeGreaterThanOrEqual(400);
      expect(answer.status, path).toBeLessThan(500);
      for (const secret of secrets) expect(answer.body).not.toContain(secret);
    }
  });

  it('deletes, renames and restores nothing outside the runs folder', async () => {
    const outside = temporaryFolder('outside');
    writeFileSync(join(outside, 'keep'), 'x');
    mkdirSync(join(runsFolder, '.trash'), { recursive: true });
    for (const way of [...ways, `..%2f${outside.split('/').at(-1)}`]) {
      expect((await send(`/api/runs/${way}`, { method: 'DELETE', headers: own() })).status, way).toBeGreaterThanOrEqual(400);
      expect((await patch(`/api/runs/${way}`, { name: 'x' })).status, way).toBeGreaterThanOrEqual(400);
      expect((await send(`/api/runs/${way}/restore`, { method: 'POST', headers: own() })).status, way).toBeGreaterThanOrEqual(400);
    }
    expect(readFileSync(join(outside, 'keep'), 'utf8')).toBe('x');
    expect(existsSync(run.folder)).toBe(true);
  });

  it('does not follow links out of the runs folder', async () => {
    const elsewhere = temporaryFolder('elsewhere');
    const hidden = await makeRun({ runsFolder: elsewhere, samples: 2 });
    const link = join(runsFolder, 'linked');
    symlinkSync(hidden.folder, link);
    expect((await send('/api/runs/linked')).status).toBe(404);
    rmSync(link);
  });
});

describe('headers', () => {
  it('stand on every answer', async () => {
    for (const path of ['/', '/api/runs', '/nothing', '/api/runs/unknown']) {
      const { headers } = await send(path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-frame-options']).toBe('DENY');
    }
  });
});

describe('changes', () => {
  it('keeps name and tags beside the record, which stays as it is', async () => {
    const before = readFileSync(join(run.folder, 'record.json'), 'utf8');
    const renamed = await patch(`/api/runs/${run.id}`, { name: ' My\u0000 \u202erun ', tags: ['b', 'a', 'a', ' '] });
    expect(JSON.parse(renamed.body)).toMatchObject({ name: 'My run', tags: ['a', 'b'] });
    expect(readFileSync(join(run.folder, 'record.json'), 'utf8')).toBe(before);
    const listed = JSON.parse((await send('/api/runs?tag=a')).body) as { rows: { id: string; name: string }[] };
    expect(listed.rows).toMatchObject([{ id: run.id, name: 'My run' }]);
    const back = await patch(`/api/runs/${run.id}`, { name: null, tags: [] });
    expect(JSON.parse(back.body)).toMatchObject({ tags: [], name: expect.stringContaining('alpha') });
  });

  it('refuses wrong input and says what is wrong', async () => {
    const wrong: readonly unknown[] = [
      { name: 'x'.repeat(201) },
      { tags: ['y'.repeat(41)] },
      { tags: 'a' },
      { title: 'x' },
      { name: 4 },
      [],
    ];
    for (const change of wrong) expect((await patch(`/api/runs/${run.id}`, change)).status, JSON.stringify(change)).toBe(400);
    expect((await send(`/api/runs/${run.id}`, { method: 'PATCH', headers: own(), body: '{' })).status).toBe(400);
    expect((await patch(`/api/runs/${run.id}`, { name: 'x' }, { ...own(), 'content-type': 'text/plain' })).status).toBe(400);
    for (const query of ['outcome=x', 'limit=-1', 'limit=1e9', 'offset=x', 'unknown=1'])
      expect((await send(`/api/runs/${run.id}/samples?${query}`)).status, query).toBe(400);
    expect((await send(`/api/runs/${run.id}/samples/999999`)).status).toBe(404);
    expect((await send(`/api/runs/${run.id}x`)).body).toContain(run.id);
  });

  it('deletes into the trash and restores, but never a run that goes on', async () => {
    const lock = join(run.folder, 'lock');
    const summary = join(run.folder, 'summary.json');
    const kept = readFileSync(summary, 'utf8');
    writeFileSync(summary, kept.replace('"complete"', '"unfinished"'));
    writeFileSync(
      lock,
      JSON.stringify({ pid: process.pid, host: (await import('node:os')).hostname(), processStart: null, lockedAt: '', token: 't' }),
    );
    expect((await send(`/api/runs/${run.id}`, { method: 'DELETE', headers: own() })).status).toBe(409);
    rmSync(lock);
    writeFileSync(summary, kept);
    expect((await send(`/api/runs/${run.id}`, { method: 'DELETE', headers: own() })).status).toBe(200);
    expect((await send(`/api/runs/${run.id}`)).status).toBe(404);
    expect(existsSync(join(runsFolder, '.trash', run.id, 'record.json'))).toBe(true);
    expect((await send(`/api/runs/${run.id}/restore`, { method: 'POST', headers: own() })).status).toBe(200);
    expect((await send(`/api/runs/${run.id}`)).status).toBe(200);
  });
});
