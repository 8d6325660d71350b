// Name, state and tabs of a run, the same on each of its pages.
import type { ReactNode } from 'react';
import type { RunDetail } from '../../../report/viewer/viewer-contract.ts';
import { useData } from '../data/data-context.ts';
import { type Loaded, useLoaded } from '../data/use-loaded.ts';
import { StateBadge, Tag } from '../parts/badges.tsx';
import { Outside } from '../parts/text.tsx';
import { hashOf, navigate } from '../route.ts';
import { RunMenu } from './run-menu.tsx';

export type RunTab = 'overview' | 'samples' | 'speed' | 'quantisation' | 'details';
const tabs: readonly (readonly [RunTab, string])[] = [
  ['overview', 'Overview'],
  ['samples', 'Samples'],
  ['speed', 'Speed'],
  ['quantisation', 'Quantisation'],
  ['details', 'Details'],
];

/** A part that only few runs have is not offered by the others. */
function tabsOf(detail: RunDetail | null): typeof tabs {
  return detail?.quantisation == null ? tabs.filter(([name]) => name !== 'quantisation') : tabs;
}

/** Also for pages that have the run loaded already. */
export function RunHeaderOf({
  detail,
  tab,
  onChanged,
}: {
  readonly detail: RunDetail | null;
  readonly tab: RunTab;
  readonly onChanged: () => void;
}): ReactNode {
  const { isLive } = useData();
  const id = detail?.run.id;
  return (
    <header className="run-header">
      <div className="title">
        <h1>{detail === null ? <span className="muted">Run</span> : <Outside text={detail.run.name} />}</h1>
        {detail === null ? null : <StateBadge state={detail.run.state} />}
        {detail?.run.tags.map((tag) => (
          <Tag key={tag} text={tag} />
        ))}
        <span className="grow" />
        {detail !== null && detail.run.models.length > 1 ? (
          <a className="button" href={hashOf(['compare'], { runs: detail.run.id })}>
            Compare models
          </a>
        ) : null}
        {detail !== null && isLive ? <RunMenu run={detail.run} onChanged={onChanged} onRemoved={() => navigate('#/')} /> : null}
      </div>
      <nav className="tabs" aria-label="Parts of the run">
        {id === undefined
          ? null
          : tabsOf(detail).map(([name, text]) => (
              <a
                key={name}
                href={hashOf(name === 'overview' ? ['runs', id] : ['runs', id, name])}
                aria-current={tab === name ? 'page' : undefined}
              >
                {text}
              </a>
            ))}
      </nav>
    </header>
  );
}

export function useRun(id: string): Loaded<RunDetail> {
  const data = useData();
  return useLoaded(`run ${id}`, () => data.runDetail(id), { follows: id });
}

export function RunHeader({ id, tab }: { readonly id: string; readonly tab: RunTab }): ReactNode {
  const loaded = useRun(id);
  return <RunHeaderOf detail={loaded.value} tab={tab} onChanged={loaded.reload} />;
}
