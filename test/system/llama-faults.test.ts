// Faults: bad model files, bad adapters, a killed engine, a parent that dies. Each is a clear error, and what can go on goes on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { quantizeModel } from '../../src/backends/llama/quantize-model.ts';
import { llamaSystemInfo } from '../../src/backends/llama/system-info.ts';

import { ToolError } from '../../src/core/errors.ts';
import type { Backend } from '../../src/core/ports/backend.ts';
import { writeGguf } from '../../src/formats/gguf-writer.ts';
import { makeFolder, openModel, removeFolder, textPrompt, writeToyModel } from './llama-fixtures.ts';

const folder = makeFolder();
const toy = writeToyModel(folder);
afterAll(() => removeFolder(folder));

const score = (backend: Backend) =>
  backend.score({ prompt: textPrompt('The'), choices: [{ continuation: ' sun' }, { continuation: ' moon' }] });
const kill = (backend: Backend) => process.kill(backend.processIds()[0]!, 'SIGKILL');

/** Takes tens of seconds if nobody stops it. */
const longWork = (backend: Backend) =>
  backend.rolling({ text: 'The sun is a star. '.repeat(15_000), windowing: 'strided', windowTokens: 1024, strideTokens: 64 });

async function failure(promise: Promise<unknown>): Promise<ToolError> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  expect(ToolError.isInstance(error), String(error)).toBe(true);
  return error as ToolError;
}

describe('files that are no usable model', () => {
  it('missing, not GGUF, truncated, vocabulary only', async () => {
    expect((await failure(openModel(join(folder, 'nope.gguf')))).code).toBe('not-found');
    expect((await failure(openModel(folder))).message).toMatch(/not a file/u);
    const html = join(folder, 'page.gguf');
    writeFileSync(html, '<html>not found</html>');
    expect(await failure(openModel(html))).toMatchObject({ code: 'integrity', message: expect.stringContaining('not a GGUF') });
    const short = join(folder, 'short.gguf');
    copyFileSync(toy, short);
    truncateSync(short, 2_000_000);
    expect(await failure(openModel(short))).toMatchObject({ code: 'integrity', message: expect.stringContaining('truncated') });
    truncateSync(short, 600);
    expect((await failure(openModel(short))).code).toBe('integrity');
    const vocabulary = join(folder, 'vocab.gguf');
    writeFileSync(vocabulary, withoutTensors(readFileSync(toy)));
    expect(await failure(openModel(vocabulary))).toMatchObject({ code: 'integrity', message: expect.stringContaining('weights') });
  });

  it('an architecture that llama.cpp does not know', async () => {
    const odd = join(folder, 'odd.gguf');
    writeFileSync(odd, writeGguf([{ key: 'general.architecture', type: 'string', value: 'no-such-architecture' }], []));
    expect((await failure(openModel(odd))).code).toMatch(/unsupported|integrity/u);
  });

  it('a context that needs more memory than there is', async () => {
    const error = await failure(openModel(toy, { contextTokens: 2_000_000_000 }));
    expect(error.code).toMatch(/memory|backend/u);
    expect(error.hint).toMatch(/--context/u);
  });
});

describe('adapters', () => {
  it('says when one is missing, no adapter, or made for another model', async () => {
    const open = (path: string) => failure(openModel(toy, { adapters: [{ path, scale: 1 }] }));
    expect((await open(join(folder, 'none.gguf'))).code).toBe('not-found');
    expect((await open(toy)).message).toMatch(/adapter/u);
    const other = join(folder, 'other.gguf');
    writeFileSync(other, smallAdapter('gemma3', 576));
    expect(await open(other)).toMatchObject({ code: 'unsupported', message: expect.stringContaining('does not fit') });
    writeFileSync(other, smallAdapter('llama', 64));
    expect((await open(other)).code).toBe('unsupported');
  });

  it('moves scores by its scale, and not at scale 0', async () => {
    const path = join(folder, 'good.gguf');
    writeFileSync(path, smallAdapter('llama', 576));
    const logprobs: number[] = [];
    for (const scale of [0, 1, 2]) {
      const backend = await openModel(writeToyModel(folder, 'context'), { adapters: [{ path, scale }] });
      logprobs.push((await score(backend)).choices[0]!.logprob);
      await backend.close();
    }
    const plain = await openModel(writeToyModel(folder, 'context'));
    const without = (await score(plain)).choices[0]!.logprob;
    await plain.close();
    expect(logprobs[0]).toBeCloseTo(without, 4);
    expect(Math.abs(logprobs[1]! - without)).toBeGreaterThan(0.01);
    expect(Math.abs(logprobs[2]! - without)).toBeGreaterThan(Math.abs(logprobs[1]! - without));
  });
});

describe('an engine that dies', () => {
  it('fails what is in flight as retryable, restarts, and answers the next request', async () => {
    const restarts: string[] = [];
    const backend = await openModel(toy, {}, (reason) => restarts.push(reason));
    const before = await score(backend);
    const [firstId] = backend.processIds();
    const inFlight = failure(longWork(backend));
    await sleep(50);
    kill(backend);
    expect(await inFlight).toMatchObject({ code: 'backend', isRetryable: true, message: expect.stringContaining('SIGKILL') });
    const after = await score(backend);
    expect(after.choices[0]!.logprob).toBeCloseTo(before.choices[0]!.logprob, 6);
    expect(restarts).toHaveLength(1);
    expect(backend.processIds()[0]).not.toBe(firstId);
    await backend.close();
    expect((await failure(score(backend))).code).toMatch(/interrupted|backend/u);
  });

  it('is given up after four crashes without an answer in between', async () => {
    const backend = await openModel(toy);
    for (let round = 0; round < 4; round++) {
      const pid = backend.processIds()[0]!;
      kill(backend);
      while (round < 3 && backend.processIds()[0] === pid) await sleep(20);
    }
    await sleep(300);
    expect(await failure(score(backend))).toMatchObject({ code: 'backend', message: expect.stringContaining('in a row') });
    await backend.close();
  });

  it('times out a request without harm to the next', async () => {
    const backend = await openModel(toy, { requestTimeoutMs: 2000 });
    expect(await failure(longWork(backend))).toMatchObject({ code: 'timeout', isRetryable: true });
    expect((await score(backend)).choices).toHaveLength(2);
    await backend.close();
  });

  it('ends with its parent', async () => {
    const script = join(import.meta.dirname, 'llama-orphan-parent.ts');
    const parent = spawn(process.execPath, [script, toy], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const engineId = Number(line.toString());
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    const alive = () => {
      try {
        process.kill(engineId, 0);
        return true;
      } catch {
        return false;
      }
    };
    for (let waited = 0; waited < 3000 && alive(); waited += 50) await sleep(50);
    expect(alive()).toBe(false);
  });
});

describe('the libraries', () => {
  it('tell what they are', async () => {
    const engine = await llamaSystemInfo();
    expect(engine.version).toMatch(/\d/u);
    expect(engine.origin).toMatch(/llama|SLMBENCH/u);
    expect(engine.cpuFeatures.length).toBeGreaterThan(0);
    expect(Array.isArray(engine.devices)).toBe(true);
  });

  it('quantise a model that then answers nearly the same, and refuse nonsense', async () => {
    const output = join(folder, 'toy-q8.gguf');
    const { sizeBytes } = await quantizeModel(toy, output, 'q8_0', { threads: 1 });
    expect(sizeBytes).toBeLessThan(readFileSync(toy).length);
    const [full, small] = [await openModel(toy), await openModel(output)];
    const [expected, actual] = [await score(full), await score(small)];
    expect(actual.choices[0]!.logprob).toBeCloseTo(expected.choices[0]!.logprob, 0);
    await Promise.all([full.close(), small.close()]);
    expect(await failure(quantizeModel(toy, output, 'Q8_1'))).toMatchObject({ code: 'usage', hint: expect.stringContaining('Q8_0') });
    expect((await failure(quantizeModel(join(folder, 'nope.gguf'), output, 'Q8_0'))).code).toBe('not-found');
  });
});

/** The same GGUF header and metadata with no tensors behind it. */
function withoutTensors(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeBigUInt64LE(0n, 8);
  return copy;
}

/** A rank-1 adapter of the attention output of one layer. */
function smallAdapter(architecture: string, width: number): Uint8Array {
  const weights = (length: number, scale: number) => Float32Array.from({ length }, (_, index) => Math.sin(index) * scale);
  return writeGguf(
    [
      { key: 'general.architecture', type: 'string', value: architecture },
      { key: 'general.type', type: 'string', value: 'adapter' },
      { key: 'adapter.type', type: 'string', value: 'lora' },
      { key: 'adapter.lora.alpha', type: 'f32', value: 1 },
    ],
    [
      { name: 'blk.0.attn_output.weight.lora_a', dimensions: [width, 1], type: 'F32', data: weights(width, 0.5) },
      { name: 'blk.0.attn_output.weight.lora_b', dimensions: [1, width], type: 'F32', data: weights(width, 0.5) },
    ],
  );
}
