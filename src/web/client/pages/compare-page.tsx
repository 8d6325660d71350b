// Runs side by side with paired tests; everything that is chosen stands in the address.
import type { ReactNode } from 'react';
import type { ComparisonView } from '../../../report/viewer/viewer-contract.ts';
import { useData } from '../data/data-context.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { Search, Select } from '../parts/controls.tsx';
import { Empty, Shown } from '../parts/feedback.tsx';
import { Outside } from '../parts/text.tsx';
import { say } from '../parts/toast.tsx';
import { changeQuery, type Route } from '../route.ts';
import { ComparedTaskCard } from './compared-task.tsx';

function runsOf({ query }: Route): readonly string[] {
  return [...new Set((query.get('runs') ?? '').split(',').filter((id) => id !== ''))];
}

function setRuns(route: Route, runs: readonly string[]): void {
  changeQuery(route, { runs: runs.join(','), baseline: null, flips: null, against: null });
}

function RunPicker({ route, isOpen }: { readonly route: Route; readonly isOpen: boolean }): ReactNode {
  const data = useData();
  const chosen = runsOf(route);
  const text = route.query.get('find') ?? '';
  const loaded = useLoaded(`pick ${text}`, () => data.listRuns({ text: text === '' ? undefined : text }, 0, 50), { follows: 'all' });
  return (
    <details className="picker" open={isOpen ? true : undefined}>
      <summary>Choose runs</summary>
      <Search label="Find runs" value={text} placeholder="name, model, task, tag" onChange={(find) => changeQuery(route, { find })} />
      <Shown loaded={loaded}>
        {(page) => (
          <ul className="choices">
            {page.rows
              .filter((row) => row.state !== 'running')
              .map((row) => (
                <li key={row.id}>
                  <label>
                    <input
                      type="checkbox"
                      checked={chosen.includes(row.id)}
                      onChange={(event) =>
                        setRuns(route, event.target.checked ? [...chosen, row.id] : chosen.filter((id) => id !== row.id))
                      }
                    />
                    <span>
                      <Outside text={row.name} /> <span className="muted small mono">{row.id}</span>
                    </span>
                  </label>
                </li>
              ))}
          </ul>
        )}
      </Shown>
    </details>
  );
}

function copyAddress(): void {
  navigator.clipboard.writeText(window.location.href).then(
    () => say('Address copied.'),
    () => say('The browser did not allow copying; the address bar has it.'),
  );
}

function Compared({ comparison, route }: { readonly comparison: ComparisonView; readonly route: Route }): ReactNode {
  const baseline = route.query.get('baseline');
  const wantedTask = route.query.get('task');
  const tasks = comparison.tasks.filter((task) => wantedTask === null || task.task === wantedTask);
  return (
    <>
      <div className="filters">
        <Select
          label="Baseline"
          all="the best of each task"
          value={baseline}
          options={comparison.contenders.map((contender) => contender.label)}
          onChange={(value) => changeQuery(route, { baseline: value, flips: null, against: null })}
        />
        {comparison.tasks.length > 1 ? (
          <Select
            label="Task"
            all="all"
            value={wantedTask}
            options={comparison.tasks.map((task) => task.task)}
            onChange={(task) => changeQuery(route, { task })}
          />
        ) : null}
        <button type="button" onClick={copyAddress}>
          Copy address
        </button>
      </div>
      {tasks.map((task) => (
        <ComparedTaskCard key={task.task} compared={task} route={route} />
      ))}
      {comparison.unshared.length > 0 ? (
        <p className="muted">
          Not run by all: <Outside text={comparison.unshared.join(', ')} />.
        </p>
      ) : null}
      <p className="muted small">Paired on the same items; {comparison.correction}.</p>
    </>
  );
}

export function ComparePage({ route }: { readonly route: Route }): ReactNode {
  const data = useData();
  const runs = runsOf(route);
  const baseline = route.query.get('baseline') ?? undefined;
  const loaded = useLoaded(JSON.stringify([runs, baseline]), () =>
    runs.length === 0 ? Promise.resolve(null) : data.compare(runs, baseline),
  );
  return (
    <>
      <header className="title">
        <h1>Compare</h1>
      </header>
      <RunPicker route={route} isOpen={runs.length === 0 || (runs.length === 1 && loaded.value === null && !loaded.isStale)} />
      {runs.length === 0 || (loaded.value === null && loaded.error === null && !loaded.isStale) ? (
        <Empty title={runs.length === 0 ? 'Choose two runs, or one run of several models.' : 'Choose another run to compare with.'} />
      ) : (
        <Shown loaded={loaded}>{(comparison) => (comparison === null ? null : <Compared comparison={comparison} route={route} />)}</Shown>
      )}
    </>
  );
}
