// The last events of a run, newest first.
import type { ReactNode } from 'react';
import type { RunDetail } from '../../../report/viewer/viewer-contract.ts';
import { Outside } from '../parts/text.tsx';

export function RunLog({ detail }: { readonly detail: RunDetail }): ReactNode {
  if (detail.log.length === 0) return null;
  return (
    <section>
      <h2>Log</h2>
      <ol className="log">
        {detail.log.toReversed().map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no name of their own
          <li key={at}>
            <time className="muted mono" dateTime={line.at}>
              {line.at.slice(11, 19)}
            </time>{' '}
            <Outside text={line.text} />
          </li>
        ))}
      </ol>
    </section>
  );
}
