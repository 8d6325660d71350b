// What a page says while it waits, when something failed, and when there is nothing to show.
import type { ReactNode } from 'react';
import { RequestError } from '../data/server-data.ts';
import type { Loaded } from '../data/use-loaded.ts';
import { Outside } from './text.tsx';

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  );
}

export function Problem({ error }: { readonly error: Error }): ReactNode {
  return (
    <div className="problem" role="alert">
      <p>
        <Outside text={error.message} />
      </p>
      {error instanceof RequestError && error.hint !== undefined ? (
        <p className="muted">
          <Outside text={error.hint} />
        </p>
      ) : null}
    </div>
  );
}

export interface ShownProps<T> {
  readonly loaded: Loaded<T>;
  readonly children: (value: T) => ReactNode;
}

/** The loaded value; dimmed while a newer one is on its way. */
export function Shown<T>({ loaded, children }: ShownProps<T>): ReactNode {
  if (loaded.value === null) return loaded.error === null ? <p className="waiting muted">Loading…</p> : <Problem error={loaded.error} />;
  return (
    <div className={loaded.isStale ? 'stale' : undefined} aria-busy={loaded.isStale}>
      {loaded.error === null ? null : <Problem error={loaded.error} />}
      {children(loaded.value)}
    </div>
  );
}
