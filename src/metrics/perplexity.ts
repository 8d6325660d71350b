// Perplexity per token, word and byte, and bits per byte: one pooled sum of log-likelihoods over one named denominator.
import type { Metric, MetricOptions, MetricOutput } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { bootstrap } from '../stats/bootstrap.ts';
import { sum } from '../stats/moments.ts';
import { metricValue } from './metric-value.ts';
import { createRowUnits } from './row-units.ts';
import { readUseOptions } from './use-options.ts';

type Denominator = 'tokens' | 'words' | 'bytes' | 'answers';

interface PerplexityFacts {
  readonly name: string;
  readonly title: string;
  readonly per: Denominator;
  readonly unit: string;
  /** From mean negative log-likelihood in nats to the printed number. */
  readonly print: (nats: number) => number;
}

/** Log-likelihood and denominator of a row, or null where the row has none. */
function partsOf(row: PredictionRow, per: Denominator): { readonly logprob: number; readonly count: number } | null {
  if (per !== 'answers') {
    const rolling = row.rolling;
    return rolling === undefined || !Number.isFinite(rolling.logprob) ? null : { logprob: rolling.logprob, count: rolling[per] };
  }
  const choice = row.choices?.[row.gold?.[0] ?? 0];
  return choice === undefined || !Number.isFinite(choice.logprob) ? null : { logprob: choice.logprob, count: 1 };
}

function create(facts: PerplexityFacts, options: MetricOptions) {
  readUseOptions(facts.name, options.use, {});
  const units = createRowUnits();
  const logprobs: number[] = [];
  const counts: number[] = [];
  let rows = 0;
  let left = 0;
  const printed = { name: facts.name, version: '1', higherIsBetter: false, unit: facts.unit };
  return {
    add: (row: PredictionRow): number | null => {
      const parts = partsOf(row, facts.per);
      if (parts === null) {
        left++;
        return null;
      }
      const unit = units.unitOf(row);
      logprobs[unit] = (logprobs[unit] ?? 0) + parts.logprob;
      counts[unit] = (counts[unit] ?? 0) + parts.count;
      rows++;
      return parts.count === 0 ? null : facts.print(-parts.logprob / parts.count);
    },
    finish: (): MetricOutput => {
      const total = sum(counts);
      const notes = rows === 0 ? [] : [`log-likelihood ${sum(logprobs)} nats over ${total} ${facts.per} of ${units.items()} documents`];
      if (left > 0) notes.push(`${left} rows have no log-likelihood and are not counted`);
      const details = notes.length > 0 ? { notes } : undefined;
      if (total === 0) return { values: [metricValue(printed, { value: null, n: 0 })], details };
      const statistic = (items: Uint32Array): number => {
        let nats = 0;
        let parts = 0;
        for (const item of items) {
          nats -= logprobs[item]!;
          parts += counts[item]!;
        }
        return facts.print(nats / parts);
      };
      const resamples = Math.max(200, Math.min(2000, Math.floor(2e7 / logprobs.length)));
      const spread = bootstrap({ size: logprobs.length, statistic }, { seed: options.seed, resamples, level: options.level });
      const known = spread.degenerate ? {} : { interval: spread.interval, standardError: spread.standardError };
      return { values: [metricValue(printed, { value: facts.print(-sum(logprobs) / total), n: units.items(), ...known })], details };
    },
  };
}

const all: readonly PerplexityFacts[] = [
  { name: 'token_perplexity', title: 'Token perplexity', per: 'tokens', unit: 'perplexity/token', print: Math.exp },
  { name: 'word_perplexity', title: 'Word perplexity', per: 'words', unit: 'perplexity/word', print: Math.exp },
  { name: 'byte_perplexity', title: 'Byte perplexity', per: 'bytes', unit: 'perplexity/byte', print: Math.exp },
  { name: 'bits_per_byte', title: 'Bits per byte', per: 'bytes', unit: 'bits/byte', print: (nats) => nats / Math.LN2 },
  { name: 'perplexity', title: 'Answer perplexity', per: 'answers', unit: 'perplexity/answer', print: Math.exp },
];

const meaning: Readonly<Record<Denominator, string>> = {
  tokens: 'exp(-sum log-likelihood / scored tokens); comparable between models with one tokenizer only',
  words: 'pooled log-likelihood over the words of the original text',
  bytes: 'pooled log-likelihood over the UTF-8 bytes of the original text; comparable between tokenizers',
  answers: 'exp(-mean log-likelihood of the gold answer), as LAMBADA is reported',
};

export const perplexityMetrics: readonly Metric[] = all.map((facts) => ({
  name: facts.name,
  version: '1',
  title: facts.title,
  description: meaning[facts.per],
  higherIsBetter: false,
  create: (options) => create(facts, options),
}));
