import { expect, test } from 'vitest';
import {
  chooseTask,
  fakeBackend,
  fakeClock,
  generateTask,
  memoryWriter,
  modelToPlan,
  planOf,
  rightAnswer,
  type World,
  world,
} from '../../test/contract/run-store-fakes.ts';
import { ToolError } from '../core/errors.ts';
import { type PredictionRow, predictionRowSchema } from '../core/prediction.ts';
import { executeRun } from './execute-run.ts';
import { retryWarning } from './make-row.ts';

const outcomes = (rows: readonly PredictionRow[]): string[] =>
  rows.map((row) => (row.outcome.kind === 'error' ? row.outcome.class : row.outcome.kind));

test('every sample gets one row that matches the schema, in order at concurrency 1', async () => {
  const tasks = [generateTask(5), chooseTask(4)];
  const input = world(planOf(tasks, { set: { concurrency: 1, repeats: 2 } }), tasks);
  const done = await executeRun(input);
  expect(done).toMatchObject({ interrupted: false, total: 18, done: 18 });
  const { journal } = input.writer;
  for (const row of journal) expect(predictionRowSchema.parse(row)).toEqual(row);
  expect(journal.map((row) => `${row.task} ${row.repeat} ${row.id}`)).toEqual(
    tasks.flatMap((task) => [0, 1].flatMap((repeat) => task.rows.map((row) => `${task.key} ${repeat} ${row.id}`))),
  );
  expect(journal[0]).toMatchObject({ prediction: 'a0', raw: ' a0', finishReason: 'stop', origin: 'fresh', outcome: { kind: 'scored' } });
  expect(journal.at(-1)).toMatchObject({ predictedIndex: 0, raw: null, finishReason: null });
});

test('concurrency is bounded by plan or backend, and is 1 in a deterministic run', async () => {
  const measure = async (set: Parameters<typeof planOf>[1], preferred: number): Promise<number> => {
    let now = 0;
    let peak = 0;
    const answer = async (prompt: string): Promise<string> => {
      peak = Math.max(peak, ++now);
      await new Promise((resolve) => setTimeout(resolve, 1));
      now--;
      return rightAnswer(prompt);
    };
    const tasks = [generateTask(12)];
    await executeRun(world(planOf(tasks, set), tasks, { openModel: async () => fakeBackend({ answer, concurrency: preferred }) }));
    return peak;
  };
  expect(await measure({}, 3)).toBe(3);
  expect(await measure({ set: { concurrency: 5 } }, 3)).toBe(5);
  expect(await measure({ set: { deterministic: true, concurrency: 5 } }, 3)).toBe(1);
});

test('one warm-up request per model and kind is sent, recorded and kept out of rows', async () => {
  const tasks = [generateTask(3), generateTask(3, { key: 'again' }), chooseTask(3)];
  const backend = fakeBackend();
  const { facts } = await executeRun(world(planOf(tasks), tasks, { openModel: async () => backend }));
  expect(backend.calls()).toBe(9 + 2);
  expect(facts.sessions[0]!.warmups.map(({ task, kind }) => ({ task, kind }))).toEqual([
    { task: 'echo', kind: 'generate' },
    { task: 'pick', kind: 'score' },
  ]);
});

test('a passing failure is retried with growing pauses and marked; a lasting one becomes the outcome of its sample only', async () => {
  const tasks = [generateTask(4)];
  let passing = 2;
  const answer = (prompt: string): string => {
    if (prompt.includes('q1') && passing-- > 0) throw new ToolError('transport', 'connection reset', { isRetryable: true });
    if (prompt.includes('q2')) throw new ToolError('timeout', 'took too long');
    return rightAnswer(prompt);
  };
  const clock = fakeClock();
  const input = world(planOf(tasks, { set: { concurrency: 1 } }), tasks, { openModel: async () => fakeBackend({ answer }), clock });
  await executeRun(input);
  expect(outcomes(input.writer.journal)).toEqual(['scored', 'scored', 'timeout', 'scored']);
  expect(clock.slept).toEqual([250, 500]);
  expect(input.writer.journal[1]!.warnings.filter((warning) => warning.startsWith(retryWarning))).toHaveLength(2);
  expect(input.writer.journal[2]).toMatchObject({ prediction: null, raw: null, timing: { totalMs: null }, instruction: 'q2' });
});

test('a warning that a backend gives twice for one answer stands once in its row', async () => {
  const tasks = [generateTask(1)];
  const warning = { kind: 'compatibility' as const, message: 'system message folded' };
  const openModel: World['openModel'] = async () => {
    const backend = fakeBackend({ answer: rightAnswer });
    return { ...backend, generate: async (...args) => ({ ...(await backend.generate(...args)), warnings: [warning, warning] }) };
  };
  const input = world(planOf(tasks), tasks, { openModel });
  await executeRun(input);
  expect(input.writer.journal[0]!.warnings).toEqual([warning.message]);
});

test('each error code of a backend becomes its class', async () => {
  const codes = ['timeout', 'transport', 'context-overflow', 'backend', 'unsupported'] as const;
  const tasks = [generateTask(codes.length + 1)];
  const answer = (prompt: string): string => {
    const code = codes[Number(/q(\d)/.exec(prompt)![1])];
    if (code === undefined) throw new Error('not one of ours');
    throw new ToolError(code, code);
  };
  const input = world(planOf(tasks, { set: { concurrency: 1 } }), tasks, { openModel: async () => fakeBackend({ answer }) });
  await executeRun(input);
  expect(outcomes(input.writer.journal)).toEqual(['timeout', 'transport', 'context-overflow', 'backend', 'backend', 'backend']);
});

test('a log-probability that is no number never reaches the journal', async () => {
  const tasks = [chooseTask(3)];
  for (const bad of [Number.NaN, Number.NEGATIVE_INFINITY]) {
    const logprobs = (prompt: string): number[] => (prompt === 'q1' ? [-1, bad] : [-1, -2]);
    const input = world(planOf(tasks, { set: { concurrency: 1 } }), tasks, { openModel: async () => fakeBackend({ logprobs }) });
    await executeRun(input);
    expect(outcomes(input.writer.journal)).toEqual(['scored', 'backend', 'scored']);
  }
});

test('a model that does not load fails its samples and the next one runs', async () => {
  const tasks = [generateTask(3)];
  const models = [modelToPlan('bad'), modelToPlan('good')];
  const openModel = async ({ key }: { readonly key: string }) => {
    if (key === 'bad') throw new ToolError('memory', 'does not fit');
    return fakeBackend();
  };
  const input = world(planOf(tasks, { models }), tasks, { openModel });
  const { facts } = await executeRun(input);
  expect(outcomes(input.writer.journal)).toEqual(['backend', 'backend', 'backend', 'scored', 'scored', 'scored']);
  expect(input.writer.journal[0]!.outcome).toMatchObject({ message: expect.stringContaining('does not fit') });
  expect(facts.sessions[0]!.modelRuns.map((run) => run.model)).toEqual(['good']);
  expect(input.events.filter((event) => event.kind === 'model-failed')).toHaveLength(1);
});

test('a model that only fails is given up after a bounded number of requests', async () => {
  const tasks = [generateTask(200), generateTask(50, { key: 'more' })];
  const backend = fakeBackend({
    answer: () => {
      throw new ToolError('backend', 'broken');
    },
  });
  const input = world(planOf(tasks), tasks, { openModel: async () => backend, maxConsecutiveErrors: 5 });
  await executeRun(input);
  expect(input.writer.journal).toHaveLength(250);
  expect(backend.calls()).toBeLessThan(15);
  expect(input.writer.journal.at(-1)!.outcome).toMatchObject({
    kind: 'error',
    message: expect.stringContaining('given up after 5 errors'),
  });
});

test('prompts that overflow do not give a model up, and refuse the run where the plan says so', async () => {
  const tasks = [generateTask(30)];
  const answer = (): string => {
    throw new ToolError('context-overflow', 'prompt has 9000 tokens');
  };
  const openModel = async () => fakeBackend({ answer });
  const input = world(planOf(tasks), tasks, { openModel, maxConsecutiveErrors: 3 });
  await executeRun(input);
  expect(new Set(outcomes(input.writer.journal))).toEqual(new Set(['context-overflow']));
  const refusing = world(planOf(tasks, { set: { overflow: 'refuse' } }), tasks, { openModel });
  await expect(executeRun(refusing)).rejects.toMatchObject({ code: 'context-overflow' });
});

test('the previous model is closed and gone before the next one is opened', async () => {
  const tasks = [generateTask(2)];
  const alive = new Set<number>();
  let polls = 0;
  const isProcessAlive = (pid: number): boolean => {
    if (polls++ > 3) alive.clear();
    return alive.has(pid);
  };
  const openModel = async ({ key }: { readonly key: string }) => {
    expect(alive.size).toBe(0);
    const pid = key === 'a' ? 1 : 2;
    alive.add(pid);
    polls = 0;
    return fakeBackend({ processIds: () => [pid] });
  };
  const input = world(planOf(tasks, { models: [modelToPlan('a'), modelToPlan('b')] }), tasks, { openModel, isProcessAlive });
  const { facts } = await executeRun(input);
  expect(input.events.filter((event) => event.kind === 'model-closed')).toHaveLength(2);
  expect(facts.sessions[0]!.notes).toEqual([]);
  const stubborn = world(planOf(tasks), tasks, {
    openModel: async () => fakeBackend({ processIds: () => [7] }),
    isProcessAlive: () => true,
  });
  expect((await executeRun(stubborn)).facts.sessions[0]!.notes[0]).toContain('still in memory');
});

test('an engine restart is noticed by its new process and counted', async () => {
  const tasks = [generateTask(4)];
  let pid = 10;
  const answer = (prompt: string): string => {
    if (prompt.includes('q2')) {
      pid++;
      throw new ToolError('backend', 'the engine was killed');
    }
    return rightAnswer(prompt);
  };
  const openModel = async () => fakeBackend({ answer, processIds: () => [pid] });
  const input = world(planOf(tasks, { set: { concurrency: 1 } }), tasks, { openModel });
  const { facts } = await executeRun(input);
  expect(facts.sessions[0]!.modelRuns[0]!.restarts).toBe(1);
  expect(outcomes(input.writer.journal)).toEqual(['scored', 'scored', 'backend', 'scored']);
});

test('a resumed run asks only for what is missing and for what failed', async () => {
  const tasks = [generateTask(10)];
  const plan = planOf(tasks, { set: { concurrency: 1 } });
  const first = world(plan, tasks, {
    openModel: async () =>
      fakeBackend({
        answer: (prompt) => {
          if (prompt.includes('q3')) throw new ToolError('timeout', 'slow');
          return rightAnswer(prompt);
        },
      }),
  });
  await executeRun(first);
  const kept = first.writer.journal.slice(0, 7);
  const backend = fakeBackend();
  const second = world(plan, tasks, { openModel: async () => backend, writer: memoryWriter([...kept]), resumed: true });
  await executeRun(second);
  expect(second.writer.journal.slice(0, 7)).toEqual(kept);
  expect(second.writer.journal.slice(7).map((row) => row.instruction)).toEqual(['q3', 'q7', 'q8', 'q9']);
  expect(backend.calls()).toBe(4 + 1);
  expect(second.events[0]).toMatchObject({ kind: 'run-started', resumed: true, done: 6, total: 10 });
});

test('a run with nothing left loads no model', async () => {
  const tasks = [generateTask(3)];
  const plan = planOf(tasks);
  const first = world(plan, tasks);
  await executeRun(first);
  const openModel = async (): Promise<never> => {
    throw new Error('must not be loaded');
  };
  const again = world(plan, tasks, { openModel, writer: memoryWriter(first.writer.journal) });
  expect(await executeRun(again)).toMatchObject({ done: 3, interrupted: false });
});

test('first signal: samples in flight end and are kept, nothing new starts', async () => {
  const tasks = [generateTask(10)];
  const stop = new AbortController();
  const answer = async (prompt: string, call: number): Promise<string> => {
    if (call === 4) stop.abort();
    await new Promise((resolve) => setTimeout(resolve, 1));
    return rightAnswer(prompt);
  };
  const input = world(planOf(tasks, { set: { concurrency: 2 } }), tasks, {
    openModel: async () => fakeBackend({ answer }),
    signal: stop.signal,
  });
  const done = await executeRun(input);
  expect(done.interrupted).toBe(true);
  expect(input.writer.journal).toHaveLength(done.done);
  expect(done.done).toBeGreaterThan(0);
  expect(done.done).toBeLessThan(6);
  expect(outcomes(input.writer.journal).every((outcome) => outcome === 'scored')).toBe(true);
  expect(input.events.some((event) => event.kind === 'interrupted')).toBe(true);
  expect(done.facts.sessions[0]!.interrupted).toBe(true);
});

test('second signal: samples in flight are dropped at once, not journalled as errors', async () => {
  const tasks = [generateTask(10)];
  const stopNow = new AbortController();
  const backend = fakeBackend();
  const openModel = async () => ({
    ...backend,
    generate: async (...[request, options]: Parameters<typeof backend.generate>) => {
      if (JSON.stringify(request).includes('q2')) {
        setTimeout(() => stopNow.abort(), 1);
        await new Promise((_, reject) => options?.signal?.addEventListener('abort', () => reject(new Error('aborted'))));
      }
      return backend.generate(request, options);
    },
  });
  const input = world(planOf(tasks, { set: { concurrency: 1 } }), tasks, { openModel, stopNow: stopNow.signal });
  const done = await executeRun(input);
  expect(done).toMatchObject({ interrupted: true, done: 2 });
  expect(outcomes(input.writer.journal)).toEqual(['scored', 'scored']);
});

test('verdicts of graders are journalled; a grader that fails gives null, never 0', async () => {
  const tasks = [generateTask(3, { graders: ['tests'] })];
  const grader = {
    name: 'tests',
    version: '1',
    grade: async (row: PredictionRow) => {
      if (row.instruction === 'q1') throw new Error('sandbox broke');
      return { grader: 'tests', score: 1 };
    },
    close: async () => undefined,
  };
  const input = world(planOf(tasks, { set: { concurrency: 1 } }), tasks, { graders: [grader] });
  await executeRun(input);
  expect(input.writer.journal.map((row) => row.grades?.[0]?.score)).toEqual([1, null, 1]);
  await expect(executeRun(world(planOf(tasks), tasks))).rejects.toMatchObject({ code: 'config' });
});

test('a prompt that cannot be written and an answer that cannot be read cost their sample only', async () => {
  const base = generateTask(3);
  const tasks = [
    generateTask(3, {
      prepare: (row, context) => {
        if (row.fields['question'] === 'q0') throw new ToolError('template', 'undefined name "x"');
        return base.prepare(row, context);
      },
      read: (sample, answer, row) => {
        if (row.fields['question'] === 'q1') throw new Error('bug');
        return base.read(sample, answer, row);
      },
    }),
  ];
  const input = world(planOf(tasks, { set: { concurrency: 1 } }), tasks);
  await executeRun(input);
  expect(outcomes(input.writer.journal)).toEqual(['backend', 'backend', 'scored']);
  expect(input.writer.journal[0]!.outcome).toMatchObject({ message: expect.stringContaining('undefined name') });
});

test('a journal that cannot be written ends the run with that error and closes the model', async () => {
  const tasks = [generateTask(50)];
  const writer = memoryWriter();
  let closed = false;
  const failing = {
    ...writer,
    append: async (rows: readonly PredictionRow[]) => {
      if (writer.journal.length >= 10) throw new ToolError('storage', 'the disk is full');
      await writer.append(rows);
    },
  };
  const openModel = async () =>
    fakeBackend({
      onClose: () => {
        closed = true;
      },
    });
  await expect(executeRun(world(planOf(tasks), tasks, { writer: failing, openModel }))).rejects.toMatchObject({ code: 'storage' });
  expect(closed).toBe(true);
  expect(writer.journal.length).toBeLessThan(50);
});

test('tasks that are not those of the plan are refused', async () => {
  const plan = planOf([generateTask(3)]);
  await expect(executeRun(world(plan, []))).rejects.toMatchObject({ code: 'internal' });
  await expect(executeRun(world(plan, [generateTask(3, { digest: 'other' })]))).rejects.toThrow(/differs/);
});

test('a listener that throws does not disturb the run', async () => {
  const tasks = [generateTask(3)];
  const listener = (): never => {
    throw new Error('broken progress bar');
  };
  expect(await executeRun(world(planOf(tasks), tasks, { listener }))).toMatchObject({ done: 3 });
});

test('a task that makes a row of numbers JSON lacks costs that sample only, and the journal stays readable', async () => {
  const base = generateTask(4);
  const tasks = [
    generateTask(4, {
      read: (sample, answer, row) => ({
        ...base.read(sample, answer, row),
        ...(row.fields['question'] === 'q1' ? { rolling: { logprob: -1, tokens: Number.NaN, words: 1, bytes: 1 } } : {}),
      }),
      prepare: (row, context) => {
        const sample = base.prepare(row, context);
        return row.fields['question'] === 'q2' ? { ...sample, facts: { ...sample.facts, gold: [0.5] } } : sample;
      },
    }),
  ];
  const input = world(planOf(tasks, { set: { concurrency: 1 } }), tasks);
  await executeRun(input);
  expect(outcomes(input.writer.journal)).toEqual(['scored', 'backend', 'backend', 'scored']);
  for (const row of input.writer.journal) expect(() => predictionRowSchema.parse(row)).not.toThrow();
  expect(input.writer.journal[1]!.outcome).toMatchObject({ message: expect.stringContaining('rolling.tokens') });
});
