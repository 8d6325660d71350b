// No column of a list is left out without a word: named, or with -v its facts on further lines; all of them in a pipe.
import { expect, test } from 'vitest';
import type { Listing } from '../app/listings/listing.ts';
import { listCommand, listingTable } from './list-command.ts';

const plain = { bold: (text: string) => text, dim: (text: string) => text };
const titles = ['name', 'kind', 'size', 'strengths', 'licence'];
const listing: Listing = {
  name: 'things',
  title: 'things',
  columns: titles.map((title) => ({ title })),
  rows: [['one', 'small', '1 MB', 'writes fluent sentences about most things', 'MIT']],
  json: [],
};

test('enough room shows all and says no more', () => {
  const text = listingTable(listing, { style: { ...plain, width: 200 }, verbose: true });
  expect(text.trimEnd().split('\n')).toHaveLength(4);
  for (const title of titles) expect(text).toContain(title);
});

test('a narrow terminal names the columns without room', () => {
  const text = listingTable(listing, { style: { ...plain, width: 40 }, verbose: false });
  expect(text).toContain('not shown for want of room: strengths, licence');
  expect(text).not.toContain('fluent');
});

test('a narrow terminal with -v prints their facts below', () => {
  const text = listingTable(listing, { style: { ...plain, width: 40 }, verbose: true });
  expect(text).toContain('\none\n  strengths: writes fluent sentences about most things\n  licence: MIT\n');
});

test.each(['models', 'tasks'])('a pipe gets every column of the %s', async (what) => {
  const narrow = process.env['COLUMNS'];
  process.env['COLUMNS'] = '60';
  try {
    const text = await listCommand(what, { verbose: true });
    expect(text).not.toMatch(/not shown|…/u);
    const header = text.split('\n')[1]!.trim().split(/ {2,}/u);
    expect(header.length).toBeGreaterThan(what === 'models' ? 8 : 4);
  } finally {
    if (narrow === undefined) delete process.env['COLUMNS'];
    else process.env['COLUMNS'] = narrow;
  }
});
