// llama-bench -o json or -o jsonl: one entry per test, rates of its repetitions in samples_ts.
import { mean, standardDeviation } from '../../../stats/moments.ts';
import { quantile } from '../../../stats/quantile.ts';
import { type ImportedPoint, listAt, numberAt, textAt } from './imported-results.ts';

export function isLlamaBench(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && numberAt(value[0], 'n_prompt') !== null && numberAt(value[0], 'avg_ts') !== null;
}

export function readLlamaBench(value: unknown): ImportedPoint[] {
  return (value as readonly unknown[]).map((entry) => {
    const [prompt, generated, depth] = ['n_prompt', 'n_gen', 'n_depth'].map((key) => numberAt(entry, key) ?? 0);
    const rates = Float64Array.from(listAt(entry, 'samples_ts').filter((rate): rate is number => typeof rate === 'number'));
    const test = prompt! > 0 && generated! > 0 ? `pp${prompt}+tg${generated}` : prompt! > 0 ? `pp${prompt}` : `tg${generated}`;
    const sorted = rates.slice().sort();
    return {
      model: textAt(entry, 'model_type') ?? textAt(entry, 'model_filename') ?? 'unknown',
      load: `${test} @ d${depth}, ${numberAt(entry, 'n_threads') ?? '?'} threads`,
      requests: rates.length,
      failed: 0,
      metrics: [
        {
          metric: test,
          original: 'avg_ts',
          unit: 'tok/s',
          n: rates.length,
          mean: rates.length > 0 ? mean(rates) : numberAt(entry, 'avg_ts'),
          sd: rates.length > 1 ? standardDeviation(rates) : numberAt(entry, 'stddev_ts'),
          p50: quantile(sorted, 0.5),
          p95: null,
          p99: null,
          differs: test.includes('+') ? 'prompt and generation in one rate: compare with neither pp nor tg' : null,
        },
      ],
    };
  });
}
