// Who gained and who lost items against the best model of each task.
import type { Flips } from '../flips.ts';
import { Name } from './name.tsx';
import { type Column, Table } from './table.tsx';

const columns: readonly Column[] = [
  { title: 'Task', sortable: true },
  { title: 'Model', sortable: true },
  { title: 'Best of the task', sortable: true },
  { title: 'Only the best is right', align: 'right', sortable: true },
  { title: 'Only this one is right', align: 'right', sortable: true },
  { title: 'Both right', align: 'right', sortable: true },
  { title: 'Both wrong', align: 'right', sortable: true },
];

export function FlipsTable({ flips }: { readonly flips: readonly Flips[] }) {
  const rows = flips.map((flip) => ({
    key: `${flip.task} ${flip.model}`,
    cells: [
      { content: <Name>{flip.task}</Name>, sort: flip.task },
      { content: <Name>{flip.model}</Name>, sort: flip.model },
      { content: <Name>{flip.best}</Name>, sort: flip.best },
      ...[flip.onlyBest, flip.onlyModel, flip.bothRight, flip.bothWrong].map((count) => ({ content: count, sort: count })),
    ],
  }));
  return <Table caption="Flips against the best model of the task" columns={columns} rows={rows} />;
}
