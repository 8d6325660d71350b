// Pages of samples, single samples and flips of a run whose rows are read from wherever they lie: from disk, or from an exported site.
import { ToolError } from '../../core/errors.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { groupOf, idOf, missingRow, outcomeOf, repeatOf, type SampleColumns } from './sample-columns.ts';
import { sampleRow } from './sample-row.ts';
import { sampleFacets, selectSamples } from './select-samples.ts';
import type { FlipRow, FlipsPage, SampleDetail, SampleQuery, SampleRow, SamplesPage } from './viewer-contract.ts';

const mostRows = 200;

/** The samples of one run: columns in memory, rows somewhere else. */
export interface SampleSource {
  readonly columns: SampleColumns;
  /** Full rows of some slots, in that order; slots without a row are left out. */
  readonly rowsAt: (slots: readonly number[]) => Promise<readonly { readonly slot: number; readonly row: PredictionRow }[]>;
  /** Slots whose row holds the text, case-insensitively. */
  readonly find: (text: string) => Promise<ReadonlySet<number>>;
}

async function rowsOf(source: SampleSource, slots: readonly number[]): Promise<SampleRow[]> {
  return (await source.rowsAt(slots)).map(({ slot, row }) => sampleRow(source.columns, slot, row));
}

function countRows(columns: SampleColumns): number {
  let rows = 0;
  for (const code of columns.outcome) if (code !== missingRow) rows++;
  return rows;
}

export async function samplesPage(source: SampleSource, query: SampleQuery): Promise<SamplesPage> {
  const { offset, limit, ...wanted } = query;
  const { text: _, ...filter } = wanted;
  const { columns } = source;
  const slots = await slotsOf(source, wanted);
  const shown = slots.slice(offset, offset + Math.min(limit, mostRows));
  return {
    total: countRows(columns),
    matching: slots.length,
    rows: await rowsOf(source, shown),
    facets: sampleFacets(columns, filter),
  };
}

/** The same item in other models and repeats. */
function siblingSlots(columns: SampleColumns, slot: number): number[] {
  const own = groupOf(columns, slot);
  const item = (slot - own.start) % own.ids.length;
  return columns.groups
    .filter((group) => group.task === own.task)
    .flatMap((group) => {
      const repeats = group.ids.length === 0 ? 0 : group.length / group.ids.length;
      return Array.from({ length: repeats }, (_, repeat) => group.start + repeat * group.ids.length + item);
    })
    .filter((other) => other !== slot);
}

/** Slots that a query leaves, text search included. */
async function slotsOf(source: SampleSource, query: Omit<SampleQuery, 'offset' | 'limit'>): Promise<number[]> {
  const { text, ...filter } = query;
  const slots = selectSamples(source.columns, filter);
  if (text === undefined || text.trim() === '') return slots;
  const found = await source.find(text.trim());
  return slots.filter((slot) => found.has(slot));
}

/**
 * @param query - the filter that the reader came from: neighbours are those of the filtered list
 * @throws ToolError `not-found` where the run has no such row
 */
export async function sampleDetail(
  source: SampleSource,
  slot: number,
  query: Omit<SampleQuery, 'offset' | 'limit'>,
): Promise<SampleDetail> {
  const [found] = await source.rowsAt([slot]);
  if (found === undefined) throw new ToolError('not-found', `the run has no sample ${slot}`);
  const { columns } = source;
  const score = columns.score[slot]!;
  const slots = await slotsOf(source, query);
  const position = slots.indexOf(slot);
  return {
    slot,
    row: found.row,
    outcome: outcomeOf(columns, slot) ?? 'scored',
    score: Number.isNaN(score) ? null : score,
    others: await rowsOf(source, siblingSlots(columns, slot)),
    neighbours: {
      position,
      matching: slots.length,
      previous: position > 0 ? slots[position - 1]! : null,
      next: position >= 0 && position + 1 < slots.length ? slots[position + 1]! : null,
    },
  };
}

export interface FlipSide {
  readonly source: SampleSource;
  readonly model: string;
}
export interface FlipsQuery {
  readonly task: string;
  /** `lost`: right on the left, wrong on the right. */
  readonly direction: 'gained' | 'lost' | 'both';
  readonly offset: number;
  readonly limit: number;
}

function slotsById({ source, model }: FlipSide, task: string): Map<string, number> {
  const slots = new Map<string, number>();
  const group = source.columns.groups.find((one) => one.model === model && one.task === task);
  if (group === undefined) return slots;
  for (let slot = group.start; slot < group.start + group.length; slot++) slots.set(`${idOf(group, slot)} ${repeatOf(group, slot)}`, slot);
  return slots;
}

function isRight(columns: SampleColumns, slot: number): boolean | null {
  const outcome = outcomeOf(columns, slot);
  if (outcome === 'right') return true;
  return outcome === 'wrong' || outcome === 'invalid' ? false : null;
}

/** Items that one side got right and the other wrong, in the left side's order. */
export async function flipsPage(left: FlipSide, right: FlipSide, query: FlipsQuery): Promise<FlipsPage> {
  const others = slotsById(right, query.task);
  const flips: { readonly left: number; readonly right: number }[] = [];
  for (const [key, slot] of slotsById(left, query.task)) {
    const other = others.get(key);
    if (other === undefined) continue;
    const before = isRight(left.source.columns, slot);
    const after = isRight(right.source.columns, other);
    if (before === null || after === null || before === after) continue;
    if (query.direction !== 'both' && (query.direction === 'gained') !== after) continue;
    flips.push({ left: slot, right: other });
  }
  const shown = flips.slice(query.offset, query.offset + Math.min(query.limit, mostRows));
  const leftRows = await rowsOf(
    left.source,
    shown.map((flip) => flip.left),
  );
  const rightRows = await rowsOf(
    right.source,
    shown.map((flip) => flip.right),
  );
  return {
    matching: flips.length,
    rows: leftRows.map((row, at): FlipRow => {
      const { id, instruction, label, category } = row;
      return { id, instruction, label, category, left: row, right: rightRows[at]! };
    }),
  };
}
