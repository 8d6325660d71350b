// The process protocol, against a scripted program in place of Python.
import { describe, expect, it } from 'vitest';
import { ToolError } from '../core/errors.ts';
import { startWorker } from './worker-process.ts';

/** A worker in the same protocol: `echo`, `fail`, `count` (events), `hang` (until cancelled), `die`, `noise`. */
const program = `
const out = (m) => process.stdout.write(JSON.stringify(m) + '\\n');
out({ ready: true, python: '3.11.0', pid: process.pid });
const hanging = new Set();
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text) => { const lines = (rest + text).split('\\n'); rest = lines.pop(); lines.forEach(take); }).on('close', () => process.exit(0));
function take(line) {
  const { id, method, params, cancel } = JSON.parse(line);
  if (cancel !== undefined && hanging.has(cancel)) out({ id: cancel, error: { code: 'interrupted', message: 'saved, then stopped', hint: null } });
  if (method === 'echo') out({ id, result: params });
  if (method === 'fail') out({ id, error: params });
  if (method === 'count') { for (let n = 1; n <= params; n++) out({ id, event: { n } }); out({ id, result: 'counted' }); }
  if (method === 'hang') hanging.add(id);
  if (method === 'die') { process.stderr.write('last words\\n', () => process.kill(process.pid, 'SIGKILL')); }
  if (method === 'noise') { process.stdout.write('Loading weights: 100%\\n{"id":\\n'); out({ id, result: 1 }); }
}
`;

const start = (onExit?: (error: ToolError) => void) => startWorker({ program: process.execPath, args: ['-e', program], onExit });

async function failureOf(work: Promise<unknown>): Promise<ToolError> {
  const thrown = await work.then(
    () => 'resolved',
    (error: unknown) => error,
  );
  expect(ToolError.isInstance(thrown)).toBe(true);
  return thrown as ToolError;
}

describe('worker process', () => {
  it('answers each request by its id, events in order before the answer', async () => {
    const worker = start();
    const seen: unknown[] = [];
    const texts = ['ä\u2028\n"', '', '\ud83d\ude00'];
    const answers = await Promise.all([
      ...texts.map((text) => worker.call('echo', text)),
      worker.call('count', 3, { onEvent: (event) => seen.push(event['n']) }),
    ]);
    expect(answers).toEqual([...texts, 'counted']);
    expect(seen).toEqual([1, 2, 3]);
    await worker.close();
  });

  it('passes on the code, message and hint of a failure; an unknown code becomes backend', async () => {
    const worker = start();
    const known = await failureOf(worker.call('fail', { code: 'data', message: 'no rows', hint: 'add rows' }));
    expect([known.code, known.message, known.hint]).toEqual(['data', 'no rows', 'add rows']);
    expect((await failureOf(worker.call('fail', { code: 'weird', message: 'x' }))).code).toBe('backend');
    await worker.close();
  });

  it('survives text on stdout that is no message', async () => {
    const worker = start();
    expect(await worker.call('noise', null)).toBe(1);
    expect(worker.logLines().some((line) => line.includes('Loading weights'))).toBe(true);
    await worker.close();
  });

  it('turns a killed process into an error of the calls in flight and of all later ones, with its last words', async () => {
    const exits: ToolError[] = [];
    const worker = start((error) => exits.push(error));
    const [first, second] = await Promise.all([failureOf(worker.call('hang', null)), failureOf(worker.call('die', null))]);
    expect(first.code).toBe('backend');
    expect(second.message).toContain('SIGKILL');
    expect(String((second.cause as Error).message)).toContain('last words');
    expect((await failureOf(worker.call('echo', 1))).code).toBe('backend');
    expect(exits).toHaveLength(1);
    expect(worker.processId).toBeUndefined();
    await worker.close();
  });

  it('cancels and times out, and goes on working', async () => {
    const worker = start();
    const controller = new AbortController();
    const waiting = failureOf(worker.call('hang', null, { signal: controller.signal }));
    controller.abort();
    expect((await waiting).code).toBe('interrupted');
    expect((await failureOf(worker.call('hang', null, { timeoutMs: 20 }))).code).toBe('timeout');
    expect((await failureOf(worker.call('echo', 1, { signal: controller.signal }))).code).toBe('interrupted');
    expect(await worker.call('echo', 2)).toBe(2);
    await worker.close();
  });

  it('lets a cancelled call end in its own way within the grace time', async () => {
    const worker = start();
    const controller = new AbortController();
    const waiting = failureOf(worker.call('hang', null, { signal: controller.signal, graceMs: 5000 }));
    controller.abort();
    expect((await waiting).message).toBe('saved, then stopped');
    await worker.close();
  });

  it('says so when the program cannot be started', async () => {
    const worker = startWorker({ program: '/no/such/python', args: [] });
    expect((await failureOf(worker.call('echo', 1))).message).toContain('ENOENT');
    await worker.close();
  });

  it('closes with calls in flight, more than once', async () => {
    const worker = start();
    const waiting = failureOf(worker.call('hang', null));
    await Promise.all([worker.close(), worker.close()]);
    expect((await waiting).code).toBe('interrupted');
    expect((await failureOf(worker.call('echo', 1))).code).toBe('interrupted');
  });
});
