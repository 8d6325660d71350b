// The highest load that still meets an objective: doubling until it fails, then halving the gap.

export interface CapacitySearch {
  readonly start: number;
  readonly max: number;
  /** Whole users, or any rate. */
  readonly isInteger: boolean;
  /** The answer is this near to the first load that fails, as a share of it. @default 0.1 */
  readonly precision?: number | undefined;
}

export interface CapacityFound {
  /** null when even the smallest load fails. */
  readonly highest: number | null;
  readonly tried: readonly { readonly level: number; readonly holds: boolean }[];
}

/** `holds` measures one load. Below the start, smaller rates are tried too, down to a 64th of it. */
export async function searchCapacity(search: CapacitySearch, holds: (level: number) => Promise<boolean>): Promise<CapacityFound> {
  const tried: { level: number; holds: boolean }[] = [];
  const attempt = async (level: number): Promise<boolean> => {
    const result = await holds(level);
    tried.push({ level, holds: result });
    return result;
  };
  let low: number | null = null;
  let high: number | null = null;
  for (let level = search.start; high === null && level <= search.max; level = Math.min(level * 2, search.max)) {
    if (!(await attempt(level))) high = level;
    else low = level;
    if (level === search.max) break;
  }
  const smallest = search.isInteger ? 1 : search.start / 64;
  for (let level = search.start / 2; low === null && high !== null && level >= smallest; level /= 2) {
    const whole = search.isInteger ? Math.floor(level) : level;
    if (await attempt(whole)) low = whole;
    else high = whole;
  }
  while (low !== null && high !== null && high - low > (search.isInteger ? 1 : 0) && (high - low) / high > (search.precision ?? 0.1)) {
    const middle = search.isInteger ? Math.floor((low + high) / 2) : (low + high) / 2;
    if (middle === low) break;
    if (await attempt(middle)) low = middle;
    else high = middle;
  }
  return { highest: low, tried };
}
