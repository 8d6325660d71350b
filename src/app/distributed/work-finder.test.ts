import { expect, test } from 'vitest';
import type { OpenQueue } from '../../store/postgres/chunk-table.ts';
import { rankQueues } from './work-finder.ts';

const queue = (name: string, over: Partial<OpenQueue> = {}): OpenQueue => ({
  queue: name,
  run: '1',
  runId: 'run',
  model: 0,
  priority: 0,
  active: 0,
  ...over,
});
const names = (queues: readonly OpenQueue[], over: Partial<Parameters<typeof rankQueues>[1]> = {}) =>
  rankQueues(queues, { loaded: null, draw: () => 0, ...over }).map((one) => one.queue);

test('priority comes before the loaded model, the loaded model before fewer workers', () => {
  const queues = [queue('busy', { active: 3 }), queue('loaded', { active: 5 }), queue('free'), queue('urgent', { priority: 1, active: 9 })];
  expect(names(queues, { loaded: 'loaded' })).toEqual(['urgent', 'loaded', 'free', 'busy']);
});

test('workers that start together begin with the models that they drew', () => {
  const queues = ['a', 'b', 'c'].map((name) => queue(name));
  expect(names(queues, { draw: (name) => ['b', 'c', 'a'].indexOf(name) })).toEqual(['b', 'c', 'a']);
});

test('a worker of one run leaves the others alone', () => {
  const queues = [queue('other', { runId: 'other', priority: 9 }), queue('mine')];
  expect(names(queues, { onlyRun: 'run' })).toEqual(['mine']);
});
