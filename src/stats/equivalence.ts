// "No difference seen" is not "the same": two one-sided tests show that a difference is smaller than a margin the user cares about.
import { studentTCdf } from './distributions.ts';

export interface EquivalenceResult {
  /** Larger of the two one-sided p values. */
  readonly p: number;
  readonly equivalent: boolean;
  readonly margin: number;
}

/**
 * TOST (Schuirmann 1987): is |difference| < margin? A standard error of 0 decides by the difference itself.
 * @param facts.df degrees of freedom of the standard error; Infinity uses the normal distribution
 */
export function equivalenceTest(facts: {
  readonly difference: number;
  readonly standardError: number;
  readonly df: number;
  readonly margin: number;
  /** @default 0.05 */
  readonly alpha?: number | undefined;
}): EquivalenceResult {
  const { difference, standardError, df, margin } = facts;
  const inside = Math.abs(difference) < margin;
  const tail = (distance: number): number => studentTCdf(-distance / standardError, df);
  const p = standardError > 0 ? Math.max(tail(margin - difference), tail(margin + difference)) : inside ? 0 : 1;
  return { p, equivalent: p < (facts.alpha ?? 0.05), margin };
}
