// What `slmbench list` prints: models, datasets, tasks and runs as tables or JSON.

import { listEverything } from '../app/listings/list-everything.ts';
import type { Listing } from '../app/listings/listing.ts';
import { layoutTable, type TableColumn } from '../report/terminal/layout-table.ts';
import { outputStyle } from './terminal-style.ts';
import type { ListFlags } from './verbs/list.ts';

function table(listing: Listing): string {
  const style = outputStyle();
  if (listing.rows.length === 0) return `${style.bold(listing.title)}\n(none)\n`;
  const columns: TableColumn[] = listing.columns.map((column, index) => ({
    title: column.title,
    align: column.numeric ? 'right' : 'left',
    priority: listing.columns.length - index,
  }));
  return `${style.bold(listing.title)}\n${layoutTable(columns, listing.rows, style)}\n`;
}

export async function listCommand(what: string | undefined, flags: ListFlags): Promise<string> {
  const listings = await listEverything(what, { verbose: flags.verbose === true, json: flags.json === true, output: flags.output });
  if (flags.json === true)
    return `${JSON.stringify(Object.fromEntries(listings.map((listing) => [listing.name, listing.json])), null, 2)}\n`;
  return listings.map(table).join('\n');
}
