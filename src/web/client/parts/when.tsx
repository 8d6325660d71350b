// A moment as people read it.
import type { ReactNode } from 'react';
import { formatDuration } from '../../../report/format-values.ts';

/** To the minute in UTC, as everything in records; the exact time in the title. */
export function When({ at, durationMs }: { readonly at: string; readonly durationMs?: number | null }): ReactNode {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <span className="muted">—</span>;
  return (
    <time dateTime={at} title={`${at}${durationMs == null ? '' : `, took ${formatDuration(durationMs)}`}`}>
      {date.toISOString().slice(0, 16).replace('T', ' ')}
    </time>
  );
}
