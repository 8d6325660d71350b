// Which rows are independent: rows of one item (repeats) or of one named cluster belong together.
import type { PredictionRow } from '../core/prediction.ts';

export interface RowUnits {
  /** Number of the unit that a row belongs to. */
  readonly unitOf: (row: Pick<PredictionRow, 'id' | 'cluster'>) => number;
  readonly units: () => number;
  /** Distinct item ids. */
  readonly items: () => number;
  /** True where each row is a unit of its own. */
  readonly independent: () => boolean;
}

/** Numbers units in order of appearance. */
export function createRowUnits(): RowUnits {
  const byItem = new Map<string, number>();
  const byCluster = new Map<string, number>();
  let units = 0;
  let rows = 0;
  return {
    unitOf: (row) => {
      rows++;
      const known = byItem.get(row.id);
      if (known !== undefined) return known;
      let unit = row.cluster === undefined ? undefined : byCluster.get(row.cluster);
      if (unit === undefined) {
        unit = units++;
        if (row.cluster !== undefined) byCluster.set(row.cluster, unit);
      }
      byItem.set(row.id, unit);
      return unit;
    },
    units: () => units,
    items: () => byItem.size,
    independent: () => units === rows,
  };
}
