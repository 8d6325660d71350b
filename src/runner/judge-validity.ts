// Says whether the figures of a result can be trusted, and why not.
import type { Environment, OutcomeCounts, Speed, Validity } from '../core/record.ts';

export interface ValidityFacts {
  readonly counts: OutcomeCounts;
  /** Message of the first failed sample. */
  readonly firstError: string | null;
  readonly speed: Speed;
  readonly maxErrorRate: number;
  readonly smoke: boolean;
  readonly environments: readonly Environment[];
  /** Notes of the sessions that bear on measurements (a model that stayed in memory). */
  readonly residentNotes: readonly string[];
}

type Reason = Validity['reasons'][number] & { readonly isFatal: boolean };

/** Limits of the verdict, as shares of the samples. */
export const validityLimits = { truncated: 0.05, invalid: 0.2, fewSamples: 30, loadPerCore: 0.5 } as const;

export function judgeValidity(facts: ValidityFacts): Validity {
  const reasons = [...reasonsOfCounts(facts), ...reasonsOfMeasurement(facts)];
  const verdict = reasons.some((reason) => reason.isFatal) ? 'invalid' : reasons.length > 0 ? 'suspect' : 'valid';
  return { verdict, reasons: reasons.map(({ code, message }) => ({ code, message })) };
}

function reasonsOfCounts({ counts, firstError, maxErrorRate, smoke }: ValidityFacts): Reason[] {
  const reasons: Reason[] = [];
  const add = (code: string, message: string, isFatal = false): number => reasons.push({ code, message, isFatal });
  const rows = counts.total - counts.missing;
  const answered = counts.scored + counts.invalid;
  if (counts.missing > 0) add('missing', `${rows} of ${counts.total} samples ran`);
  if (counts.error > 0) {
    const isFatal = counts.error / rows > maxErrorRate;
    const said = firstError === null ? '' : `; the first: ${shortened(firstError)}`;
    add('errors', `${counts.error} of ${rows} samples failed (${list(counts.errorClasses)})${said}`, isFatal);
  }
  const overflows = counts.errorClasses['context-overflow'] ?? 0;
  if (overflows > 0) add('prompt-overflow', `${overflows} prompts were longer than the context`);
  if (answered > 0 && counts.truncated === answered) add('truncation', 'every reply hit the token limit', true);
  else if (answered > 0 && counts.truncated / answered > validityLimits.truncated) {
    add('truncation', `${counts.truncated} of ${answered} replies hit the token limit: raise --max-tokens`);
  }
  if (answered > 0 && counts.invalid === answered) add('invalid-answers', `no answer could be read (${list(counts.invalidReasons)})`, true);
  else if (answered > 0 && counts.invalid / answered > validityLimits.invalid) {
    add('invalid-answers', `${counts.invalid} of ${answered} answers could not be read (${list(counts.invalidReasons)})`);
  }
  if (answered === 0) add('no-data', 'no sample was scored', true);
  else if (answered < validityLimits.fewSamples)
    add('few-samples', `the score rests on ${answered} ${answered === 1 ? 'sample' : 'samples'}`);
  if (smoke) add('smoke', 'a prefix of the data (--limit), not a sample');
  return reasons;
}

function reasonsOfMeasurement({ counts, speed, environments, residentNotes }: ValidityFacts): Reason[] {
  const reasons: Reason[] = [];
  if (counts.cached > 0) {
    const message = `${counts.cached} answers came from the cache; timing rests on ${speed.n} fresh ones`;
    reasons.push({ code: 'cached-timing', message, isFatal: false });
  }
  for (const { loadAverage, logicalCores } of environments) {
    if (loadAverage === null || logicalCores === null || loadAverage <= logicalCores * validityLimits.loadPerCore) continue;
    const message = `the machine was busy at the start (load ${loadAverage} on ${logicalCores} cores): times mean little`;
    reasons.push({ code: 'host-contended', message, isFatal: false });
    break;
  }
  for (const message of residentNotes) reasons.push({ code: 'previous-model-resident', message, isFatal: false });
  return reasons;
}

/** One line that fits beside the table; the whole message stands in the predictions. */
function shortened(message: string): string {
  const line = message.replace(/\s+/gu, ' ').trim();
  const characters = [...line];
  return characters.length > 200 ? `${characters.slice(0, 199).join('')}…` : line;
}

function list(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}
