// A small server that speaks the part of the hub's API that is used: HEAD and GET of resolve addresses (a large file redirects
// to a second "content" server with range reads), revisions, trees in pages, gates.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HubFile {
  readonly content: Buffer;
  readonly large: boolean;
}

export interface LoopbackHub {
  readonly url: string;
  readonly commit: string;
  readonly requests: { readonly server: 'hub' | 'content'; readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }[];
  /** The content server breaks the connection once after this many bytes of the next answer. */
  breakAfterBytes: number | undefined;
  gated: boolean;
  busyTimes: number;
  hubBusyTimes: number;
  readonly close: () => Promise<void>;
}

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

export async function startLoopbackHub(prefix: string, files: Readonly<Record<string, HubFile>>): Promise<LoopbackHub> {
  const commit = createHash('sha1').update(JSON.stringify(Object.keys(files))).digest('hex');
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');
  const gitId = (content: Buffer) => createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
  const state = { breakAfterBytes: undefined as number | undefined, gated: false, busyTimes: 0, hubBusyTimes: 0 };
  const requests: LoopbackHub['requests'] = [];
  const note = (server: 'hub' | 'content', request: IncomingMessage) =>
    requests.push({ server, method: request.method!, url: request.url!, headers: request.headers });

  const serveBytes = (content: Buffer, etag: string, request: IncomingMessage, response: ServerResponse) => {
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    const isFresh = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
    const start = range !== null && isFresh ? Number(range[1]) : 0;
    const end = range !== null && isFresh && range[2] !== '' ? Number(range[2]) + 1 : content.length;
    const part = content.subarray(start, end);
    response.writeHead(range !== null && isFresh ? 206 : 200, {
      etag,
      'content-length': part.length,
      ...(range !== null && isFresh ? { 'content-range': `bytes ${start}-${end - 1}/${content.length}` } : {}),
    });
    if (request.method === 'HEAD') return void response.end();
    if (state.breakAfterBytes === undefined) return void response.end(part);
    response.write(part.subarray(0, state.breakAfterBytes), () => setTimeout(() => response.destroy(), 20));
    state.breakAfterBytes = undefined;
  };

  const content = createServer((request, response) => {
    note('content', request);
    const name = decodeURIComponent(request.url!.slice(1));
    if (state.busyTimes > 0) {
      state.busyTimes--;
      return void response.writeHead(429, { 'retry-after': '1' }).end();
    }
    serveBytes(files[name]!.content, `"${sha256(files[name]!.content)}"`, request, response);
  });
  const contentUrl = await listen(content);

  const hub = createServer((request, response) => {
    note('hub', request);
    if (state.hubBusyTimes > 0) {
      state.hubBusyTimes--;
      return void response.writeHead(429, { 'retry-after': '1' }).end();
    }
    const url = new URL(request.url!, 'http://hub');
    const fail = (status: number, code: string, message: string) =>
      void response.writeHead(status, { 'x-error-code': code, 'x-error-message': message }).end();
    if (state.gated && request.headers.authorization !== 'Bearer good') return fail(401, 'GatedRepo', 'Access to this repository is restricted.');
    const kind = prefix.startsWith('datasets/') ? 'datasets' : 'models';
    const repository = prefix.replace(/^datasets\//, '');
    const api = `/api/${kind}/${repository}`;
    if (url.pathname === `${api}/revision/main`) return void response.end(JSON.stringify({ sha: commit }));
    if (url.pathname === `${api}/tree/${commit}`) return tree(url, response);
    const resolve = new RegExp(`^/${prefix}/resolve/([^/]+)/(.+)$`).exec(url.pathname);
    if (resolve === null) return fail(404, 'RepoNotFound', 'Repository not found');
    if (!['main', commit].includes(resolve[1]!)) return fail(404, 'RevisionNotFound', 'Invalid rev id');
    const name = decodeURIComponent(resolve[2]!);
    const file = files[name];
    if (file === undefined) return fail(404, 'EntryNotFound', 'Entry not found');
    response.setHeader('x-repo-commit', commit);
    if (!file.large) return serveBytes(file.content, `"${gitId(file.content)}"`, request, response);
    response.writeHead(302, {
      location: `${contentUrl}/${encodeURIComponent(name)}`,
      'x-linked-etag': `"${sha256(file.content)}"`,
      'x-linked-size': file.content.length,
    });
    response.end();
  });
  const tree = (url: URL, response: ServerResponse) => {
    const names = Object.keys(files);
    const from = Number(url.searchParams.get('cursor') ?? 0);
    const page = names.slice(from, from + 2).map((path) => ({ type: 'file', path, size: files[path]!.content.length }));
    const rest = `<${hubUrl}${url.pathname}?recursive=true&cursor=${from + 2}>; rel="next"`;
    response.writeHead(200, from + 2 < names.length ? { link: rest } : {}).end(JSON.stringify(page));
  };
  const hubUrl = await listen(hub);
  const stop = (server: Server) => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve())));
  return Object.assign(state, {
    url: hubUrl,
    commit,
    requests,
    close: async () => {
      await Promise.all([stop(hub), stop(content)]);
    },
  });
}
