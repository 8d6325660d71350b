// What `slmbench list` prints: models, datasets, tasks and runs as tables or JSON.

import { listEverything } from '../app/listings/list-everything.ts';
import type { Listing } from '../app/listings/listing.ts';
import { neutraliseControls } from '../report/format-values.ts';
import { droppedColumns, layoutTable, type TableColumn, type TerminalStyle } from '../report/terminal/layout-table.ts';
import { outputStyle } from './terminal-style.ts';
import type { ListFlags } from './verbs/list.ts';

/** The columns that had no room: their facts on further lines, or their names alone. */
function leftOut(listing: Listing, dropped: readonly number[], verbose: boolean): string {
  const title = (index: number): string => listing.columns[index]!.title;
  if (dropped.length === 0) return '';
  if (!verbose) return `not shown for want of room: ${dropped.map(title).join(', ')} (a wider window, a pipe or --json shows all)\n`;
  const facts = (row: readonly string[]) => dropped.map((index) => `\n  ${title(index)}: ${neutraliseControls(row[index] ?? '')}`).join('');
  return listing.rows.map((row) => `\n${neutraliseControls(row[0] ?? '')}${facts(row)}\n`).join('');
}

export interface ListingLayout {
  readonly style: TerminalStyle;
  readonly verbose: boolean;
}

/** The listing as a table; no column is left out without a word. */
export function listingTable(listing: Listing, { style, verbose }: ListingLayout): string {
  if (listing.rows.length === 0) return `${style.bold(listing.title)}\n(none)\n`;
  const columns: TableColumn[] = listing.columns.map((column, index) => ({
    title: column.title,
    align: column.numeric ? 'right' : 'left',
    priority: listing.columns.length - index,
  }));
  const dropped = droppedColumns(columns, listing.rows, style.width);
  return `${style.bold(listing.title)}\n${layoutTable(columns, listing.rows, style)}\n${leftOut(listing, dropped, verbose)}`;
}

export async function listCommand(what: string | undefined, flags: ListFlags): Promise<string> {
  const listings = await listEverything(what, { verbose: flags.verbose === true, json: flags.json === true, output: flags.output });
  if (flags.json === true)
    return `${JSON.stringify(Object.fromEntries(listings.map((listing) => [listing.name, listing.json])), null, 2)}\n`;
  // A pipe has no width: what reads it wants every column.
  const style = process.stdout.isTTY === true ? outputStyle() : { ...outputStyle(), width: Number.POSITIVE_INFINITY };
  return listings.map((listing) => listingTable(listing, { style, verbose: flags.verbose === true })).join('\n');
}
