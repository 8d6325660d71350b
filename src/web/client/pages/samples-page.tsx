// The sample explorer: filters on the left of nothing but the list itself, one line per sample, paged by the server.
import type { ReactNode } from 'react';
import { formatDuration } from '../../../report/format-values.ts';
import type { SampleQuery, SampleRow, SamplesPage as SamplesPageData } from '../../../report/viewer/viewer-contract.ts';
import { useData } from '../data/data-context.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { OutcomeBadge } from '../parts/badges.tsx';
import { Pager, Search, Select } from '../parts/controls.tsx';
import { Empty, Shown } from '../parts/feedback.tsx';
import { TableFrame } from '../parts/table-frame.tsx';
import { Outside } from '../parts/text.tsx';
import { changeQuery, hashOf, type Route } from '../route.ts';
import { RunHeader } from './run-header.tsx';
import { sampleFilterOf } from './sample-filter.ts';

const pageSize = 50;
const sortNames: Readonly<Record<NonNullable<SampleQuery['sort']>, string>> = {
  plan: 'as planned',
  slowest: 'slowest first',
  fastest: 'fastest first',
  lowest: 'lowest score first',
};

function Filters({ page, route }: { readonly page: SamplesPageData; readonly route: Route }): ReactNode {
  const { query } = route;
  const change = (key: string) => (value: string | null) => changeQuery(route, { [key]: value, offset: null });
  const { facets } = page;
  const others = facets.model.map((facet) => facet.value).filter((model) => model !== query.get('model'));
  return (
    <search className="filters" aria-label="Filter samples">
      <Search label="Search" value={query.get('text') ?? ''} placeholder="question, answer, gold, id" onChange={change('text')} />
      {facets.model.length > 1 ? (
        <Select label="Model" all="all" value={query.get('model')} options={facets.model} onChange={change('model')} />
      ) : null}
      {facets.task.length > 1 ? (
        <Select label="Task" all="all" value={query.get('task')} options={facets.task} onChange={change('task')} />
      ) : null}
      <Select label="Outcome" all="any" value={query.get('outcome')} options={facets.outcome} onChange={change('outcome')} />
      {facets.category.length > 0 || query.get('category') !== null ? (
        <Select label="Category" all="any" value={query.get('category')} options={facets.category} onChange={change('category')} />
      ) : null}
      {facets.model.length > 1 ? (
        <Select label="Flipped against" all="—" value={query.get('flip')} options={others} onChange={change('flip')} />
      ) : null}
      <div className="field">
        <label className="field-label" htmlFor="sample-order">
          Order
        </label>
        <select
          id="sample-order"
          value={query.get('sort') ?? 'plan'}
          onChange={(event) => change('sort')(event.target.value === 'plan' ? null : event.target.value)}
        >
          {Object.entries(sortNames).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </search>
  );
}

interface SampleTableProps {
  readonly rows: readonly SampleRow[];
  readonly id: string;
  readonly route: Route;
  readonly showsModel: boolean;
  readonly showsTask: boolean;
}

function SampleTable({ rows, id, route, showsModel, showsTask }: SampleTableProps): ReactNode {
  return (
    <TableFrame label="Samples">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            <th scope="col">Question</th>
            <th scope="col">Answer</th>
            <th scope="col">Gold</th>
            {showsModel ? <th scope="col">Model</th> : null}
            {showsTask ? <th scope="col">Task</th> : null}
            <th scope="col" className="number">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.slot} data-row={row.slot}>
              <td className="nowrap">
                <OutcomeBadge outcome={row.outcome} reason={row.reason} />
                {row.score !== null && row.score !== 0 && row.score !== 1 ? (
                  <div className="muted small">{row.score.toFixed(3)}</div>
                ) : null}
              </td>
              <td className="wide">
                <a className="clamp quiet-link" href={hashOf(['runs', id, 'samples', String(row.slot)], route.query)} data-open>
                  <Outside text={row.instruction} />
                </a>
                {row.category === null ? null : (
                  <span className="muted small">
                    <Outside text={row.category} />
                  </span>
                )}
              </td>
              <td>
                <div className="clamp">
                  <Outside text={row.prediction} />
                </div>
              </td>
              <td>
                <div className="clamp">
                  <Outside text={row.label} />
                </div>
              </td>
              {showsModel ? (
                <td>
                  <Outside text={row.model} />
                </td>
              ) : null}
              {showsTask ? (
                <td>
                  <Outside text={row.task} />
                </td>
              ) : null}
              <td className="number">{formatDuration(row.totalMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableFrame>
  );
}

export function SamplesPage({ id, route }: { readonly id: string; readonly route: Route }): ReactNode {
  const data = useData();
  const filter = sampleFilterOf(route.query);
  const offset = Math.max(0, Number(route.query.get('offset') ?? 0) || 0);
  const loaded = useLoaded(JSON.stringify([id, filter, offset]), () => data.samples(id, { ...filter, offset, limit: pageSize }), {
    follows: id,
  });
  return (
    <>
      <RunHeader id={id} tab="samples" />
      <Shown loaded={loaded}>
        {(page) => (
          <>
            <Filters page={page} route={route} />
            {page.rows.length === 0 ? (
              <Empty title={page.total === 0 ? 'No samples.' : 'No sample matches.'} />
            ) : (
              <SampleTable
                rows={page.rows}
                id={id}
                route={route}
                showsModel={page.facets.model.length > 1 && filter.model === undefined}
                showsTask={page.facets.task.length > 1 && filter.task === undefined}
              />
            )}
            <Pager
              offset={offset}
              limit={pageSize}
              matching={page.matching}
              what="samples"
              onChange={(next) => changeQuery(route, { offset: next || null })}
            />
          </>
        )}
      </Shown>
    </>
  );
}
