// How many items a comparison needs, and the smallest difference that a given number of items can show.
import { normalQuantile } from './distributions.ts';

/**
 * What is compared. `paired-proportions`: both models on the same items, `discordance` = share of items where they differ.
 * `proportions`: two independent sets of n items each around `share`. `paired-means` / `means`: `sd` of the differences / of one set.
 */
export type PowerDesign =
  | { readonly kind: 'paired-proportions'; readonly discordance: number }
  | { readonly kind: 'proportions'; readonly share: number }
  | { readonly kind: 'paired-means'; readonly sd: number }
  | { readonly kind: 'means'; readonly sd: number };

export interface PowerOptions {
  /** Two-sided. @default 0.05 */
  readonly alpha?: number | undefined;
  /** @default 0.8 */
  readonly power?: number | undefined;
}

function deviates(options: PowerOptions): { readonly alpha: number; readonly beta: number } {
  return { alpha: normalQuantile(1 - (options.alpha ?? 0.05) / 2), beta: normalQuantile(options.power ?? 0.8) };
}

function requiredExactly(design: PowerDesign, difference: number, z: { readonly alpha: number; readonly beta: number }): number {
  switch (design.kind) {
    case 'paired-proportions': {
      const spread = Math.max(design.discordance, difference);
      return ((z.alpha * Math.sqrt(spread) + z.beta * Math.sqrt(spread - difference * difference)) / difference) ** 2;
    }
    case 'proportions': {
      const other = design.share + difference <= 1 ? design.share + difference : design.share - difference;
      const middle = (design.share + other) / 2;
      const separate = design.share * (1 - design.share) + other * (1 - other);
      return ((z.alpha * Math.sqrt(2 * middle * (1 - middle)) + z.beta * Math.sqrt(separate)) / difference) ** 2;
    }
    case 'paired-means':
      return (((z.alpha + z.beta) * design.sd) / difference) ** 2 + z.alpha ** 2 / 2;
    case 'means':
      return 2 * (((z.alpha + z.beta) * design.sd) / difference) ** 2 + z.alpha ** 2 / 4;
  }
}

/**
 * Items (per set) that show `difference` with the wanted power. Paired proportions: Connor 1987; independent proportions: Fleiss, Levin and
 * Paik 2003, section 4.2, without continuity correction; means: normal formula with Guenther's 1981 correction for t.
 * null for a difference of 0.
 */
export function sampleSizeFor(design: PowerDesign, difference: number, options: PowerOptions = {}): number | null {
  const wanted = Math.abs(difference);
  return wanted > 0 ? Math.ceil(requiredExactly(design, wanted, deviates(options)) - 1e-9) : null;
}

/** Smallest difference that n items (per set) show with the wanted power; null where even the largest possible one is not enough. */
export function minimumDetectableDifference(design: PowerDesign, n: number, options: PowerOptions = {}): number | null {
  const z = deviates(options);
  let low = 0;
  let high = largestDifference(design);
  if (n < 1 || (high > 0 && requiredExactly(design, high, z) > n)) return null;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (middle > 0 && requiredExactly(design, middle, z) <= n) high = middle;
    else low = middle;
  }
  return high;
}

function largestDifference(design: PowerDesign): number {
  switch (design.kind) {
    case 'paired-proportions':
      return design.discordance > 0 ? design.discordance : 1;
    case 'proportions':
      return Math.max(design.share, 1 - design.share);
    case 'paired-means':
    case 'means':
      return design.sd * 1e6;
  }
}
