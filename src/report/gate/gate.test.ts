import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GateRule, parseGateRule, requireShare, unknownMetric } from './gate-rule.ts';
import { type GateCheck, type GateEvidence, intervalLevel, judgeEvidence, summariseGate } from './judge-gate.ts';
import { renderGateAnnotations, renderGateJUnit, renderGateMarkdown, renderGateTerminal, verdictLine } from './render-gate.ts';

const drop = parseGateRule('max-drop', 'accuracy=1pp');
function evidence(over: Partial<GateEvidence> & { readonly ends?: readonly [number, number] }): GateEvidence {
  const { ends, ...rest } = over;
  const interval = ends === undefined ? null : { low: ends[0], high: ends[1], level: 0.9, method: 'test' };
  return {
    rule: drop,
    model: 'm',
    task: 't',
    n: 200,
    baseline: 0.8,
    value: 0.79,
    effect: 0.01,
    interval,
    identical: false,
    exact: false,
    notes: [],
    ...rest,
  };
}
const outcomeOf = (over: Parameters<typeof evidence>[0]): string => judgeEvidence(evidence(over)).outcome;

test('limits are read as people write them', () => {
  expect(drop).toMatchObject({ metric: 'accuracy', task: null, limit: 0.01, relative: false });
  expect(parseGateRule('max-drop', 'perplexity=2%')).toMatchObject({ limit: 0.02, relative: true });
  expect(parseGateRule('max-drop', 'arc-easy/accuracy=0.02')).toMatchObject({
    task: 'arc-easy',
    metric: 'accuracy',
    limit: 0.02,
    relative: false,
  });
  expect(parseGateRule('min', 'accuracy=80%')).toMatchObject({ limit: 0.8, relative: false });
  expect(parseGateRule('min', 'f1:macro=.9')).toMatchObject({ metric: 'f1:macro', limit: 0.9 });
  expect(parseGateRule('max-ratio', 'ttft=1.1')).toMatchObject({ metric: 'ttft', limit: 1.1 });
});

test.each([
  ['max-drop', 'accuracy'],
  ['max-drop', 'accuracy=much'],
  ['max-drop', 'accuracy=-1pp'],
  ['max-drop', '=1pp'],
  ['max-drop', 'ttft=5%'],
  ['min', 'accuracy=80pp'],
  ['min', 'accuracy=NaN'],
  ['max-ratio', 'ttft=110%'],
  ['max-ratio', 'ttft=0'],
  ['max-ratio', 'ttft=Infinity'],
] as const)('--%s %s is a usage error that says what was expected', (kind, text) => {
  expect(() => parseGateRule(kind, text)).toThrow(expect.objectContaining({ code: 'usage', message: expect.stringContaining('expected') }));
});

test('a share above 1 is refused with both ways to write it; percentages and other units are not', () => {
  const refusal = (kind: 'min' | 'max' | 'max-drop', text: string, unit = 'fraction') => {
    try {
      requireShare(parseGateRule(kind, text), unit);
      return null;
    } catch (thrown) {
      return thrown;
    }
  };
  expect(refusal('min', 'accuracy=80')).toMatchObject({ code: 'usage', hint: 'write accuracy=0.8 or accuracy=80%' });
  expect(refusal('max-drop', 'accuracy=2')).toMatchObject({ hint: 'write accuracy=0.02 or accuracy=2pp' });
  expect(refusal('max', 'ece=120%')).toMatchObject({ hint: 'expected 0 to 1, or 0% to 100%' });
  for (const text of ['accuracy=80%', 'accuracy=0.8', 'accuracy=1', 'accuracy=100%']) expect(refusal('min', text)).toBeNull();
  expect(refusal('max', 'perplexity=25', 'nats')).toBeNull();
});

test('an unknown metric or task names the nearest one', () => {
  expect(unknownMetric(parseGateRule('min', 'acuracy=1'), ['accuracy'], ['t']).hint).toContain('"accuracy"');
  expect(unknownMetric(parseGateRule('min', 'arc-esay/accuracy=1'), ['accuracy'], ['arc-easy']).hint).toContain('"arc-easy"');
  expect(unknownMetric(parseGateRule('max', 'ttft=1'), ['ttft', 'ttfa'], ['t'], 'load').hint).not.toContain('"ttft"');
});

test('only evidence fails: the interval decides, not the estimate', () => {
  expect(outcomeOf({ effect: 0.05, ends: [0.02, 0.08] })).toBe('fail');
  expect(outcomeOf({ effect: 0.05, ends: [-0.01, 0.11] })).toBe('not-enough-data');
  expect(outcomeOf({ effect: 0, ends: [-0.03, 0.03] })).toBe('not-enough-data');
  expect(outcomeOf({ effect: -0.02, ends: [-0.04, 0.0] })).toBe('pass');
  expect(outcomeOf({ effect: 0.005, ends: [0, 0.01] })).toBe('pass');
  expect(outcomeOf({ effect: 0, ends: [-0.03, 0.03], identical: true })).toBe('pass');
  expect(outcomeOf({ effect: 0, identical: true, n: 9 })).toBe('not-enough-data');
  expect(outcomeOf({ effect: 0.5, ends: [0.4, 0.6], n: 9 })).toBe('not-enough-data');
  expect(outcomeOf({ effect: null })).toBe('not-enough-data');
  expect(outcomeOf({ effect: 0.3 })).toBe('not-enough-data');
  const min = parseGateRule('min', 'f1=0.9');
  expect(outcomeOf({ rule: min, effect: 0.85, ends: [0.8, 0.89] })).toBe('fail');
  expect(outcomeOf({ rule: min, effect: 0.9, ends: [0.9, 0.95] })).toBe('pass');
  expect(outcomeOf({ rule: min, effect: 0.9, ends: [0.85, 0.95] })).toBe('not-enough-data');
  expect(outcomeOf({ rule: parseGateRule('max-ratio', 'memory=1.2'), effect: 1.2, exact: true, n: 1 })).toBe('pass');
  expect(outcomeOf({ rule: parseGateRule('max-ratio', 'memory=1.2'), effect: 1.21, exact: true, n: 1 })).toBe('fail');
});

test('a tighter limit never turns a failure into a pass, whatever the interval', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      (middle, reach, limit) => {
        const order = { fail: 0, 'not-enough-data': 1, pass: 2 } as const;
        const at = (value: number) =>
          order[
            judgeEvidence(evidence({ rule: { ...drop, limit: value }, effect: middle, ends: [middle - reach, middle + reach] })).outcome
          ];
        expect(at(limit + 0.1)).toBeGreaterThanOrEqual(at(limit));
      },
    ),
  );
});

test('exit code: failures 3, too little data 0 with a warning and 3 under --strict', () => {
  const check = (outcome: GateCheck['outcome']): GateCheck => ({ ...evidence({}), outcome, reason: 'because' });
  const facts = (outcomes: readonly GateCheck['outcome'][], strict: boolean) =>
    summariseGate({ run: 'r', baseline: null, checks: outcomes.map(check), strict });
  expect(facts(['pass'], true).exitCode).toBe(0);
  expect(facts(['pass', 'not-enough-data'], false)).toMatchObject({ outcome: 'not-enough-data', exitCode: 0 });
  expect(facts(['pass', 'not-enough-data'], true).exitCode).toBe(3);
  expect(facts(['fail', 'not-enough-data'], false)).toMatchObject({ outcome: 'fail', exitCode: 3 });
  expect(intervalLevel(1)).toBeCloseTo(0.9);
  expect(intervalLevel(10)).toBeCloseTo(0.99);
});

const hostile = '<img src=x onerror=1>|\u001b[31m::error::"&\n%';
function hostileReport(strict = false) {
  const rule: GateRule = { ...drop, text: hostile };
  const checks: GateCheck[] = (['fail', 'not-enough-data', 'pass'] as const).map((outcome) => ({
    ...evidence({ rule, model: hostile, task: hostile, ends: [0, 1] }),
    outcome,
    reason: hostile,
  }));
  return summariseGate({ run: hostile, baseline: hostile, checks, strict });
}

test('reports: one verdict line, and names from data stay text', () => {
  const report = hostileReport();
  const text = renderGateTerminal(report);
  expect(text.match(/^gate (?:FAILED|passed)/gm)).toHaveLength(1);
  expect(verdictLine(report)).toBe('gate FAILED: 1 passed, 1 failed, 1 without enough data');
  expect(text).not.toContain('\u001b');
  expect(renderGateMarkdown(report)).not.toContain('<img');
  const junit = renderGateJUnit(report);
  expect(junit).not.toMatch(/<img|\u001b/);
  expect(junit).toContain('tests="3" failures="1" errors="0" skipped="1"');
  expect(renderGateJUnit(hostileReport(true))).toContain('failures="2" errors="0" skipped="0"');
  const annotations = renderGateAnnotations(report).trimEnd().split('\n');
  expect(annotations).toHaveLength(2);
  expect(annotations[0]).toMatch(/^::error title=slmbench gate%3A [^:]*::/);
  expect(annotations[1]).toMatch(/^::warning /);
});
