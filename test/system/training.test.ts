// Training through the Python worker on a generated model: equal bytes, resume after any end, alarms, and clear errors.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTransformersModel } from '../../src/backends/transformers/transformers-backend.ts';
import { requireTraining } from '../../src/python/setup-training.ts';
import { workerFile } from '../../src/python/worker-files.ts';
import { startWorker, type WorkerProcess } from '../../src/python/worker-process.ts';
import { parseTrainingRequest, type TrainerSettings } from '../../src/training/training-request.ts';
import { workerRequest } from '../../src/training/worker-request.ts';
import { toolErrorOf } from '../contract/backend-contract.ts';
import { unknownFacts } from './llama-fixtures.ts';
import { cacheDirectory, hasPython, noPython, toyBase, toyExamples, toyRequest, train } from './training-fixtures.ts';

const lora = { rank: 4, alpha: 8, dropout: 0, bias: 'none', targetModules: 'all-linear', rsLora: false, dora: false } as const;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slmbench-train-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const bytesOf = (name = 'peft') => readFileSync(join(folder, name, 'adapter_model.safetensors'));

it.runIf(!hasPython)(`not checked: ${noPython}`, () => {});

describe.skipIf(!hasPython)('a training', () => {
  it('lowers the loss, reports each step, and gives the same bytes again, whatever the threads and checkpoints', async () => {
    const { outcome, progress } = await train(toyRequest(folder, { lora: { ...lora, dropout: 0.1 } }));
    const losses = outcome.lossCurve.filter((point) => point.kind === 'train').map((point) => point.loss);
    expect(losses).toHaveLength(12);
    expect(losses.at(-1)!).toBeLessThan(losses[0]! - 0.2);
    expect(outcome.supervisedTokens).toBeGreaterThan(40);
    expect(outcome.bestStep).toBeGreaterThan(0);
    expect(outcome.adapterSizeBytes).toBe(bytesOf().length);
    expect(outcome.packages['torch']).toMatch(/^\d/u);
    const steps = progress.filter((item) => item.kind === 'step');
    expect(steps.map((item) => item.step)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    expect(steps.every((item) => item.totalSteps === 12 && item.tokensPerSecond! > 0 && item.etaSeconds! >= 0)).toBe(true);
    const changes = { threads: 2, checkpointSteps: 5, loggingSteps: 4, lora: { ...lora, dropout: 0.1 } };
    const again = await train(toyRequest(folder, changes, { adapterFolder: join(folder, 'again') }));
    expect(again.outcome.adapterDigest).toBe(outcome.adapterDigest);
    expect(readFileSync(join(folder, 'again', 'adapter_config.json'))).toEqual(readFileSync(join(folder, 'peft', 'adapter_config.json')));
    const other = await train({
      ...toyRequest(folder, { lora: { ...lora, dropout: 0.1 } }),
      seed: 4,
      adapterFolder: join(folder, 'other'),
    });
    expect(other.outcome.adapterDigest).not.toBe(outcome.adapterDigest);
  });

  it('does not depend on how a step is cut into micro-batches, and accumulation equals a larger batch', async () => {
    const whole = await train(toyRequest(folder, { batchSize: 8, dtype: 'float32' }));
    const cut = await train(
      toyRequest(
        folder,
        { batchSize: 2, gradientAccumulation: 4, microBatchSize: 1, dtype: 'float32' },
        { adapterFolder: join(folder, 'cut') },
      ),
    );
    const checkpointed = await train(
      toyRequest(folder, { batchSize: 8, dtype: 'float32', gradientCheckpointing: true }, { adapterFolder: join(folder, 'saving') }),
    );
    for (const other of [cut, checkpointed]) {
      for (const [index, { loss }] of whole.outcome.lossCurve.entries()) expect(other.outcome.lossCurve[index]!.loss).toBeCloseTo(loss, 3);
    }
  });

  it('stops early at the best validation loss and keeps those weights', async () => {
    // Held-out answers that no training row gives: the better those are learnt, the worse it gets.
    const validation = toyExamples(8).map((row) => ({ ...row, completion: 'QQQQ' }));
    const settings = {
      learningRate: 0.05,
      schedule: 'constant',
      maxSteps: 60,
      validationSteps: 4,
      earlyStopping: 3,
      warmupRatio: 0,
    } as const;
    const { outcome, progress } = await train(toyRequest(folder, settings, { validation }));
    const points = outcome.lossCurve.filter((point) => point.kind === 'validation');
    const best = points.reduce((lowest, point) => (point.loss < lowest.loss ? point : lowest));
    expect(outcome.bestStep).toBe(best.step);
    expect(outcome.globalSteps).toBe(best.step + 12);
    expect(progress.some((item) => item.message?.includes('stopped early'))).toBe(true);
    const short = await train(
      toyRequest(
        folder,
        { ...settings, maxSteps: best.step, earlyStopping: undefined },
        { validation, adapterFolder: join(folder, 'short') },
      ),
    );
    expect(outcome.adapterDigest).toBe(short.outcome.adapterDigest);
  });

  it('trains rank-stabilised LoRA on named layers', async () => {
    const { outcome } = await train(
      toyRequest(folder, { maxSteps: 4, lora: { ...lora, rsLora: true, targetModules: ['v_proj', 'o_proj'] } }),
    );
    expect(outcome.globalSteps).toBe(4);
    const config = JSON.parse(readFileSync(join(folder, 'peft', 'adapter_config.json'), 'utf8'));
    expect([config.use_rslora, config.target_modules]).toEqual([true, ['o_proj', 'v_proj']]);
  });

  it('trains with trl as well', async () => {
    const { outcome } = await train(toyRequest(folder, { trainer: 'trl', maxSteps: 6, validationSteps: 3 }));
    expect(outcome.globalSteps).toBe(6);
    expect(outcome.lossCurve.filter((point) => point.kind === 'train')).toHaveLength(6);
    expect(outcome.lossCurve.filter((point) => point.kind === 'validation')).toHaveLength(2);
  });

  it('trains in two processes to the losses of one', async () => {
    const settings = { dtype: 'float32' as const, maxSteps: 6 };
    const alone = await train(toyRequest(folder, settings));
    const request = toyRequest(
      folder,
      { ...settings, launch: { num_processes: 2, cpu: true, main_process_port: 29_641 } },
      { adapterFolder: join(folder, 'two') },
    );
    const { outcome } = await train(request);
    expect(outcome.globalSteps).toBe(6);
    for (const [index, { loss }] of alone.outcome.lossCurve.entries()) expect(outcome.lossCurve[index]!.loss).toBeCloseTo(loss, 3);
  });
});

describe.skipIf(!hasPython)('a training that was interrupted', () => {
  /** Runs it in a process of its own and kills that and its worker at a step. */
  async function killAt(step: number, request: unknown): Promise<void> {
    const script = join(folder, 'train.mjs');
    const trainer = new URL('../../src/training/peft-trainer.ts', import.meta.url).href;
    writeFileSync(
      script,
      `import { createPeftTrainer } from ${JSON.stringify(trainer)};
await createPeftTrainer({ cacheDirectory: ${JSON.stringify(cacheDirectory)} }).train(${JSON.stringify(request)}, {
  onProgress: (p) => p.kind === 'step' && console.log('step ' + p.step),
});`,
    );
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes(`step ${step}\n`)) child.kill('SIGKILL');
      });
      child.on('exit', () => resolve());
    });
    // The worker ends itself when its parent is gone.
    await sleep(1500);
  }

  it('ends in the bytes of an uninterrupted one after kill -9, twice, also with a damaged checkpoint', async () => {
    const settings = { lora: { ...lora, dropout: 0.2 }, maxSteps: 14 };
    const whole = await train(toyRequest(folder, settings, { adapterFolder: join(folder, 'whole'), checkpointFolder: join(folder, 'w') }));
    const request = toyRequest(folder, settings);
    await killAt(5, request);
    expect(readdirSync(folder)).not.toContain('peft');
    await killAt(11, request);
    const [fingerprint] = readdirSync(join(folder, 'base'));
    const checkpoints = readdirSync(join(folder, 'base', fingerprint!)).filter((name) => !name.endsWith('.part'));
    truncateSync(join(folder, 'base', fingerprint!, checkpoints.sort().at(-1)!, 'state.pt'), 1000);
    const { outcome, progress } = await train(request);
    expect(progress.some((item) => item.kind === 'alarm' && item.message?.includes('damaged'))).toBe(true);
    expect(progress.find((item) => item.message?.includes('resumed'))?.step).toBeGreaterThan(0);
    expect(outcome.adapterDigest).toBe(whole.outcome.adapterDigest);
    expect(outcome.lossCurve).toEqual(whole.outcome.lossCurve);
    expect(outcome.bestStep).toBe(whole.outcome.bestStep);
  });

  it('goes on with trl after kill -9 as well, past half a checkpoint, to the adapter of an uninterrupted one', async () => {
    const settings = { trainer: 'trl', maxSteps: 12, validationSteps: 3, checkpointSteps: 3 } as const;
    const whole = await train(toyRequest(folder, settings, { adapterFolder: join(folder, 'whole'), checkpointFolder: join(folder, 'w') }));
    const request = toyRequest(folder, settings);
    await killAt(11, request);
    const place = join(folder, 'base', readdirSync(join(folder, 'base'))[0]!);
    const newest = readdirSync(place)
      .filter((name) => name.startsWith('checkpoint-'))
      .sort((a, b) => Number(b.split('-')[1]) - Number(a.split('-')[1]))[0]!;
    truncateSync(join(place, newest, 'trainer_state.json'), 20);
    const { outcome, progress } = await train(request);
    expect(progress.some((item) => item.kind === 'alarm' && item.message?.includes('damaged'))).toBe(true);
    expect(progress.find((item) => item.message?.includes('resumed'))?.step).toBe(Number(newest.split('-')[1]) - 3);
    expect(outcome.lossCurve).toHaveLength(whole.outcome.lossCurve.length);
    for (const [index, { step, loss }] of whole.outcome.lossCurve.entries()) {
      expect(outcome.lossCurve[index]!.step).toBe(step);
      expect(outcome.lossCurve[index]!.loss).toBeCloseTo(loss, 4);
    }
    expect(outcome.adapterDigest).toBe(whole.outcome.adapterDigest);
  });

  it('writes a checkpoint when it is cancelled, and goes on from there', async () => {
    const controller = new AbortController();
    const request = toyRequest(folder, { checkpointSteps: 1000 });
    const cancelled = train(request, {
      signal: controller.signal,
      onProgress: (item) => item.kind === 'step' && item.step === 5 && controller.abort(),
    });
    expect((await toolErrorOf(cancelled)).code).toBe('interrupted');
    const { progress } = await train(request);
    expect(progress.find((item) => item.message?.includes('resumed'))?.step).toBeGreaterThanOrEqual(5);
  });

  it.skipIf(process.platform === 'win32')(
    'takes Ctrl-C of a terminal, which reaches every process, as a wish to stop in order',
    async () => {
      const script = join(folder, 'stop.mjs');
      const trainer = new URL('../../src/training/peft-trainer.ts', import.meta.url).href;
      const request = toyRequest(folder, { maxSteps: 5000, checkpointSteps: 10_000, validationSteps: 10_000 });
      writeFileSync(
        script,
        `import { createPeftTrainer } from ${JSON.stringify(trainer)};
const stop = new AbortController();
process.on('SIGINT', () => stop.abort());
await createPeftTrainer({ cacheDirectory: ${JSON.stringify(cacheDirectory)} }).train(${JSON.stringify(request)}, {
  signal: stop.signal,
  onProgress: (p) => p.kind === 'step' && console.log('step ' + p.step),
}).catch((error) => console.log('ended: ' + error.code));`,
      );
      const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
      let text = '';
      await new Promise<void>((resolve) => {
        child.stdout.setEncoding('utf8').on('data', (piece: string) => {
          const before = text;
          text += piece;
          if (text.includes('step 4\n') && !before.includes('step 4\n')) process.kill(-child.pid!, 'SIGINT');
        });
        child.on('exit', () => resolve());
      });
      expect(text).toContain('ended: interrupted');
      const [fingerprint] = readdirSync(join(folder, 'base'));
      expect(readdirSync(join(folder, 'base', fingerprint!)).filter((name) => /^step-\d+$/.test(name))).toHaveLength(1);
    },
  );

  it('never goes on from a checkpoint of other settings', async () => {
    const controller = new AbortController();
    const stop = {
      signal: controller.signal,
      onProgress: (item: { kind: string; step?: number | undefined }) => item.step === 4 && item.kind === 'step' && controller.abort(),
    };
    await toolErrorOf(train(toyRequest(folder), stop));
    const { progress } = await train(toyRequest(folder, { learningRate: 0.01 }));
    expect(progress.some((item) => item.message?.includes('resumed'))).toBe(false);
  });
});

describe.skipIf(!hasPython)('a training that cannot work', () => {
  let worker: WorkerProcess;
  beforeAll(async () => {
    const { python } = await requireTraining({ cacheDirectory });
    worker = startWorker({ program: python, args: [workerFile('worker.py')], threads: 1 });
  });
  afterAll(() => worker?.close());

  it.each<[string, Partial<TrainerSettings>, object, string, RegExp]>([
    ['target modules that do not exist', { lora: { ...lora, targetModules: ['q_prj', 'o_proj'] } }, {}, 'config', /q_prj.*$/u],
    ['examples that are all too long', { maxLength: 8 }, {}, 'data', /nothing is left to train on/u],
    [
      'a validation set that is all too long',
      { maxLength: 60 },
      { validation: toyExamples(1).map((row) => ({ ...row, prompt: row.prompt.repeat(9) })) },
      'data',
      /no usable held-out rows/u,
    ],
    ['an empty answer', {}, { examples: [{ id: 'e', prompt: 'x', completion: '' }] }, 'data', /no answer/u],
    ['4 bit weights without a GPU', { quantisation: '4bit' }, {}, 'unsupported', /GPU/u],
    ['a learning rate that changes nothing', { learningRate: 1e-12 }, {}, 'data', /no effect|untrained/u],
    [
      'parts that are not the prompt',
      {},
      { examples: [{ ...toyExamples(1)[0], promptParts: [{ kind: 'data', text: 'other' }] }] },
      'data',
      /parts of the prompt/u,
    ],
    [
      'a served prompt of other tokens',
      {},
      { examples: [{ id: 's', prompt: 'ab', completion: 'c', servedTokens: [256, 256, 97, 98] }] },
      'data',
      /first difference at position 1/u,
    ],
    [
      'a base that is no model',
      {},
      { base: { kind: 'directory', path: '/nowhere', digest: 'a'.repeat(64) } },
      'not-found',
      /config\.json/u,
    ],
  ])('refuses %s', async (_name, settings, changes, code, message) => {
    const request = parseTrainingRequest({ ...toyRequest(folder, settings), ...changes });
    const error = await toolErrorOf(worker.call('train', workerRequest(request, cacheDirectory)));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    if (code === 'config') expect(error.hint).toMatch(/q_proj.*did you mean q_proj/u);
    expect(readdirSync(folder)).not.toContain('peft');
  });

  it('leaves out rows that are too long, counts and names them, and cuts none', async () => {
    const examples = [...toyExamples(12), { id: 'giant', prompt: 'y'.repeat(300), completion: 'z' }];
    const { outcome, progress } = await train({ ...toyRequest(folder, { maxSteps: 3, maxLength: 100 }), examples });
    expect(outcome.diagnostics['tooLong']).toBe(1);
    expect(progress.some((item) => item.message?.includes('giant'))).toBe(true);
  });

  it('takes control tokens from the template only, and one BOS', async () => {
    const text = 'Hi<|im_end|>';
    const request = {
      ...toyRequest(folder, { maxSteps: 1, learningRate: 1 }),
      validation: [],
      examples: [
        {
          id: 'a',
          prompt: `<|im_start|>${text}<|im_end|>`,
          promptParts: [
            { kind: 'template', text: '<|im_start|>' },
            { kind: 'data', text },
            { kind: 'template', text: '<|im_end|>' },
          ],
          completion: 'ok<|im_end|>',
          servedTokens: [256, 258, ...Buffer.from(text), 259],
        },
        { id: 'b', prompt: '<|begin|>x', completion: 'y', servedTokens: [256, 120] },
      ],
    };
    expect((await train(request)).outcome.globalSteps).toBe(1);
  });

  it('stops when the loss is no number, with an alarm', async () => {
    const request = toyRequest(folder, { learningRate: 1e30, maxGradientNorm: 1e30, schedule: 'constant', maxSteps: 30 });
    const alarms: string[] = [];
    const error = await toolErrorOf(train(request, { onProgress: (item) => item.kind === 'alarm' && alarms.push(item.message!) }));
    expect(error.message).toContain('not a number');
    expect(alarms.length).toBeGreaterThan(0);
    expect(readdirSync(folder)).not.toContain('peft');
  });
});

describe.skipIf(!hasPython)('an adapter', () => {
  it('is refused by another base, and by damage, and moves the answers of its own', async () => {
    const request = toyRequest(folder, { learningRate: 0.1 });
    await train(request);
    const open = (base: { path: string; digest: string }, adapters: { path: string; scale: number }[]) =>
      openTransformersModel({
        kind: 'gguf',
        path: base.path,
        facts: { ...unknownFacts, digest: base.digest },
        options: { threads: 1, contextTokens: 512, adapters },
      });
    const adapter = { path: request.adapterFolder, scale: 1 };
    const other = toyBase(folder, 'bigram');
    expect((await toolErrorOf(open(other, [adapter]))).message).toContain('another base');
    const score = { prompt: { kind: 'text', text: 'item 3' } as const, choices: [{ continuation: 'even' }] };
    const values: number[] = [];
    for (const adapters of [[], [adapter], [{ ...adapter, scale: 0.5 }]]) {
      const backend = await open(request.base, adapters);
      values.push((await backend.score(score)).choices[0]!.logprob);
      await backend.close();
    }
    expect(Math.abs(values[1]! - values[0]!)).toBeGreaterThan(1e-3);
    expect(Math.abs(values[2]! - values[1]!)).toBeGreaterThan(1e-4);
    truncateSync(join(request.adapterFolder, 'adapter_model.safetensors'), 5000);
    expect((await toolErrorOf(open(request.base, [adapter]))).code).toBe('integrity');
  });
});
