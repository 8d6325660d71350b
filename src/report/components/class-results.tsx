// Per-class figures and the confusion matrix of one model on one task.
import type { MetricDetails } from '../../core/metric.ts';
import { formatFixed } from '../format-values.ts';
import { Name } from './name.tsx';
import { Table } from './table.tsx';
import { visibleText } from './visible-text.ts';

const right = 'right' as const;

function PerClass({ classes, about }: { readonly classes: NonNullable<MetricDetails['perClass']>; readonly about: string }) {
  const columns = [
    { title: 'Class', sortable: true },
    ...['Precision', 'Recall', 'F1', 'Support'].map((title) => ({ title, align: right, sortable: true })),
  ];
  const rows = classes.map((one) => ({
    key: one.label,
    cells: [
      { content: <Name>{one.label}</Name>, sort: one.label },
      ...[one.precision, one.recall, one.f1].map((value) => ({ content: formatFixed(value, 4), sort: value })),
      { content: one.support, sort: one.support },
    ],
  }));
  return <Table caption={`Classes, ${about}`} columns={columns} rows={rows} />;
}

/** Shade step of a share, 0 to 5. */
function shade(count: number, total: number): number {
  return total === 0 || count === 0 ? 0 : Math.min(5, 1 + Math.floor((count / total) * 4.999));
}

function Confusion({ labels, counts, about }: NonNullable<MetricDetails['confusion']> & { readonly about: string }) {
  const caption = `Confusion, ${about}: rows gold, columns what the model said`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard
    <section className="scroll" aria-label={visibleText(caption)} tabIndex={0}>
      <table className="confusion">
        <caption>{visibleText(caption)}</caption>
        <thead>
          <tr>
            <td />
            {[...labels, '(unreadable)'].map((label) => (
              <th key={label} scope="col">
                {visibleText(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, row) => {
            const total = (counts[row] ?? []).reduce((sum, count) => sum + count, 0);
            return (
              <tr key={label}>
                <th scope="row">
                  <Name>{label}</Name>
                </th>
                {(counts[row] ?? []).map((count, column) => (
                  <td key={labels[column] ?? '(unreadable)'} className={`heat-${shade(count, total)}`}>
                    {count}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Nothing where the metrics of the result have no classes. */
export function ClassResults({ details, about }: { readonly details: Readonly<Record<string, MetricDetails>>; readonly about: string }) {
  const all = Object.values(details);
  const perClass = all.find((one) => one.perClass !== undefined && one.perClass.length > 0)?.perClass;
  const confusion = all.find((one) => one.confusion !== undefined)?.confusion;
  return (
    <div className="side-by-side">
      {perClass === undefined ? null : <PerClass classes={perClass} about={about} />}
      {confusion === undefined || confusion.labels.length > 40 ? null : <Confusion {...confusion} about={about} />}
    </div>
  );
}
