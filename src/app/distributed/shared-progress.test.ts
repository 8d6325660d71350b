import { expect, test } from 'vitest';
import { generateTask, planOf } from '../../../test/contract/run-store-fakes.ts';
import type { RunEvent } from '../../core/events.ts';
import { openSharedProgress } from './shared-progress.ts';

const at = 'now';
const sample = (id: string): RunEvent => ({
  kind: 'sample-finished',
  at,
  model: 'm',
  task: 'echo',
  id,
  repeat: 0,
  outcome: 'scored',
  correct: true,
  totalMs: 1,
});
function chunk(ids: readonly string[]): RunEvent[] {
  const { length } = ids;
  return [
    { kind: 'run-started', at, runId: 'r', planDigest: 'd', resumed: false, total: length, done: 0 },
    { kind: 'model-loading', at, model: 'm' },
    { kind: 'model-loaded', at, model: 'm', loadMs: 1 },
    { kind: 'task-started', at, model: 'm', task: 'echo', total: length, done: 0 },
    ...ids.map(sample),
    { kind: 'task-finished', at, model: 'm', task: 'echo', primary: null },
    { kind: 'model-closed', at, model: 'm' },
  ];
}

test('a run of many chunks looks like one run, with the figures of the whole', () => {
  const events: RunEvent[] = [];
  const plan = planOf([generateTask(10)]);
  const progress = openSharedProgress({ runId: 'r', plan, done: 4, listener: (event) => events.push(event) });
  for (const event of [...chunk(['a', 'b']), ...chunk(['c']), { kind: 'warning', at, message: 'hot' } as const]) progress.listener(event);
  expect(events.map(({ kind }) => kind)).toEqual([
    'run-started',
    'model-loading',
    'model-loaded',
    'task-started',
    'sample-finished',
    'sample-finished',
    'sample-finished',
    'warning',
  ]);
  expect(events[0]).toMatchObject({ total: 10, done: 4, resumed: true });
  expect(events[3]).toMatchObject({ total: 10, done: 0 });
});

test('the work of others is told when there is some', () => {
  const notes: RunEvent[] = [];
  const plan = planOf([generateTask(10)]);
  const progress = openSharedProgress({
    runId: 'r',
    plan,
    done: 0,
    listener: (event) => {
      if (event.kind === 'note') notes.push(event);
    },
  });
  for (const event of chunk(['a', 'b'])) progress.listener(event);
  progress.total(2);
  progress.total(6);
  progress.total(6);
  expect(notes).toMatchObject([{ message: '6 of 10 samples are done, by all workers together' }]);
});
