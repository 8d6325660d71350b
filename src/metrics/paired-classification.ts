// How sure is a difference in F1? Both models on the same items, resampled together, so that what they share cancels out.
import { ToolError } from '../core/errors.ts';
import type { Interval } from '../core/metric.ts';
import { suggestName } from '../core/names.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { type BootstrapResult, bootstrapCounts } from '../stats/bootstrap.ts';
import { placeOfScore, scoreNames, scoresScratch, scoreWidth, writeScores } from './classification-scores.ts';
import { type Confusion, createLabelPairs } from './confusion.ts';
import { createRowUnits } from './row-units.ts';
import { createUnitTables } from './unit-tables.ts';

export interface PairedScoreDifference {
  /** `f1:macro`, `accuracy`... */
  readonly score: string;
  readonly a: number | null;
  readonly b: number | null;
  /** b - a. */
  readonly difference: number | null;
  /** Percentile bootstrap over items; null where every resample gives the same difference. */
  readonly interval: Interval | null;
  /** Items that both sides answered. */
  readonly n: number;
}

export interface PairedClassificationOptions {
  readonly labels?: readonly string[] | undefined;
  readonly seed: number;
  readonly level?: number | undefined;
  /** @default ['f1:macro'] */
  readonly scores?: readonly string[] | undefined;
}

const keyOf = (row: PredictionRow): string => `${row.repeat} ${row.id}`;
const counts = (row: PredictionRow): boolean => (row.outcome.kind === 'scored' || row.outcome.kind === 'invalid') && row.label !== null;
const answerOf = (row: PredictionRow): string | null => (row.outcome.kind === 'scored' ? row.prediction : null);

function placesOf(scores: readonly string[]): number[] {
  return scores.map((score) => {
    const place = placeOfScore(score);
    if (place !== undefined) return place;
    throw new ToolError('config', `unknown classification score "${score}"`, { hint: suggestName(score, scoreNames()) });
  });
}

/** Writes b - a of the wanted scores from counts of (cell of a, cell of b). */
function differences(a: Confusion, b: Confusion, places: readonly number[]): (joint: Float64Array, into: Float64Array) => void {
  const columns = b.counts.length;
  const sides = [a, b].map((confusion) => ({
    confusion,
    counts: new Float64Array(confusion.counts.length),
    scores: new Float64Array(scoreWidth),
    scratch: scoresScratch(confusion),
  }));
  const [left, right] = sides as [(typeof sides)[0], (typeof sides)[0]];
  return (joint, into) => {
    left.counts.fill(0);
    right.counts.fill(0);
    for (let cell = 0; cell < joint.length; cell++) {
      left.counts[Math.floor(cell / columns)]! += joint[cell]!;
      right.counts[cell % columns]! += joint[cell]!;
    }
    for (const side of sides) writeScores(side.confusion, side.counts, -1, side.scores, side.scratch);
    places.forEach((place, index) => {
      into[index] = right.scores[place]! - left.scores[place]!;
    });
  };
}

function scoresOf(confusion: Confusion): Float64Array {
  const scores = new Float64Array(scoreWidth);
  writeScores(confusion, confusion.counts, -1, scores);
  return scores;
}

/**
 * Paired bootstrap of classification scores (Efron and Tibshirani 1993, chapter 16; Koehn 2004 for paired resampling of test sets). Rows are paired
 * by id and repeat; items in one cluster, and repeats of one item, are drawn together.
 * @throws ToolError `config` for an unknown score name
 */
export function comparePairedClassification(
  a: Iterable<PredictionRow>,
  b: Iterable<PredictionRow>,
  options: PairedClassificationOptions,
): readonly PairedScoreDifference[] {
  const scores = options.scores ?? ['f1:macro'];
  const places = placesOf(scores);
  const rowsOfB = new Map([...b].filter(counts).map((row) => [keyOf(row), row]));
  const sides = { a: createLabelPairs(), b: createLabelPairs() };
  const units = createRowUnits();
  const unitOfRow: number[] = [];
  for (const row of a) {
    const other = rowsOfB.get(keyOf(row));
    if (other === undefined || !counts(row)) continue;
    sides.a.add(row.label!, answerOf(row));
    sides.b.add(other.label!, answerOf(other));
    unitOfRow.push(units.unitOf(row));
  }
  const left = sides.a.confusion(options.labels);
  const right = sides.b.confusion(options.labels ?? left.labels);
  const joint = { cells: left.counts.length * right.counts.length, width: places.length, statistics: differences(left, right, places) };
  const cellOf = (row: number): number => left.cellOfRow[row]! * right.counts.length + right.cellOfRow[row]!;
  const spread = resample(joint, unitOfRow, cellOf, units, options);
  const [scoresA, scoresB] = [scoresOf(left), scoresOf(right)];
  const known = (value: number | undefined): number | null => (value !== undefined && Number.isFinite(value) ? value : null);
  return scores.map((score, index) => ({
    score,
    a: known(scoresA[places[index]!]),
    b: known(scoresB[places[index]!]),
    difference: known(scoresB[places[index]!]! - scoresA[places[index]!]!),
    interval: spread[index]!.degenerate ? null : spread[index]!.interval,
    n: units.items(),
  }));
}

function resample(
  joint: { readonly cells: number; readonly width: number; readonly statistics: (counts: Float64Array, into: Float64Array) => void },
  unitOfRow: readonly number[],
  cellOf: (row: number) => number,
  units: ReturnType<typeof createRowUnits>,
  options: PairedClassificationOptions,
): readonly BootstrapResult[] {
  const settings = { seed: options.seed, level: options.level };
  if (units.independent()) {
    const table = new Float64Array(joint.cells);
    unitOfRow.forEach((_, row) => {
      table[cellOf(row)]!++;
    });
    const resamples = Math.max(400, Math.min(2000, Math.floor(4e7 / Math.max(1, joint.cells))));
    return bootstrapCounts({ counts: table, width: joint.width, statistics: joint.statistics }, { ...settings, resamples });
  }
  const tables = createUnitTables();
  unitOfRow.forEach((unit, row) => {
    tables.add(unit, cellOf(row));
  });
  return tables.bootstrap({ ...joint, units: units.units() }, settings);
}
