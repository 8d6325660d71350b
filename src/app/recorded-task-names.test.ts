// A wish finds the run that the same name started.
import { expect, test } from 'vitest';
import { recordedTaskNames } from './recorded-task-names.ts';

test.each([
  ['sentiment', ['sst2'], 'sst2'],
  ['sentiment', ['sentiment-mini'], 'sentiment-mini'],
  ['sentiment', ['sst2', 'sentiment-mini'], 'sst2'],
  ['sentiment', ['sentiment', 'sst2'], 'sentiment'],
  ['sentiment', ['arc-easy'], 'sentiment'],
  ['commonsense', ['hellaswag'], 'hellaswag'],
  ['arc-easy', ['arc-easy'], 'arc-easy'],
  ['mmlu:anatomy', ['mmlu'], 'mmlu:anatomy'],
  ['mine.jsonl', ['mine.jsonl'], 'mine.jsonl'],
  ['classification', ['sst2'], 'classification'],
])('%s among runs of %j means %s', (wish, names, expected) => {
  expect(recordedTaskNames([wish], [{ tasks: names.map((name) => ({ name })) }])).toEqual([expected]);
});
