// guidellm's report (benchmarks[].metrics.<name>.successful): one load point per benchmark.
import { type ImportedMetric, type ImportedPoint, listAt, numberAt, textAt } from './imported-results.ts';

export function isGuidellm(value: unknown): boolean {
  const first = listAt(value, 'benchmarks')[0];
  return typeof first === 'object' && first !== null && 'metrics' in first;
}

const known = [
  {
    metric: 'ttft',
    original: 'time_to_first_token_ms',
    unit: 'ms',
    factor: 1,
    differs: 'wall clock; older versions pass over reasoning text',
  },
  {
    metric: 'tpot',
    original: 'time_per_output_token_ms',
    unit: 'ms',
    factor: 1,
    differs: 'all tokens in the divisor and the first token in the time, so ttft is part of it',
  },
  {
    metric: 'icl',
    original: 'inter_token_latency_ms',
    unit: 'ms',
    factor: 1,
    differs: 'called ITL there; the mean of each request (weighted by its tokens), so stalls do not show',
  },
  { metric: 'e2e', original: 'request_latency', unit: 'ms', factor: 1000, differs: 'in seconds there; wall clock' },
  {
    metric: 'requestRate',
    original: 'requests_per_second',
    unit: 'req/s',
    factor: 1,
    differs: 'a distribution over the run, not a total over the steady time',
  },
  {
    metric: 'outputRate',
    original: 'output_tokens_per_second',
    unit: 'tok/s',
    factor: 1,
    differs: 'a distribution over the run, not a total over the steady time',
  },
] as const;

function metricOf(metrics: unknown, { metric, original, unit, factor, differs }: (typeof known)[number]): ImportedMetric | null {
  const at = (...path: string[]): number | null => {
    const value = numberAt(metrics, original, 'successful', ...path);
    return value === null ? null : value * factor;
  };
  if (at('mean') === null) return null;
  // Figures weighted by tokens count tokens, but they hold no more than one value of each request.
  const count = numberAt(metrics, original, 'successful', 'count');
  const requests = numberAt(metrics, 'request_totals', 'successful');
  const n = count === null || requests === null ? count : Math.min(count, requests);
  return {
    metric,
    original,
    unit,
    n,
    mean: at('mean'),
    sd: at('std_dev'),
    p50: at('median') ?? at('percentiles', 'p50'),
    p95: at('percentiles', 'p95'),
    p99: at('percentiles', 'p99'),
    differs,
  };
}

export function readGuidellm(value: unknown): ImportedPoint[] {
  return listAt(value, 'benchmarks').map((benchmark) => {
    const metrics = (benchmark as { readonly metrics?: unknown }).metrics;
    const totals = (name: string): number | null =>
      numberAt(metrics, 'request_totals', name) ?? numberAt(benchmark, 'request_totals', name);
    const config = (benchmark as { readonly config?: unknown }).config;
    const strategy = textAt(config, 'strategy', 'type_') ?? textAt(benchmark, 'args', 'strategy', 'type_') ?? 'unknown load';
    const streams = numberAt(config, 'strategy', 'streams') ?? numberAt(benchmark, 'args', 'strategy', 'streams');
    const rate = numberAt(config, 'strategy', 'rate') ?? numberAt(benchmark, 'args', 'strategy', 'rate');
    return {
      model: textAt(config, 'model') ?? textAt(config, 'backend', 'model') ?? textAt(value, 'args', 'model') ?? 'unknown',
      load: streams !== null ? `${strategy} ${streams} users` : rate !== null ? `${strategy} ${rate} req/s` : strategy,
      requests: totals('total'),
      failed: totals('errored'),
      metrics: known.map((entry) => metricOf(metrics, entry)).filter((metric) => metric !== null),
    };
  });
}
