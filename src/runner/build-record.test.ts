import { expect, test } from 'vitest';
import {
  createScorer,
  fakeBackend,
  generateTask,
  memoryWriter,
  modelToPlan,
  origin,
  planOf,
  rightAnswer,
  type World,
  world,
} from '../../test/contract/run-store-fakes.ts';
import { ToolError } from '../core/errors.ts';
import { canonicalJson } from '../core/json.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { type RunRecord, runRecordSchema } from '../core/record.ts';
import { canonicalLines } from './canonical-record.ts';
import { executeRun } from './execute-run.ts';
import { finishRun } from './finish-run.ts';
import type { RunFacts } from './run-facts.ts';
import { verifyRun } from './verify-run.ts';

interface Finished {
  readonly input: World;
  readonly facts: RunFacts;
  readonly record: RunRecord;
}

async function runAndFinish(input: World): Promise<Finished> {
  const { facts } = await executeRun(input);
  const { plan, writer } = input;
  const record = await finishRun({ plan, writer, facts, createScorer });
  return { input, facts, record: JSON.parse(JSON.stringify(record)) };
}

function verify({ input, facts, record }: Finished): ReturnType<typeof verifyRun> {
  const { plan, writer } = input;
  return verifyRun({ plan, record, facts, rows: writer.rows, createScorer, digestArtifact: writer.digestArtifact });
}

const failOn = (question: string) => (prompt: string) => {
  if (prompt.includes(`${question}\n`)) throw new ToolError('timeout', 'slow');
  return rightAnswer(prompt);
};

test('the record matches its schema and verifies', async () => {
  const tasks = [generateTask(40), generateTask(35, { key: 'more' })];
  const finished = await runAndFinish(world(planOf(tasks, { models: [modelToPlan('a'), modelToPlan('b')] }), tasks));
  const { record } = finished;
  expect(runRecordSchema.parse(record)).toEqual(record);
  expect(record.status).toBe('complete');
  expect(record.results.map(({ model, task }) => `${model} ${task}`)).toEqual(['a echo', 'a more', 'b echo', 'b more']);
  expect(record.results[0]).toMatchObject({
    counts: { total: 40, scored: 40, fresh: 40, missing: 0 },
    primary: { value: 1, n: 40 },
    validity: { verdict: 'valid' },
  });
  expect(record.results[0]!.speed).toMatchObject({
    n: 40,
    latencyMs: { p50: 3 },
    prefillTokensPerSecond: 10_000,
    decodeTokensPerSecond: 1000,
  });
  expect(await verify(finished)).toEqual([]);
});

test('failed requests enter neither score nor times, and fail the run beyond the tolerance', async () => {
  const tasks = [generateTask(40)];
  const openModel = async () => fakeBackend({ answer: failOn('q5') });
  const strict = await runAndFinish(world(planOf(tasks), tasks, { openModel }));
  expect(strict.record.status).toBe('failed');
  expect(strict.record.results[0]).toMatchObject({
    counts: { scored: 39, error: 1, errorClasses: { timeout: 1 } },
    primary: { value: 1, n: 39 },
    speed: { n: 39, latencyMs: { n: 39 } },
    validity: {
      verdict: 'invalid',
      reasons: expect.arrayContaining([{ code: 'errors', message: '1 of 40 samples failed (timeout 1); the first: slow' }]),
    },
  });
  const tolerant = await runAndFinish(world(planOf(tasks, { set: { maxErrorRate: 0.05 } }), tasks, { openModel }));
  expect(tolerant.record.status).toBe('complete');
  expect(tolerant.record.results[0]!.validity.verdict).toBe('suspect');
});

test('a run without a single answer has nulls, never 0, NaN or a crash', async () => {
  const tasks = [generateTask(4, { groups: ['g'] }), generateTask(4, { key: 'more', groups: ['g'] })];
  const openModel = async (): Promise<never> => {
    throw new ToolError('memory', 'does not fit');
  };
  const finished = await runAndFinish(world(planOf(tasks), tasks, { openModel }));
  const { record } = finished;
  expect(record.status).toBe('failed');
  expect(record.results[0]).toMatchObject({
    primary: { value: null, n: 0 },
    speed: { n: 0, latencyMs: { n: 0, p50: null, mean: null }, decodeTokensPerSecond: null, samplesPerSecond: null },
    resources: null,
    validity: { verdict: 'invalid' },
  });
  expect(record.groups[0]!.value).toMatchObject({ value: null, n: 0, interval: null });
  expect(() => canonicalJson(record)).not.toThrow();
  expect(await verify(finished)).toEqual([]);
});

test('an interrupted run has a partial record that says how much ran', async () => {
  const tasks = [generateTask(10)];
  const stop = new AbortController();
  const openModel = async () =>
    fakeBackend({
      answer: (prompt, call) => {
        if (call === 4) stop.abort();
        return rightAnswer(prompt);
      },
    });
  const finished = await runAndFinish(world(planOf(tasks, { set: { concurrency: 1 } }), tasks, { openModel, signal: stop.signal }));
  expect(finished.record).toMatchObject({ status: 'partial', results: [{ counts: { total: 10, scored: 3, missing: 7 } }] });
  expect(finished.record.results[0]!.validity.reasons).toContainEqual({ code: 'missing', message: '3 of 10 samples ran' });
  expect(await verify(finished)).toEqual([]);
});

test('replies cut at the token limit are counted and flagged', async () => {
  const tasks = [generateTask(10)];
  const at = (share: number) => async () =>
    fakeBackend({ finishReason: (prompt) => (Number(/q(\d+)/.exec(prompt)![1]) < share * 10 ? 'length' : 'stop') });
  const some = await runAndFinish(world(planOf(tasks), tasks, { openModel: at(0.4) }));
  expect(some.record.results[0]).toMatchObject({ counts: { truncated: 4 }, validity: { verdict: 'suspect' } });
  const all = await runAndFinish(world(planOf(tasks), tasks, { openModel: at(1) }));
  expect(all.record.results[0]!.validity.reasons[0]).toEqual({ code: 'truncation', message: 'every reply hit the token limit' });
});

test('a group weighs its tasks alike and needs all of them', async () => {
  const wrongInSmall = (prompt: string): string => (prompt.includes('q0\n') ? ' wrong' : rightAnswer(prompt));
  const tasks = [
    generateTask(1, { key: 'small', groups: ['g'] }),
    generateTask(9, { key: 'large', groups: ['g'] }),
    generateTask(2, { key: 'alone', groups: ['h'] }),
  ];
  const { record } = await runAndFinish(world(planOf(tasks), tasks, { openModel: async () => fakeBackend({ answer: wrongInSmall }) }));
  expect(record.groups).toHaveLength(1);
  expect(record.groups[0]).toMatchObject({ group: 'g', tasks: ['small', 'large'], weighting: 'tasks', value: { n: 10 } });
  expect(record.groups[0]!.value.value).toBeCloseTo((0 + 8 / 9) / 2, 12);
});

test('categories have scores of their own', async () => {
  const base = generateTask(6);
  const task = generateTask(6, {
    prepare: (row, context) => {
      const sample = base.prepare(row, context);
      return { ...sample, facts: { ...sample.facts, category: sample.facts.instruction === 'q0' ? 'law' : 'art' } };
    },
  });
  const { record } = await runAndFinish(world(planOf([task]), [task], { openModel: async () => fakeBackend({ answer: failOn('q1') }) }));
  expect(record.results[0]!.categories.map(({ category, n }) => [category, n])).toEqual([
    ['art', 4],
    ['law', 1],
  ]);
});

test('two sessions give the canonical record of one, whatever failed in between', async () => {
  const tasks = [generateTask(40), generateTask(5, { key: 'more' })];
  const plan = planOf(tasks);
  const whole = await runAndFinish(world(plan, tasks));
  const broken = await runAndFinish(world(plan, tasks, { openModel: async () => fakeBackend({ answer: failOn('q3') }) }));
  expect(broken.record.status).toBe('failed');
  const resumed = await runAndFinish(
    world(plan, tasks, { writer: broken.input.writer, resumed: true, openModel: async () => fakeBackend({ concurrency: 1 }) }),
  );
  const canonical = async ({ record, input }: Finished): Promise<string[]> => {
    const lines: string[] = [];
    const rows = input.writer.artifacts
      .get('predictions.jsonl')!
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as PredictionRow);
    const each = async function* (): AsyncGenerator<PredictionRow> {
      yield* rows;
    };
    for await (const line of canonicalLines(record, each())) lines.push(line);
    return lines;
  };
  expect(await canonical(resumed)).toEqual(await canonical(whole));
  expect(await canonical(broken)).not.toEqual(await canonical(whole));
  expect(resumed.facts.sessions).toHaveLength(2);
  expect(await verify(resumed)).toEqual([]);
});

test('verify finds a changed number anywhere in the record', async () => {
  const tasks = [generateTask(40)];
  const finished = await runAndFinish(world(planOf(tasks), tasks));
  const changes: readonly ((record: RunRecord) => void)[] = [
    (record) => (record.results[0]!.primary!.value = 0.9),
    (record) => (record.results[0]!.metrics.values[0]!.n = 39),
    (record) => (record.results[0]!.counts.scored = 41),
    (record) => (record.results[0]!.speed.latencyMs.p50 = 1),
    (record) => (record.results[0]!.validity.verdict = 'suspect'),
    (record) => (record.status = 'failed'),
    (record) => (record.settings.seed = 1),
    (record) => (record.planDigest = 'x'),
    (record) => (record.artifacts['journal.jsonl'] = 'x'),
    (record) => record.results.pop(),
    (record) => delete (record.results[0] as { primary?: unknown }).primary,
    (record) => Object.assign(record.models[0]!, { title: 'another model' }),
  ];
  for (const change of changes) {
    const record = structuredClone(finished.record);
    change(record);
    expect(await verify({ ...finished, record }), change.toString()).not.toEqual([]);
  }
});

test('verify finds a changed, missing or foreign row of the journal', async () => {
  const tasks = [generateTask(40)];
  const finished = await runAndFinish(world(planOf(tasks), tasks));
  const { journal, artifacts } = finished.input.writer;
  const tampered: readonly (readonly PredictionRow[])[] = [
    journal.map((row, index) => (index === 7 ? { ...row, prediction: 'other' } : row)),
    journal.slice(1),
    [...journal, { ...journal[0]!, id: 'foreign' }],
    [...journal, { ...journal[0]!, prediction: 'second thought' }],
  ];
  for (const rows of tampered) {
    const writer = memoryWriter([...rows]);
    for (const [name, text] of artifacts) writer.artifacts.set(name, text);
    const differences = await verify({ ...finished, input: { ...finished.input, writer } });
    expect(differences.length).toBeGreaterThan(0);
    expect(differences.some((difference) => difference.path === 'artifacts.journal.jsonl')).toBe(true);
    // Also without the digests, the numbers or the journal itself tell.
    expect(differences.some((difference) => difference.path !== 'artifacts.journal.jsonl')).toBe(true);
  }
});

test('cached answers and a busy machine make timing suspect', async () => {
  const tasks = [generateTask(40)];
  const environment = { ...origin.environment, loadAverage: 7, logicalCores: 2 };
  const { record } = await runAndFinish(world(planOf(tasks), tasks, { origin: { ...origin, environment } }));
  expect(record.results[0]!.validity.reasons.map((reason) => reason.code)).toEqual(['host-contended']);
});
