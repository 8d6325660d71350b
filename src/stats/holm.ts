// Many comparisons at once: Holm's correction keeps the chance of any false alarm at alpha.

/** Holm-adjusted p values in the given order (Holm 1979); null (no test) stays null and is not counted. */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const tested = pValues.flatMap((p, index) => (p === null ? [] : [{ p, index }])).sort((left, right) => left.p - right.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let running = 0;
  tested.forEach(({ p, index }, rank) => {
    running = Math.max(running, Math.min(1, p * (tested.length - rank)));
    adjusted[index] = running;
  });
  return adjusted;
}
