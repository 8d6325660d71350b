// GSM8K under lm-eval: strict and flexible verdicts on the published behaviour table, through task, extraction and metric.
import { expect, test } from 'vitest';
import type { Row } from '../../../src/core/dataset.ts';
import { noTiming, noUsage } from '../../../src/core/generation.ts';
import { findMetric } from '../../../src/metrics/registry.ts';
import { bindTask } from '../../../src/tasks/bind-task.ts';
import { findTask } from '../../../src/tasks/registry.ts';

const row: Row = { id: 'g', fields: { question: 'q', answer: 'So it is 1,234.\n#### 1,234' } };
const context = { protocol: 'lm-eval', chat: false, generation: {} } as const;

function score(name: string, text: string): number | null {
  const task = bindTask(findTask(name).definition, { rows: [row], fewShotRows: [], protocol: 'lm-eval', shots: 0, seed: 1 });
  const sample = task.prepare(row, context);
  const answer = task.read(
    sample,
    { kind: 'generate', result: { text, finishReason: 'stop', usage: noUsage, timing: noTiming, warnings: [] } },
    row,
  );
  const use = task.metrics[0]!;
  const accumulator = findMetric(use.name).create({ seed: 1, use: use.options ?? {} });
  const rest = { model: 'm', task: name, repeat: 0, raw: text, finishReason: 'stop', usage: noUsage, timing: noTiming, origin: 'fresh' } as const;
  return accumulator.add({ ...sample.facts, ...answer, ...rest, warnings: [...answer.warnings] });
}

test.each([
  ['#### 1234.', 1, 1],
  ['The answer is $1,234.00', 0, 0],
  ['#### 1,234\n#### 5', 1, 0],
  ['1234.', 0, 1],
  ['... 1234 ...', 0, 0],
  ['$1234', 0, 1],
  ['-1234', 0, 0],
  ['x #### 1234 apples, cost $5.', 1, 0],
  ['#### 01234', 0, 0],
  ['1234,', 0, 1],
])('%j: strict %i, flexible %i', (text, strict, flexible) => {
  expect([score('gsm8k-strict', text), score('gsm8k', text)]).toEqual([strict, flexible]);
});
