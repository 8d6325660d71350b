// The result file of `vllm bench serve` (--save-result): one load point with flat keys.
import { type ImportedMetric, type ImportedPoint, numberAt, textAt } from './imported-results.ts';

export function isVllm(value: unknown): boolean {
  return numberAt(value, 'request_throughput') !== null && numberAt(value, 'mean_ttft_ms') !== null;
}

const latencies = [
  {
    metric: 'ttft',
    key: 'ttft',
    differs: 'starts at any message with choices: an early role chunk counts as the first token; failures are left out',
  },
  { metric: 'tpot', key: 'tpot', differs: null },
  { metric: 'icl', key: 'itl', differs: 'called ITL there, but it is the gap between chunks, whatever tokens they hold' },
  { metric: 'e2e', key: 'e2el', differs: 'with a concurrency limit the wait before sending is left out' },
] as const;

export function readVllm(value: unknown): ImportedPoint[] {
  const completed = numberAt(value, 'completed');
  const total = numberAt(value, 'num_prompts');
  const metrics: ImportedMetric[] = latencies
    .filter(({ key }) => numberAt(value, `mean_${key}_ms`) !== null)
    .map(({ metric, key, differs }) => ({
      metric,
      original: `${key}_ms`,
      unit: 'ms',
      n: completed,
      mean: numberAt(value, `mean_${key}_ms`),
      sd: numberAt(value, `std_${key}_ms`),
      p50: numberAt(value, `median_${key}_ms`),
      p95: numberAt(value, `p95_${key}_ms`),
      p99: numberAt(value, `p99_${key}_ms`),
      differs,
    }));
  for (const [metric, original, unit, differs] of [
    ['requestRate', 'request_throughput', 'req/s', 'over the whole run, ramp and drain included'],
    ['outputRate', 'output_throughput', 'tok/s', 'over the whole run, ramp and drain included'],
    ['goodput', 'request_goodput', 'req/s', 'over the whole run; the share of requests is not told'],
  ] as const) {
    const rate = numberAt(value, original);
    if (rate !== null)
      metrics.push({ metric, original, unit, n: completed, mean: rate, sd: null, p50: null, p95: null, p99: null, differs });
  }
  const users = numberAt(value, 'max_concurrency');
  const rate = numberAt(value, 'request_rate') ?? textAt(value, 'request_rate');
  return [
    {
      model: textAt(value, 'model_id') ?? 'unknown',
      load: users === null ? `${rate ?? '?'} req/s` : `${users} users`,
      requests: total,
      failed: total === null || completed === null ? null : total - completed,
      metrics,
    },
  ];
}
