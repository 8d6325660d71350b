// What each model is: file, digest, size and load time.

import { dash, formatBytes, formatDuration, formatParameters } from '../format-values.ts';
import type { ReportView } from '../view-model.ts';
import { Name } from './name.tsx';
import { type Column, Table } from './table.tsx';
import { visibleText } from './visible-text.ts';

const columns: readonly Column[] = [
  { title: 'Model', sortable: true },
  { title: 'File' },
  { title: 'Backend' },
  { title: 'Parameters', align: 'right', sortable: true },
  { title: 'Quantisation' },
  { title: 'Size', align: 'right', sortable: true },
  { title: 'Load', align: 'right', sortable: true },
  { title: 'Licence' },
  { title: 'Digest' },
];

export function ModelTable({ view }: { readonly view: ReportView }) {
  const rows = view.models.map(({ model: { key, reference, backend, facts }, loadMs }) => ({
    key,
    cells: [
      { content: <Name>{key}</Name>, sort: key },
      { content: <Name>{facts.file ?? reference}</Name> },
      { content: visibleText(backend) },
      { content: formatParameters(facts.parameters), sort: facts.parameters },
      { content: `${facts.quantisation ?? dash}${facts.bitsPerWeight === null ? '' : `, ${facts.bitsPerWeight.toFixed(2)} bits`}` },
      { content: formatBytes(facts.sizeBytes), sort: facts.sizeBytes },
      { content: formatDuration(loadMs), sort: loadMs },
      { content: visibleText(facts.licence ?? dash) },
      { content: facts.digest === null ? dash : <code>{facts.digest.slice(0, 16)}</code> },
    ],
  }));
  return <Table caption="Models measured" columns={columns} rows={rows} />;
}
