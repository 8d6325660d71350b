// aiperf's profile_export_aiperf.json: one load point; each metric an object with unit and percentiles.
import { type ImportedMetric, type ImportedPoint, listAt, numberAt, textAt } from './imported-results.ts';

export function isAiperf(value: unknown): boolean {
  const root = rootOf(value);
  return numberAt(root, 'request_latency', 'avg') !== null && textAt(root, 'request_latency', 'unit') !== null;
}

/** Older files keep the metrics under `records`. */
function rootOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'records' in value ? (value as { readonly records: unknown }).records : value;
}

const known = [
  {
    metric: 'ttft',
    original: 'time_to_first_token',
    unit: 'ms',
    differs: 'time to the first token of any kind; reasoning counts only in versions that read it',
  },
  { metric: 'ttfa', original: 'time_to_first_output_token', unit: 'ms', differs: null },
  {
    metric: 'tpot',
    original: 'inter_token_latency',
    unit: 'ms',
    differs: 'called ITL there: (end - first) / (tokens - 1) of each request',
  },
  { metric: 'icl', original: 'inter_chunk_latency', unit: 'ms', differs: null },
  { metric: 'e2e', original: 'request_latency', unit: 'ms', differs: null },
  { metric: 'outputRate', original: 'output_token_throughput', unit: 'tok/s', differs: 'over the whole run, ramp and drain included' },
  { metric: 'requestRate', original: 'request_throughput', unit: 'req/s', differs: 'over the whole run, ramp and drain included' },
  { metric: 'goodput', original: 'goodput', unit: 'req/s', differs: 'over the whole run' },
] as const;

interface Input {
  readonly model: string | null;
  readonly users: number | null;
  readonly rate: number | null;
}

/** What was asked for: since 0.13 as lists of models and phases, before under `endpoint` and `loadgen`. */
function inputOf(value: unknown): Input {
  const config = (value as { readonly input_config?: unknown }).input_config;
  const phases = listAt(config, 'phases');
  const phase = phases.find((one) => textAt(one, 'kind') === 'profiling') ?? phases[0];
  const item = listAt((config as { readonly models?: unknown } | undefined)?.models, 'items')[0];
  const names = listAt((config as { readonly endpoint?: unknown } | undefined)?.endpoint, 'model_names');
  return {
    model: textAt(item, 'name') ?? (typeof names[0] === 'string' ? names[0] : null),
    users: numberAt(phase, 'concurrency') ?? numberAt(config, 'loadgen', 'concurrency'),
    rate: numberAt(phase, 'request_rate') ?? numberAt(phase, 'rate') ?? numberAt(config, 'loadgen', 'request_rate'),
  };
}

export function readAiperf(value: unknown): ImportedPoint[] {
  const root = rootOf(value);
  const requests = numberAt(root, 'request_count', 'avg');
  const metrics: ImportedMetric[] = [];
  for (const { metric, original, unit, differs } of known) {
    const factor = unit === 'ms' && textAt(root, original, 'unit') === 's' ? 1000 : 1;
    const at = (name: string): number | null => {
      const found = numberAt(root, original, name);
      return found === null ? null : found * factor;
    };
    if (at('avg') === null) continue;
    metrics.push({
      metric,
      original,
      unit,
      n: requests,
      mean: at('avg'),
      sd: at('std'),
      p50: at('p50'),
      p95: at('p95'),
      p99: at('p99'),
      differs,
    });
  }
  const { model, users, rate } = inputOf(value);
  return [
    {
      model: model ?? 'unknown',
      load: users !== null ? `${users} users` : rate !== null ? `${rate} req/s` : 'unknown load',
      requests,
      failed: numberAt(root, 'error_request_count', 'avg'),
      metrics,
    },
  ];
}
