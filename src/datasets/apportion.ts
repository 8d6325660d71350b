// Whole seats for fractional claims (largest remainder, Hamilton), used for class counts of a split.

/**
 * Shares `total` among classes in proportion to `counts`; no class gets more than it has. Ties go to the larger class, then to
 * the earlier one. The sum is `total` whenever `total` <= the sum of counts.
 */
export function apportion(counts: readonly number[], total: number): number[] {
  const sum = counts.reduce((all, count) => all + count, 0);
  if (sum === 0) return counts.map(() => 0);
  const exact = counts.map((count) => (count * total) / sum);
  const seats = exact.map(Math.floor);
  const order = counts
    .map((_, index) => index)
    .sort((a, b) => remainder(exact[b]!) - remainder(exact[a]!) || counts[b]! - counts[a]! || a - b);
  let left = total - seats.reduce((all, seat) => all + seat, 0);
  while (left > 0) {
    const before = left;
    for (const index of order) {
      if (left > 0 && seats[index]! < counts[index]!) {
        seats[index]!++;
        left--;
      }
    }
    if (left === before) break;
  }
  return seats;
}

/** Rounded, so that equal remainders tie in spite of floating point. */
function remainder(value: number): number {
  return Math.round((value - Math.floor(value)) * 1e9);
}
