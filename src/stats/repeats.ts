// Several attempts at one item become one number per item before anything is averaged, because repeats are not new items.

export type RepeatReducer = 'mean' | 'any' | 'majority' | 'pass^k';

/**
 * One score per item from its repeats; null for an item without scores.
 * `mean`: average. `any`: best of the attempts. `majority`: 1 if more than half of the attempts pass (half passes give 0.5).
 * `pass^k`: 1 only if every attempt passes (Yao et al. 2024, tau-bench). A pass is a score of at least 1.
 */
export function reduceRepeats(scores: readonly number[], reducer: RepeatReducer): number | null {
  const n = scores.length;
  if (n === 0) return null;
  const passes = scores.filter((score) => score >= 1).length;
  switch (reducer) {
    case 'mean':
      return scores.reduce((total, score) => total + score, 0) / n;
    case 'any':
      return Math.max(...scores);
    case 'majority':
      return passes * 2 > n ? 1 : passes * 2 === n ? 0.5 : 0;
    case 'pass^k':
      return passes === n ? 1 : 0;
  }
}

/**
 * Unbiased pass@k of one problem: 1 - C(n - c, k) / C(n, k) for c passes among n attempts (Chen et al. 2021, section 2.1);
 * null where fewer than k attempts were made.
 */
export function passAtK(facts: { readonly attempts: number; readonly passes: number; readonly k: number }): number | null {
  const { attempts, passes, k } = facts;
  if (k < 1 || attempts < k) return null;
  if (attempts - passes < k) return 1;
  let failsAll = 1;
  for (let index = attempts - passes + 1; index <= attempts; index++) failsAll *= 1 - k / index;
  return 1 - failsAll;
}

/** Unbiased estimate that k fresh attempts all pass: C(c, k) / C(n, k) (Yao et al. 2024); null where fewer than k attempts were made. */
export function passHatK(facts: { readonly attempts: number; readonly passes: number; readonly k: number }): number | null {
  const { attempts, passes, k } = facts;
  if (k < 1 || attempts < k) return null;
  let share = 1;
  for (let index = 0; index < k; index++) share *= Math.max(0, passes - index) / (attempts - index);
  return share;
}
