import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtureRun } from '../../../test/fixtures/report-runs.ts';
import { type GateRuleKind, parseGateRule } from '../../report/gate/gate-rule.ts';
import { judgeEvidence } from '../../report/gate/judge-gate.ts';
import { meanInterval } from '../../stats/moments.ts';
import { quantileInterval, summarize } from '../../stats/quantile.ts';
import type { Performance } from '../perf/perf-schema.ts';
import type { RequestLine } from '../perf/read-perf-run.ts';
import { openWorkspace } from '../workspace.ts';
import { gateRun } from './gate-run.ts';
import { type GatedPerf, perfEvidence, perfPlaces } from './perf-evidence.ts';

const valid = { verdict: 'valid' as const, reasons: [] };
const repetitions = 4;

function metric(values: readonly number[], unit: string, better: 'lower' | 'higher') {
  const sorted = Float64Array.from(values).sort();
  const intervals = { p50Interval: quantileInterval(sorted, 0.5), p95Interval: null, meanInterval: meanInterval([...values]) };
  return { ...summarize(values), unit, better, missing: 0, ...intervals, rating: null, notes: [] };
}

/** One user, `scale` times the usual times. */
function perf(scale: number, validity: Performance['subjects'][0]['validity'] = valid): GatedPerf {
  const requests = Array.from({ length: 80 }, (_, index): RequestLine => {
    const wobble = 1 + ((index * 7) % 11) / 100;
    const rep = index % repetitions;
    return {
      model: 'm',
      point: 0,
      rep,
      steady: true,
      prompt: `p${index}`,
      ttftMs: 100 * scale * wobble,
      tpotMs: 20 * scale * wobble,
      e2eMs: 500 * scale * wobble,
    };
  });
  const rate = (value: number, unit: string) => ({ value, unit, better: 'higher' as const, n: 80, interval: null, notes: [] });
  const point = {
    load: { kind: 'concurrency' as const, users: 1 },
    label: '1 user',
    warmUp: { requests: 1, roundsMs: [1], stable: true },
    requests: { sent: 80, steady: 80, failed: 0, empty: 0 },
    windows: [],
    metrics: {
      ttft: metric(
        requests.map((one) => one.ttftMs!),
        'ms',
        'lower',
      ),
      tpot: metric(
        requests.map((one) => one.tpotMs!),
        'ms',
        'lower',
      ),
      e2e: metric(
        requests.map((one) => one.e2eMs!),
        'ms',
        'lower',
      ),
      decodeRate: metric(
        requests.map((one) => 1000 / one.tpotMs!),
        'tok/s',
        'higher',
      ),
      prefillRate: metric(
        requests.map((one) => 5e4 / one.ttftMs!),
        'tok/s',
        'higher',
      ),
    },
    rates: {
      outputRate: rate(40 / scale, 'tok/s'),
      errorShare: { ...rate(0, 'fraction'), interval: { low: 0, high: 0.046, level: 0.95, method: 'wilson' } },
    },
    errorClasses: {},
    finishReasons: {},
    slo: null,
    client: { cpuPercent: 1, loopLagMs: { p50: 0, p99: 0, max: 0 }, sendLagP99Ms: null, chunksPerSecond: null, ceilingShare: null },
    host: { foreignCores: null, stealShare: null, cores: 2, clockStepMs: 0, throttleEvents: null },
    serverCounts: null,
    resources: null,
    energyPerOutputTokenJoules: null,
    validity,
  };
  const subject = {
    model: 'm',
    backend: 'llama',
    loadMs: null,
    loadWarm: null,
    peakRssBytes: 1e9 * scale,
    workload: null,
    points: [point],
    engine: [],
    sloCapacity: null,
    validity,
  };
  return { performance: { schema: 'slmbench/performance/1', order: 'one after the other', repetitions, subjects: [subject] }, requests };
}

function outcome(kind: GateRuleKind, text: string, run: GatedPerf, baseline: GatedPerf | null = null): string {
  const rule = parseGateRule(kind, text);
  const checks = perfPlaces(rule, run).map((place) => judgeEvidence(perfEvidence(rule, place, { run, baseline, seed: 1, level: 0.9 })));
  expect(checks).toHaveLength(1);
  return checks[0]!.outcome;
}
const recordOnly = (run: GatedPerf): GatedPerf => ({ ...run, requests: null });

test.each([
  ['max', 'ttft=200', 'pass'],
  ['max', '1 user/ttft=90', 'fail'],
  ['max', 'ttft=105', 'not-enough-data'],
  ['max', 'tpot=25', 'pass'],
  ['max', 'latency=400', 'fail'],
  ['min', 'decode=40', 'pass'],
  ['min', 'prefill=900', 'fail'],
  ['max', 'errorShare=5%', 'pass'],
  ['max', 'memory=2e9', 'pass'],
  ['min', 'throughput=10', 'not-enough-data'],
] as const)('--%s %s: %s', (kind, text, expected) => {
  expect(outcome(kind, text, perf(1))).toBe(expected);
});

test.each(['ttft', 'tpot', 'e2e'])('the ratio of %s is judged from the requests, and from the records alone', (name) => {
  for (const form of [(run: GatedPerf) => run, recordOnly]) {
    expect(outcome('max-ratio', `${name}=1.1`, form(perf(1)), form(perf(1)))).toBe('pass');
    expect(outcome('max-ratio', `${name}=1.1`, form(perf(1.3)), form(perf(1)))).toBe('fail');
  }
  expect(outcome('min-ratio', 'decode=0.9', perf(1.3), perf(1))).toBe('fail');
  expect(outcome('min-ratio', 'prefill=0.9', perf(1), perf(1))).toBe('pass');
  expect(outcome('max-ratio', 'memory=1.2', perf(1.3), perf(1))).toBe('fail');
});

test('an invalid measurement proves nothing; unknown names and loads are refused', () => {
  const spoilt = perf(1, { verdict: 'invalid', reasons: [{ code: 'error-rate', message: 'x' }] });
  expect(outcome('max', 'ttft=200', spoilt)).toBe('not-enough-data');
  const refused =
    (text: string, kind: GateRuleKind = 'max') =>
    () =>
      perfPlaces(parseGateRule(kind, text), perf(1));
  expect(refused('ttfft=200')).toThrow(expect.objectContaining({ code: 'usage', hint: 'did you mean "ttft"?' }));
  expect(refused('2 users/ttft=200')).toThrow(/no load "2 users"/);
  expect(refused('accuracy=1pp', 'max-drop')).toThrow(/measured speed/);
  expect(() => outcome('max', 'errorShare=5', perf(1))).toThrow(expect.objectContaining({ hint: expect.stringContaining('5%') }));
});

test('the gate reads a performance record file, completeness included', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gate-perf-'));
  const { record } = await fixtureRun({ models: 1, samplesPerTask: 2, tasks: 1 });
  const write = async (name: string, scale: number) => {
    const path = join(folder, name);
    await writeFile(
      path,
      JSON.stringify({ ...record, id: name, tasks: [], results: [], groups: [], modelRuns: [], performance: perf(scale).performance }),
    );
    return path;
  };
  const [run, baseline] = [await write('now.json', 1.3), await write('before.json', 1)];
  const rules = [parseGateRule('max', 'ttft=200'), parseGateRule('max-ratio', 'ttft=1.1')];
  const report = await gateRun({ run, baseline, rules, strict: false }, await openWorkspace({ output: folder, offline: true }));
  expect(report.checks.map((check) => [check.outcome, check.n])).toEqual([
    ['pass', 80],
    ['pass', 80],
    ['fail', 80],
  ]);
  expect(report.exitCode).toBe(3);
});
