// The list of runs: filters, states, headline results, and what can be done with chosen runs.
import { type ReactNode, useState } from 'react';
import type { RunFilter } from '../../../report/viewer/filter-runs.ts';
import type { RunsPage as RunsPageData } from '../../../report/viewer/viewer-contract.ts';
import { useData } from '../data/data-context.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Pager, Search, Select } from '../parts/controls.tsx';
import { Empty, Shown } from '../parts/feedback.tsx';
import { changeQuery, hashOf, navigate, type Route } from '../route.ts';
import { RunsTable } from './runs-table.tsx';

const pageSize = 50;
const sorts = ['newest', 'oldest', 'name'] as const;

function filterOf({ query }: Route): RunFilter {
  const value = (key: string): string | undefined => query.get(key) ?? undefined;
  return {
    text: value('text'),
    state: value('state'),
    model: value('model'),
    task: value('task'),
    tag: value('tag'),
    sort: sorts.find((sort) => sort === query.get('sort')),
  };
}

function Filters({ page, route }: { readonly page: RunsPageData; readonly route: Route }): ReactNode {
  const change = (key: string) => (value: string | null) => changeQuery(route, { [key]: value, offset: null });
  const { facets } = page;
  return (
    <search className="filters" aria-label="Filter runs">
      <Search label="Search" value={route.query.get('text') ?? ''} placeholder="name, model, task, tag" onChange={change('text')} />
      <Select label="Status" all="any" value={route.query.get('state')} options={facets.state} onChange={change('state')} />
      <Select label="Model" all="any" value={route.query.get('model')} options={facets.model} onChange={change('model')} />
      <Select label="Task" all="any" value={route.query.get('task')} options={facets.task} onChange={change('task')} />
      <Select label="Tag" all="any" value={route.query.get('tag')} options={facets.tag} onChange={change('tag')} />
      <Select label="Order" value={route.query.get('sort') ?? 'newest'} options={sorts} onChange={change('sort')} />
    </search>
  );
}

function NoRuns({ page, route }: { readonly page: RunsPageData; readonly route: Route }): ReactNode {
  if (page.total > 0)
    return (
      <Empty title="No run matches.">
        <button type="button" onClick={() => navigate(hashOf(route.path))}>
          Clear filters
        </button>
      </Empty>
    );
  return (
    <Empty title="No runs yet.">
      <p>
        Runs in <code>{page.folder}</code> appear here as they start:
      </p>
      <p>
        <code>slmbench run -m smollm2-135m -d sst2 -n 200</code>
      </p>
    </Empty>
  );
}

export function RunsPage({ route }: { readonly route: Route }): ReactNode {
  const data = useData();
  const filter = filterOf(route);
  const offset = Math.max(0, Number(route.query.get('offset') ?? 0) || 0);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const loaded = useLoaded(JSON.stringify([filter, offset]), () => data.listRuns(filter, offset, pageSize), { follows: 'all' });
  const choose = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <>
      <header className="title">
        <h1>Runs</h1>
        <span className="grow" />
        {chosen.size > 0 ? (
          <span className="buttons">
            <a className="button primary" href={hashOf(['compare'], { runs: [...chosen].join(',') })}>
              Compare {chosen.size} {chosen.size === 1 ? 'run' : 'runs'}
            </a>
            <button type="button" onClick={() => setChosen(new Set())}>
              Clear choice
            </button>
          </span>
        ) : null}
      </header>
      <Shown loaded={loaded}>
        {(page) => (
          <>
            {page.total === 0 ? null : <Filters page={page} route={route} />}
            {page.rows.length === 0 ? (
              <NoRuns page={page} route={route} />
            ) : (
              <RunsTable rows={page.rows} chosen={chosen} onChoose={choose} onChanged={loaded.reload} />
            )}
            {page.total === 0 ? null : (
              <Pager
                offset={offset}
                limit={pageSize}
                matching={page.matching}
                what="runs"
                onChange={(next) => changeQuery(route, { offset: next || null })}
              />
            )}
          </>
        )}
      </Shown>
    </>
  );
}
