// Turns raw rows into a split: plain JSON, content-hash ids, duplicates marked, labels checked, manifest made.
import { hash } from 'node:crypto';
import type { DatasetSplit, Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import { canonicalJson, type JsonObject } from '../core/json.ts';
import type { FileNotes, SourceRow } from './formats/source-row.ts';
import { normaliseFields } from './normalise-value.ts';

/** Turns one raw row into the columns a dataset name stands for; undefined leaves the row out. */
export type RowShape = (fields: JsonObject) => JsonObject | undefined;

export interface SplitOptions {
  readonly name: string;
  /** Shown in errors. */
  readonly origin: string;
  readonly notes: FileNotes;
  readonly shape?: RowShape | undefined;
}

/** First 16 hex digits of sha256 of the canonical JSON of a row's columns. */
export function rowId(fields: JsonObject): string {
  return hash('sha256', canonicalJson(fields)).slice(0, 16);
}

/** sha256 over the ordered row ids, one a line: equal manifests mean equal test sets. */
export function manifestOf(ids: readonly string[]): string {
  return hash('sha256', ids.join('\n'));
}

/**
 * Collects rows. A repeated row keeps its place with the id suffix `-2`, `-3`... in order of appearance, and a note.
 * @throws ToolError `data` for no rows at all, or an integer class label outside its names
 */
export async function makeSplit(rows: AsyncIterable<SourceRow> | Iterable<SourceRow>, options: SplitOptions): Promise<DatasetSplit> {
  const collected: Row[] = [];
  const seen = new Map<string, number>();
  let repeated = 0;
  for await (const { fields: raw, line } of rows) {
    const plain = normaliseFields(raw);
    const fields = options.shape === undefined ? plain : options.shape(plain);
    if (fields === undefined) continue;
    checkClassLabels(fields, options, collected.length + 1, line);
    const base = rowId(fields);
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    if (count > 1) repeated++;
    collected.push({ id: count === 1 ? base : `${base}-${count}`, fields });
  }
  if (collected.length === 0) throw new ToolError('data', `${options.origin}: 0 rows`, { hint: 'the file is empty or has only a header' });
  const notes = [...options.notes.notes, ...hiddenLabelNotes(collected, options.notes.classNames)];
  if (repeated > 0)
    notes.push(`${repeated} ${repeated === 1 ? 'row repeats another' : 'rows repeat others'} exactly; their ids carry a suffix`);
  notes.push(...sharedIdNotes(collected));
  const classNames = Object.keys(options.notes.classNames).length === 0 ? {} : { classNames: options.notes.classNames };
  return { name: options.name, rows: collected, manifest: manifestOf(collected.map((row) => row.id)), ...classNames, notes };
}

const shownIds = 3;

/** Ids of the file's own that stand on rows of different content: copied by hand, or two files in one. */
function sharedIdNotes(rows: readonly Row[]): string[] {
  const firstContent = new Map<string, string>();
  const contents = new Map<string, Set<string>>();
  for (const { id, fields } of rows) {
    const own = fields['id'];
    if (typeof own !== 'string' && typeof own !== 'number') continue;
    const content = id.split('-', 1)[0]!;
    const first = firstContent.get(String(own));
    if (first === undefined) firstContent.set(String(own), content);
    else if (first !== content) contents.set(String(own), (contents.get(String(own)) ?? new Set([first])).add(content));
  }
  const shared = [...contents];
  if (shared.length === 0) return [];
  const [first, ...others] = shared
    .slice(0, shownIds)
    .map(([own, rowsOfId]) => `id ${JSON.stringify(own)} stands on ${rowsOfId.size} rows`);
  const more = shared.length > shownIds ? `, and ${shared.length - shownIds} more ids` : '';
  return [`${[first, ...others].join(', ')}${more}; rows are told apart by their content`];
}

function checkClassLabels(fields: JsonObject, options: SplitOptions, number: number, line: number | undefined): void {
  for (const [column, names] of Object.entries(options.notes.classNames)) {
    const value = fields[column];
    // -1 marks a hidden label, a convention of hub datasets.
    if (typeof value !== 'number' || value === -1 || (Number.isInteger(value) && value >= 0 && value < names.length)) continue;
    throw new ToolError(
      'data',
      `${options.origin}: row ${number}: ${column} ${value} outside 0..${names.length - 1} (${names.join(', ')})`,
      {
        location: { file: options.origin, line },
      },
    );
  }
}

function hiddenLabelNotes(rows: readonly Row[], classNames: FileNotes['classNames']): string[] {
  return Object.keys(classNames).flatMap((column) => {
    const count = rows.filter((row) => row.fields[column] === -1).length;
    return count === 0 ? [] : [`${count} of ${rows.length} rows have a hidden ${column} (-1): they cannot be scored`];
  });
}
