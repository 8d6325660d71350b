import { expect, test } from 'vitest';
import { buildLeaderboard } from './build-leaderboard.ts';
import { filterRuns } from './filter-runs.ts';
import { cutText, rowHolds } from './sample-row.ts';
import type { LeaderboardEntry, RunRow } from './viewer-contract.ts';

function run(id: string, changes: Partial<RunRow> = {}): RunRow {
  return {
    id,
    name: `run ${id}`,
    state: 'complete',
    created: `2026-11-${id}`,
    models: ['m'],
    tasks: ['t'],
    tags: [],
    headlines: null,
    smoke: null,
    durationMs: null,
    done: null,
    total: null,
    ...changes,
  };
}

test('runs are found by every word, newest first, and each facet counts what the other filters leave', () => {
  const rows = [
    run('01', { tags: ['q4'] }),
    run('03', { models: ['m', 'n'], state: 'failed' }),
    run('02', { models: ['n'], tags: ['q4'] }),
  ];
  expect(filterRuns(rows, {}).rows.map(({ id }) => id)).toEqual(['03', '02', '01']);
  expect(filterRuns(rows, { sort: 'oldest' }).rows.map(({ id }) => id)).toEqual(['01', '02', '03']);
  expect(filterRuns(rows, { text: ' Q4  n ' }).rows.map(({ id }) => id)).toEqual(['02', '01']);
  const filtered = filterRuns(rows, { model: 'n' });
  expect(filtered.rows.map(({ id }) => id)).toEqual(['03', '02']);
  expect(filtered.facets.model).toEqual([
    { value: 'm', count: 2 },
    { value: 'n', count: 2 },
  ]);
  expect(filtered.facets.state).toEqual([
    { value: 'complete', count: 1 },
    { value: 'failed', count: 1 },
  ]);
});

function entry(model: string, value: number | null, changes: Partial<LeaderboardEntry> = {}): LeaderboardEntry {
  const interval = value === null ? null : { low: value - 0.1, high: value + 0.1, level: 0.95, method: 'wilson' };
  return {
    run: 'r',
    runName: 'r',
    tags: [],
    created: '2026-11-01',
    model,
    task: 't',
    taskTitle: 'T',
    manifest: 'same',
    samples: 10,
    protocol: 'native',
    primary: {
      name: 'acc',
      average: null,
      value,
      n: 10,
      interval,
      standardError: null,
      higherIsBetter: true,
      unit: 'fraction',
      version: '1',
    },
    latencyP50Ms: null,
    decodeTokensPerSecond: null,
    peakRssBytes: null,
    sizeBytes: null,
    parameters: null,
    quantisation: null,
    verdict: 'valid',
    smoke: false,
    ...changes,
  };
}

test('models are ranked within one test set only, by their newest result, those without a value last', () => {
  const boards = buildLeaderboard(
    [
      entry('a', 0.5),
      entry('a', 0.9, { created: '2026-10-01' }),
      entry('b', 0.55),
      entry('c', null),
      entry('d', 0.2),
      entry('e', 0.99, { manifest: 'other' }),
    ],
    {},
  );
  expect(boards.map((board) => board.entries.map(({ model }) => model))).toEqual([['b', 'a', 'd', 'c'], ['e']]);
  expect(boards[0]!.overlapsBest).toEqual(['a']);
  const lower = { ...entry('x', 9).primary!, higherIsBetter: false, unit: 'nats' };
  const [perplexity] = buildLeaderboard([entry('x', 9, { primary: lower }), entry('y', 3, { primary: { ...lower, value: 3 } })], {});
  expect(perplexity!.entries.map(({ model }) => model)).toEqual(['y', 'x']);
});

test('long texts are cut between characters', () => {
  expect(cutText('a'.repeat(5), 5)).toBe('aaaaa');
  expect(cutText('aaaa😀b', 5)).toBe('aaaa…');
  expect(cutText('aaa😀b', 5)).toBe('aaa😀…');
});

test('search looks at what a person reads, in any case', () => {
  const row = { id: '1', instruction: 'What?', label: 'ÄPFEL', prediction: null, raw: 'x"y', reasoning: null } as never;
  expect(['what', 'äpfel', 'x"y', '1'].map((text) => rowHolds(row, text))).toEqual([true, true, true, true]);
  expect(rowHolds(row, 'instruction')).toBe(false);
});
