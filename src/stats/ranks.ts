// Midranks: the shared first step of every rank test.

export interface Ranks {
  /** Rank of each value, counted from 1; ties share the mean rank. */
  readonly ranks: Float64Array;
  /** Sum of t^3 - t over groups of t tied values. */
  readonly tieTerm: number;
}

/** Midranks of values in their own order. */
export function midranks(values: ArrayLike<number>): Ranks {
  const n = values.length;
  const order = Uint32Array.from({ length: n }, (_, index) => index).sort((left, right) => values[left]! - values[right]!);
  const ranks = new Float64Array(n);
  let tieTerm = 0;
  for (let start = 0; start < n; ) {
    let end = start + 1;
    while (end < n && values[order[end]!] === values[order[start]!]) end++;
    const size = end - start;
    tieTerm += size * size * size - size;
    for (let place = start; place < end; place++) ranks[order[place]!] = (start + 1 + end) / 2;
    start = end;
  }
  return { ranks, tieTerm };
}
