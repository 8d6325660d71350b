// The rows of the list of runs.
import type { ReactNode } from 'react';
import { formatDuration } from '../../../report/format-values.ts';
import type { Headline, RunRow } from '../../../report/viewer/viewer-contract.ts';
import { useData } from '../data/data-context.ts';
import { StateBadge, Tag, ValidityBadge } from '../parts/badges.tsx';
import { MetricCell } from '../parts/metric.tsx';
import { TableFrame } from '../parts/table-frame.tsx';
import { Outside } from '../parts/text.tsx';
import { When } from '../parts/when.tsx';
import { hashOf } from '../route.ts';
import { RunMenu } from './run-menu.tsx';

const shownHeadlines = 3;

function Names({ names }: { readonly names: readonly string[] }): ReactNode {
  const more = names.length - 3;
  return (
    <>
      {names.slice(0, 3).map((name) => (
        <div key={name}>
          <span className="name" title={name}>
            <Outside text={name} />
          </span>
        </div>
      ))}
      {more > 0 ? (
        <div className="muted" title={names.slice(3).join(', ')}>
          and {more} more
        </div>
      ) : null}
    </>
  );
}

/** The best results first: what a reader looks for. */
function bestFirst(headlines: readonly Headline[]): Headline[] {
  return headlines
    .filter((headline) => headline.primary?.value != null)
    .sort((a, b) => {
      if (a.task !== b.task) return 0;
      const sign = a.primary!.higherIsBetter ? -1 : 1;
      return sign * (a.primary!.value! - b.primary!.value!);
    });
}

function Results({ row }: { readonly row: RunRow }): ReactNode {
  const best = bestFirst(row.headlines ?? []);
  if (best.length === 0) return <ProgressOf row={row} />;
  const several = row.models.length > 1;
  return (
    <>
      {best.slice(0, shownHeadlines).map((headline) => (
        <div className="headline" key={`${headline.model} ${headline.task}`}>
          <MetricCell metric={headline.primary} />
          <span className="muted small">
            <Outside text={several ? `${headline.model}, ${headline.task}` : headline.task} />
          </span>
          <ValidityBadge verdict={headline.verdict} />
        </div>
      ))}
      {best.length > shownHeadlines ? <div className="muted small">and {best.length - shownHeadlines} more</div> : null}
    </>
  );
}

function ProgressOf({ row }: { readonly row: RunRow }): ReactNode {
  if (row.state !== 'running' && row.state !== 'unfinished') return <span className="muted">no score</span>;
  if (row.total === null || row.done === null) return <span className="muted">{row.state === 'running' ? 'running' : 'stopped'}</span>;
  return (
    <span className="progress-line">
      <progress max={row.total} value={row.done} aria-label="Samples done" />
      <span className="muted small">
        {row.done.toLocaleString('en')} of {row.total.toLocaleString('en')}
      </span>
    </span>
  );
}

export interface RunsTableProps {
  readonly rows: readonly RunRow[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (id: string) => void;
  readonly onChanged: () => void;
}

export function RunsTable({ rows, chosen, onChoose, onChanged }: RunsTableProps): ReactNode {
  const { isLive } = useData();
  return (
    <TableFrame label="Runs">
      <table className="rows cards">
        <thead>
          <tr>
            <th scope="col" className="narrow">
              <span className="sr-only">Choose</span>
            </th>
            <th scope="col">Run</th>
            <th scope="col">Status</th>
            <th scope="col">Models</th>
            <th scope="col">Tasks</th>
            <th scope="col">Result</th>
            <th scope="col">Started (UTC)</th>
            {isLive ? (
              <th scope="col" className="narrow">
                <span className="sr-only">Actions</span>
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-row={row.id} className={chosen.has(row.id) ? 'chosen' : undefined}>
              <td className="narrow">
                <input type="checkbox" checked={chosen.has(row.id)} onChange={() => onChoose(row.id)} aria-label={`Choose ${row.name}`} />
              </td>
              <th scope="row">
                <a href={hashOf(['runs', row.id])} data-open>
                  <Outside text={row.name} />
                </a>
                <div className="muted small mono">{row.id}</div>
                <div className="tags">
                  {row.tags.map((tag) => (
                    <Tag key={tag} text={tag} />
                  ))}
                </div>
              </th>
              <td>
                <StateBadge state={row.state} />
                {row.smoke === true ? <div className="muted small">smoke run</div> : null}
              </td>
              <td className="wide-only">
                <Names names={row.models} />
              </td>
              <td className="wide-only">
                <Names names={row.tasks} />
              </td>
              <td>
                <Results row={row} />
              </td>
              <td className="nowrap">
                <When at={row.created} durationMs={row.durationMs} />
                {row.durationMs === null ? null : <div className="muted small">{formatDuration(row.durationMs)}</div>}
              </td>
              {isLive ? (
                <td className="narrow">
                  <RunMenu run={row} onChanged={onChanged} />
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}
