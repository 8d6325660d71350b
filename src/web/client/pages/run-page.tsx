// One run: how far it is, its results, its speed, and everything that is recorded of it.
import type { ReactNode } from 'react';
import { Shown } from '../parts/feedback.tsx';
import { RunDetails } from './run-details.tsx';
import { RunHeaderOf, type RunTab, useRun } from './run-header.tsx';
import { RunOverview } from './run-overview.tsx';
import { RunQuantisation } from './run-quantisation.tsx';
import { RunSpeed } from './run-speed.tsx';

export function RunPage({ id, tab }: { readonly id: string; readonly tab: RunTab }): ReactNode {
  const loaded = useRun(id);
  return (
    <>
      <RunHeaderOf detail={loaded.value} tab={tab} onChanged={loaded.reload} />
      <Shown loaded={loaded}>
        {(detail) => {
          if (tab === 'speed') return <RunSpeed detail={detail} />;
          if (tab === 'quantisation') return <RunQuantisation detail={detail} />;
          if (tab === 'details') return <RunDetails detail={detail} />;
          return <RunOverview detail={detail} />;
        }}
      </Shown>
    </>
  );
}
