// What every run store must do; the file store and the shared store on PostgreSQL pass the same suite.
import { afterEach, expect, test } from 'vitest';
import type { RunPlan } from '../../src/core/plan.ts';
import type { RunStore, RunWriter } from '../../src/core/ports/run-store.ts';
import type { PredictionRow } from '../../src/core/prediction.ts';
import type { RunRecord } from '../../src/core/record.ts';
import { executeRun } from '../../src/runner/execute-run.ts';
import { finishRun } from '../../src/runner/finish-run.ts';
import { rowOfError } from '../../src/runner/make-row.ts';
import { createScorer, generateTask, planOf, world } from './run-store-fakes.ts';

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

/** Some rows of a plan, with line breaks and characters outside ASCII in them. */
export function someRows(plan: RunPlan, count: number): PredictionRow[] {
  return plan.tasks[0]!.sampleIds.slice(0, count).map((id, index) => ({
    ...rowOfError({ model: 'm', task: 'echo', id, repeat: 0 }, 'timeout', 'slow'),
    raw: `line\nbreak \u2028 ä 评 ${index}`,
  }));
}

/** @param openStore - a store over the same, at first empty, place each time within one test */
export function describeRunStore(openStore: () => Promise<RunStore>): void {
  const plan = planOf([generateTask(20)]);
  const otherPlan = planOf([generateTask(20)], { set: { seed: 1 } });
  const opened: RunWriter[] = [];
  async function open(store: RunStore, of = plan, fresh = false): Promise<{ readonly writer: RunWriter; readonly resumed: boolean }> {
    const result = await store.open(of, { fresh });
    opened.push(result.writer);
    return result;
  }
  afterEach(async () => {
    for (const writer of opened.splice(0)) await writer.close();
  });
  /** A run of the plan, ended with this status. */
  async function endedRun(store: RunStore, status: RunRecord['status']): Promise<RunRecord> {
    const { writer } = await open(store);
    const tasks = [generateTask(20)];
    const stop = new AbortController();
    if (status === 'partial') stop.abort();
    const input = world(plan, tasks, { signal: stop.signal });
    const { facts } = await executeRun({ ...input, writer });
    const record = await finishRun({ plan, writer, facts, createScorer });
    await writer.close();
    return record;
  }

  test('rows come back as they were appended, in order, also while the run is open', async () => {
    const store = await openStore();
    const { writer, resumed } = await open(store);
    const rows = someRows(plan, 20);
    await writer.append(rows.slice(0, 3));
    await writer.append([]);
    await Promise.all([writer.append(rows.slice(3, 4)), writer.append(rows.slice(4))]);
    expect(resumed).toBe(false);
    expect(await collect(writer.rows())).toEqual(rows);
    expect(await collect((await openStore()).readRows(writer.runId))).toEqual(rows);
    expect(await store.readPlan(writer.runId)).toEqual(plan);
  });

  test('an unfinished run of the same plan is resumed, another plan and --fresh start anew', async () => {
    const store = await openStore();
    const first = await open(store);
    await first.writer.append(someRows(plan, 2));
    await first.writer.close();
    const other = await open(store, otherPlan);
    expect(other.resumed).toBe(false);
    const again = await open(await openStore());
    expect(again.resumed).toBe(true);
    expect(again.writer.runId).toBe(first.writer.runId);
    expect(await collect(again.writer.rows())).toHaveLength(2);
    const fresh = await open(store, plan, true);
    expect(fresh.resumed).toBe(false);
    expect(new Set([first.writer.runId, other.writer.runId, fresh.writer.runId]).size).toBe(3);
  });

  test('a complete run starts a new one; partial and failed ones are resumed', async () => {
    const store = await openStore();
    const partial = await endedRun(store, 'partial');
    expect(partial.status).toBe('partial');
    const complete = await endedRun(store, 'complete');
    expect(complete).toMatchObject({ id: partial.id, status: 'complete' });
    const next = await open(store);
    expect(next.resumed).toBe(false);
    expect(next.writer.runId).not.toBe(complete.id);
  });

  test('a run in use is refused with the holder named, and free once closed', async () => {
    const store = await openStore();
    const first = await open(store);
    await expect((await openStore()).open(plan, { fresh: false })).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining(String(process.pid)),
    });
    await first.writer.close();
    await first.writer.close();
    expect((await open(store)).resumed).toBe(true);
  });

  test('records, artifacts and summaries come back', async () => {
    const store = await openStore();
    const record = await endedRun(store, 'complete');
    const { writer } = await open(store, otherPlan);
    expect(await store.readRecord(record.id)).toEqual(JSON.parse(JSON.stringify(record)));
    const runs = await store.list();
    expect(runs.map(({ runId, status }) => [runId, status]).toSorted()).toEqual(
      [
        [record.id, 'complete'],
        [writer.runId, 'unfinished'],
      ].toSorted(),
    );
    expect(runs.find((run) => run.runId === record.id)).toMatchObject({ models: ['m'], tasks: ['echo'], planDigest: plan.digest });
    await writer.writeArtifact('report.md', 'first');
    await writer.writeArtifact(
      'report.md',
      (async function* () {
        yield 'ä'.repeat(300_000);
        yield* ['b', '', 'c'];
      })(),
    );
    expect(await writer.readArtifact('report.md')).toBe(`${'ä'.repeat(300_000)}bc`);
    expect(await store.readArtifact(writer.runId, 'report.md')).toBe(`${'ä'.repeat(300_000)}bc`);
    expect(await store.digestArtifact(writer.runId, 'report.md')).toMatch(/^[0-9a-f]{64}$/);
    expect(await writer.readArtifact('none.md')).toBeNull();
    expect(await writer.digestArtifact('none.md')).toBeNull();
  });

  test('names from data never leave the run', async () => {
    const store = await openStore();
    const { writer } = await open(store);
    for (const name of ['../x', '/tmp/x', 'a/b', 'a\\b', '..', '']) {
      await expect(writer.writeArtifact(name, 'x'), name).rejects.toThrow();
      await expect(async () => store.readPlan(name), name).rejects.toThrow();
    }
    for (const name of ['journal.jsonl', 'plan.json', 'record.json']) await expect(writer.writeArtifact(name, 'x')).rejects.toThrow();
  });

  test('an unknown run and a run without record are clear errors', async () => {
    const store = await openStore();
    const { writer } = await open(store);
    await expect(store.readRecord(writer.runId)).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('yet') });
    await expect(store.readPlan(`${writer.runId.slice(0, -1)}x`)).rejects.toMatchObject({
      code: 'not-found',
      hint: expect.stringContaining(writer.runId),
    });
  });

  test('a number that JSON lacks never enters a record', async () => {
    const store = await openStore();
    const record = await endedRun(store, 'complete');
    const { writer } = await open(store);
    for (const durationMs of [Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(writer.writeRecord({ ...record, durationMs })).rejects.toMatchObject({ code: 'internal' });
    }
  });
}
