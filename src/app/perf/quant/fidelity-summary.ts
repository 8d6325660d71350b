// What a quantisation costs in fidelity, from one value per token: perplexity ratio with its error, KL divergence, agreement.
import { z } from 'zod';
import type { FidelitySeries } from '../../../backends/llama/measure-fidelity.ts';
import { intervalSchema } from '../../../core/metric.ts';
import { mean, standardErrorOfMean } from '../../../stats/moments.ts';
import { wilsonInterval } from '../../../stats/proportion.ts';
import { quantile } from '../../../stats/quantile.ts';

export const fidelitySchema = z.strictObject({
  tokens: z.number().int(),
  perplexity: z.number(),
  referencePerplexity: z.number(),
  /** ln(PPL / PPL of the reference) and its standard error from the paired differences. */
  logRatio: z.number(),
  logRatioError: z.number().nullable(),
  /** Nats. */
  klMean: z.number(),
  klMeanError: z.number().nullable(),
  klMedian: z.number(),
  klP99: z.number(),
  klMax: z.number(),
  /** Root mean square change of the probability of the true token. */
  probabilityRms: z.number(),
  /** Share of tokens at which both rank the same token first. */
  topAgreement: z.number(),
  topAgreementInterval: intervalSchema.nullable(),
});
export type Fidelity = z.infer<typeof fidelitySchema>;

/** null without tokens. */
export function summariseFidelity(series: FidelitySeries): Fidelity | null {
  const { referenceNll, candidateNll, divergence, sameTop } = series;
  const tokens = divergence.length;
  if (tokens === 0) return null;
  const differences = candidateNll.map((nll, index) => nll - referenceNll[index]!);
  const changes = candidateNll.map((nll, index) => (Math.exp(-nll) - Math.exp(-referenceNll[index]!)) ** 2);
  const sorted = divergence.slice().sort();
  const same = sameTop.reduce((sum, value) => sum + value, 0);
  return {
    tokens,
    perplexity: Math.exp(mean(candidateNll)!),
    referencePerplexity: Math.exp(mean(referenceNll)!),
    logRatio: mean(differences)!,
    logRatioError: standardErrorOfMean(differences),
    klMean: mean(divergence)!,
    klMeanError: standardErrorOfMean(divergence),
    klMedian: quantile(sorted, 0.5)!,
    klP99: quantile(sorted, 0.99)!,
    klMax: sorted[tokens - 1]!,
    probabilityRms: Math.sqrt(mean(changes)!),
    topAgreement: same / tokens,
    topAgreementInterval: wilsonInterval({ successes: same, n: tokens }),
  };
}
