import { expect, test } from 'vitest';
import { generateTask, planOf } from '../../../test/contract/run-store-fakes.ts';
import type { MetricValue } from '../../core/metric.ts';
import type { PlannedTask } from '../../core/plan.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import type { ResultEntry } from '../../core/record.ts';
import { createMetricScorer } from '../../metrics/compute-metrics.ts';
import { predictionRow } from '../../metrics/prediction-row.ts';
import { parseGateRule } from '../../report/gate/gate-rule.ts';
import { judgeEvidence } from '../../report/gate/judge-gate.ts';
import { createRandom } from '../../stats/random.ts';
import { findValue, pairedMetricDifference } from './metric-rows.ts';
import { dropEvidence, type GatedPair, valueEvidence } from './quality-evidence.ts';

const n = 150;
const labels = ['no', 'yes'];
const task: PlannedTask = {
  ...planOf([generateTask(n)]).tasks[0]!,
  labels,
  metrics: [{ name: 'accuracy' }, { name: 'f1' }],
};
const use = (value: MetricValue) => ({ task, value, seed: 1, userMetrics: [] });

function answers(isRight: (index: number) => boolean): PredictionRow[] {
  return task.sampleIds.map((id, index) => {
    const label = labels[index % 2]!;
    return predictionRow({ id, label, prediction: isRight(index) ? label : labels[(index + 1) % 2]! });
  });
}
function entryOf(rows: readonly PredictionRow[], metrics = task.metrics): ResultEntry {
  const scorer = createMetricScorer(metrics, { seed: 1, labels });
  for (const row of rows) scorer.add(row);
  const { values } = scorer.finish();
  return { metrics: { values, details: {} }, primary: values[0]! } as unknown as ResultEntry;
}
function pairOf(before: readonly PredictionRow[], after: readonly PredictionRow[], withRows = true, metrics = task.metrics): GatedPair {
  return {
    task,
    entry: entryOf(after, metrics),
    rows: after,
    before: { task, entry: entryOf(before, metrics), rows: withRows ? before : null },
  };
}
const judge = (text: string, pair: GatedPair) => {
  const rule = parseGateRule('max-drop', text);
  return judgeEvidence({
    rule,
    model: 'm',
    task: 't',
    ...dropEvidence(rule, pair, use(findValue(pair.entry.metrics.values, rule.metric, task)!), 0.9),
  });
};
const good = answers((index) => index % 10 !== 0);

test('equal answers pass, a large drop fails, a small one is not enough data', () => {
  expect(judge('accuracy=1pp', pairOf(good, good))).toMatchObject({ outcome: 'pass', identical: true, effect: 0 });
  expect(
    judge(
      'accuracy=1pp',
      pairOf(
        good,
        answers((index) => index % 3 !== 0),
      ),
    ),
  ).toMatchObject({ outcome: 'fail' });
  expect(
    judge(
      'accuracy=1pp',
      pairOf(
        good,
        answers((index) => index % 9 !== 0),
      ),
    ),
  ).toMatchObject({ outcome: 'not-enough-data' });
  expect(
    judge(
      'accuracy=50%',
      pairOf(
        good,
        answers((index) => index % 3 !== 0),
      ),
    ),
  ).toMatchObject({ outcome: 'pass' });
});

test('a metric that is no mean of rows is judged by a paired bootstrap', () => {
  const worse = judge(
    'f1:macro=1pp',
    pairOf(
      good,
      answers((index) => index % 2 === 0 && index % 4 !== 0),
    ),
  );
  expect(worse).toMatchObject({ outcome: 'fail', notes: ['paired bootstrap'] });
  expect(worse.interval!.low).toBeLessThan(worse.effect!);
  expect(worse.interval!.high).toBeGreaterThan(worse.effect!);
});

test('the jackknife agrees with the bootstrap of the same score', () => {
  const [before, after] = [good, answers((index) => index % 2 === 0 || index % 3 === 0)];
  const value = findValue(entryOf(after).metrics.values, 'f1:macro', task)!;
  const boot = pairedMetricDifference(before, after, use(value), 0.9);
  const aliased = { ...task, metrics: [{ name: 'f1', options: { aliases: {} } }] };
  const jack = pairedMetricDifference(before, after, { ...use(value), task: aliased }, 0.9);
  expect(jack.notes[0]).toContain('jackknife');
  expect([jack.baseline, jack.value]).toEqual([boot.baseline, boot.value]);
  const width = (found: typeof boot) => found.interval!.high - found.interval!.low;
  expect(width(jack) / width(boot)).toBeGreaterThan(0.6);
  expect(width(jack) / width(boot)).toBeLessThan(1.7);
});

test('a baseline without rows is compared unpaired, and says so', () => {
  const pair = pairOf(
    good,
    answers((index) => index % 2 !== 0),
    false,
  );
  expect(judge('accuracy=1pp', pair)).toMatchObject({ outcome: 'fail', notes: [expect.stringContaining('not paired')] });
});

test('other items are refused', () => {
  const pair = pairOf(good, good);
  const other = { ...pair, before: { ...pair.before!, task: { ...task, manifest: 'x', sampleIds: task.sampleIds.slice(1) } } };
  expect(() => judge('accuracy=1pp', other)).toThrow(/150 items, the baseline on 149, 149 are in both/);
});

test('false alarms stay below 5 % where quality has not changed, and real drops are found', () => {
  const random = createRandom(7, 'gate-simulation');
  const draw = (rate: number) => answers(() => random.next() < rate);
  const rounds = 150;
  const alarms = (after: number) => {
    let count = 0;
    for (let round = 0; round < rounds; round++)
      if (judge('accuracy=0pp', pairOf(draw(0.8), draw(after), true, [{ name: 'accuracy' }])).outcome === 'fail') count++;
    return count / rounds;
  };
  // Three standard errors of a rate of 5 % over 150 rounds are 5.3 %.
  expect(alarms(0.8)).toBeLessThanOrEqual(0.104);
  expect(alarms(0.55)).toBeGreaterThan(0.95);
});

test('a value is judged with its own interval', () => {
  const rule = parseGateRule('min', 'accuracy=90%');
  const of = (rate: (index: number) => boolean) => {
    const value = entryOf(answers(rate)).primary!;
    return judgeEvidence({ rule, model: 'm', task: 't', ...valueEvidence(value, 0.9) }).outcome;
  };
  expect(of(() => true)).toBe('pass');
  expect(of((index) => index % 10 !== 0)).toBe('not-enough-data');
  expect(of((index) => index % 2 === 0)).toBe('fail');
});
