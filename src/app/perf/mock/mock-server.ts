// A server that streams fixed answers as fast or as evenly as asked: what `perf calibrate` measures this client against.
// Runs as a process of its own, so that its work is not the client's.
import { createServer, type Socket } from 'node:net';

export interface MockShape {
  readonly chunks: number;
  /** Delay of the first chunk and between chunks, ms; 0 sends without waiting. */
  readonly firstMs: number;
  readonly gapMs: number;
}

const frame = (body: string): string => `data: ${body}\n\n`;
const chunk = (delta: object, finish: string | null): string =>
  frame(
    JSON.stringify({
      id: 'chatcmpl-mock',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'mock',
      choices: [{ index: 0, delta, finish_reason: finish }],
    }),
  );

function usageFrame(chunks: number): string {
  const usage = { prompt_tokens: 16, completion_tokens: chunks, total_tokens: 16 + chunks };
  return frame(JSON.stringify({ id: 'chatcmpl-mock', object: 'chat.completion.chunk', created: 1, model: 'mock', choices: [], usage }));
}

/** HTTP/1.1 chunked transfer coding of one piece. */
function transfer(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
}

const head = Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n');
const endOfBody = Buffer.from('0\r\n\r\n');
const models = JSON.stringify({ object: 'list', data: [{ id: 'mock', object: 'model', created: 1, owned_by: 'mock' }] });
const pieces = { role: transfer(chunk({ role: 'assistant', content: '' }, null)), token: transfer(chunk({ content: ' word' }, null)) };

function answerWith(socket: Socket, text: string, status = '200 OK'): void {
  socket.write(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

/** What each answer's first chunk really took, ms, in order of arrival: timers are late by up to a millisecond, which is not the client's doing. */
let firstDelaysMs: number[] = [];

/** One write per chunk, as servers do. */
function stream(socket: Socket, shape: MockShape): void {
  const delays = firstDelaysMs;
  const order = delays.push(0) - 1;
  const last = [transfer(chunk({}, 'stop')), transfer(usageFrame(shape.chunks)), transfer('data: [DONE]\n\n'), endOfBody];
  let sent = 0;
  const startMs = performance.now();
  const dueMs = (): number => startMs + shape.firstMs + sent * shape.gapMs;
  const step = (): void => {
    if (socket.destroyed) return;
    const isPaced = shape.firstMs > 0 || shape.gapMs > 0;
    while (sent < shape.chunks && (!isPaced || dueMs() <= performance.now())) {
      if (sent === 0) delays[order] = performance.now() - startMs;
      socket.write(pieces.token);
      sent++;
      if (!isPaced && sent % 16 === 0) break;
    }
    if (sent >= shape.chunks) {
      for (const piece of last) socket.write(piece);
    } else if (isPaced) setTimeout(step, Math.max(0, dueMs() - performance.now()));
    else setImmediate(step);
  };
  socket.write(head);
  socket.write(pieces.role);
  step();
}

/** Enough HTTP for one client: requests with a content-length, one after the other on each connection. */
function serve(socket: Socket, shapeOf: () => MockShape): void {
  let buffered: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('data', (data: Buffer) => {
    buffered = buffered.length === 0 ? data : Buffer.concat([buffered, data]);
    for (;;) {
      const end = buffered.indexOf('\r\n\r\n');
      if (end === -1) return;
      const header = buffered.toString('latin1', 0, end);
      const length = Number(/content-length: *(\d+)/i.exec(header)?.[1] ?? 0);
      if (buffered.length < end + 4 + length) return;
      buffered = buffered.subarray(end + 4 + length);
      const path = header.slice(0, header.indexOf('\r\n')).split(' ')[1] ?? '';
      if (path.endsWith('/chat/completions')) stream(socket, shapeOf());
      else if (path.endsWith('/models')) answerWith(socket, models);
      else answerWith(socket, '{"error":{"message":"the mock has no such path"}}', '404 Not Found');
    }
  });
}

let shape: MockShape = { chunks: 64, firstMs: 0, gapMs: 0 };
const server = createServer((socket) => serve(socket, () => shape));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ kind: 'listening', port: typeof address === 'object' && address !== null ? address.port : 0 });
});
process.on('message', (message: { readonly shape: MockShape } | 'first-delays') => {
  if (message === 'first-delays') process.send?.({ kind: 'first-delays', delaysMs: firstDelaysMs });
  else {
    shape = message.shape;
    process.send?.({ kind: 'ready' });
  }
  firstDelaysMs = [];
});
process.on('disconnect', () => process.exit(0));
