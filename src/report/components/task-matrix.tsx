// Every model on every task in one table: value with interval, and who cannot be told from the best.
import { dash, formatMetric } from '../format-values.ts';
import type { Standings } from '../standings.ts';
import type { ReportView } from '../view-model.ts';
import { Name } from './name.tsx';
import { Table } from './table.tsx';

/** The value and its interval on two lines. */
function Value({ text }: { readonly text: string }) {
  const at = text.indexOf(' [');
  if (at < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, at)} <small>{text.slice(at + 1)}</small>
    </>
  );
}

export function TaskMatrix({ view, standings }: { readonly view: ReportView; readonly standings: Standings }) {
  const columns = [
    { title: 'Model', sortable: true },
    ...view.tasks.map(({ task }) => ({
      title: task.key,
      hint: `${task.title}: ${task.primaryMetric}`,
      align: 'right' as const,
      sortable: true,
    })),
  ];
  const rows = standings.models.map(({ model }) => ({
    key: model.key,
    cells: [
      { content: <Name>{model.key}</Name>, sort: model.key },
      ...view.tasks.map((task) => {
        const primary = task.results.find((result) => result.model.key === model.key)?.entry.primary ?? null;
        const isBest = task.best === model.key && task.results.length > 1;
        const isTied = task.overlapsBest.includes(model.key);
        return {
          content: primary === null ? dash : <Value text={formatMetric(primary)} />,
          sort: primary?.value ?? null,
          className: isBest ? 'is-best' : isTied ? 'is-tied' : undefined,
        };
      }),
    ],
  }));
  return (
    <>
      <Table caption="Score by task" columns={columns} rows={rows} />
      {standings.models.length > 1 ? (
        <p className="note">
          <span className="key is-best">bold</span> best of the task; <span className="key is-tied">underlined</span> its interval overlaps
          the best one.
        </p>
      ) : null}
    </>
  );
}
