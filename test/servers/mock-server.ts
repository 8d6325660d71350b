// A small HTTP server whose replies are given byte by byte and moment by moment: every way in which a stream can be cut, with a known truth.

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

export interface MockRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Position of this request on its connection, from 0. */
  readonly indexOnConnection: number;
}

/** A piece of a body, written by itself so that it arrives as a network block of its own. */
export interface MockPiece {
  readonly bytes: string | Buffer;
  /** Moment of writing, ms after the request was read; the distance to the piece before is kept when that was late. @default at once */
  readonly atMs?: number | undefined;
}

export interface MockReply {
  readonly status?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly pieces: readonly MockPiece[];
  /**
   * `complete`: the body ends as HTTP demands. `close`: the same, then the connection is closed. `cut`: the connection is closed in the
   * middle of the body. `reset`: it is broken at once. `hang`: nothing more comes.
   * @default 'complete'
   */
  readonly end?: 'complete' | 'close' | 'cut' | 'reset' | 'hang' | undefined;
}

export type MockHandler = (request: MockRequest) => MockReply;

export interface MockServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  readonly requests: readonly MockRequest[];
  readonly connections: () => number;
  readonly close: () => Promise<void>;
}

/** Starts the server on a free port of this machine. Bodies are sent chunked, one HTTP chunk per piece. */
export async function openMockServer(handler: MockHandler): Promise<MockServer> {
  const requests: MockRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer({ noDelay: true }, (socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    serve(socket, (request) => {
      requests.push(request);
      return handler(request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Reads requests of one connection, one after the other, and answers each. */
function serve(socket: Socket, handler: MockHandler): void {
  let held: Buffer = Buffer.alloc(0);
  let index = 0;
  let busy = false;
  const next = (): void => {
    if (busy) return;
    const taken = takeRequest(held, index);
    if (taken === null) return;
    held = taken.rest;
    index++;
    busy = true;
    send(socket, handler(taken.request), () => {
      busy = false;
      next();
    });
  };
  socket.on('data', (block: Buffer) => {
    held = held.length === 0 ? block : Buffer.concat([held, block]);
    next();
  });
}

function takeRequest(bytes: Buffer, indexOnConnection: number): { readonly request: MockRequest; readonly rest: Buffer } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) headers[line.slice(0, line.indexOf(':')).toLowerCase()] = line.slice(line.indexOf(':') + 1).trim();
  const bodyStart = end + 4;
  const bodyEnd = bodyStart + Number(headers['content-length'] ?? 0);
  if (bytes.length < bodyEnd) return null;
  const [method = '', path = ''] = first.split(' ');
  const body = bytes.toString('utf8', bodyStart, bodyEnd);
  return { request: { method, path, headers, body, indexOnConnection }, rest: bytes.subarray(bodyEnd) };
}

function send(socket: Socket, { status = 200, headers = {}, pieces, end = 'complete' }: MockReply, done: () => void): void {
  const startMs = performance.now();
  const all = { 'content-type': 'text/event-stream', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const closes = end === 'close' ? 'connection: close\r\n' : '';
  let head: string | null = `HTTP/1.1 ${status} Mock\r\ntransfer-encoding: chunked\r\n${closes}${lines.join('')}\r\n`;
  const write = (data: Buffer | string): void => {
    const body = typeof data === 'string' ? Buffer.from(data) : data;
    const framed = body.length === 0 ? [] : [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n')];
    socket.write(Buffer.concat([Buffer.from(head ?? ''), ...framed]));
    head = null;
  };
  const finish = (): void => {
    if (head !== null && end !== 'reset') write('');
    if (end === 'reset') socket.resetAndDestroy();
    else if (end === 'cut') socket.destroySoon();
    else if (end !== 'hang') {
      socket.write('0\r\n\r\n');
      if (end === 'close') socket.end();
      done();
    }
  };
  const step = (index: number): void => {
    const piece = pieces[index];
    if (piece === undefined) {
      finish();
      return;
    }
    const { atMs = 0 } = piece;
    const waitMs = Math.max(atMs - (performance.now() - startMs), atMs - (pieces[index - 1]?.atMs ?? atMs));
    const go = (): void => {
      if (socket.destroyed) return;
      write(piece.bytes);
      // A turn of the loop between two pieces keeps them apart on the wire.
      if (pieces.length > index + 1 && piece.atMs === undefined) setImmediate(step, index + 1);
      else step(index + 1);
    };
    if (waitMs > 0) setTimeout(go, waitMs);
    else go();
  };
  step(0);
}
