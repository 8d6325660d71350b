// The datasets table with licences.
import { listDatasets } from '../../datasets/registry.ts';
import { dash } from '../../report/format-values.ts';
import { column, type Listing } from './listing.ts';

export function listDatasetTable(verbose: boolean): Listing {
  const infos = listDatasets();
  const rows = infos.map((info) => [
    info.name,
    info.title,
    info.licence.name,
    ...(verbose ? [info.licence.url ?? dash, info.homepage ?? dash, info.description] : [info.homepage ?? dash]),
  ]);
  const columns = verbose
    ? [column('name'), column('title'), column('licence'), column('licence page'), column('home page'), column('about')]
    : [column('name'), column('title'), column('licence'), column('home page')];
  return { name: 'datasets', title: 'Datasets', columns, rows, json: infos };
}
