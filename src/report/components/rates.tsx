// What did not end in a readable answer, beside every score.
import type { OutcomeCounts } from '../../core/record.ts';

function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
}

function Part({ count, of, title }: { readonly count: number; readonly of: number; readonly title: string }) {
  if (count === 0) return <span className="none">0</span>;
  return (
    <span className="some" title={title}>
      {count} <small>({((count / of) * 100).toFixed(1)} %)</small>
    </span>
  );
}

export function InvalidRate({ counts }: { readonly counts: OutcomeCounts }) {
  return <Part count={counts.invalid} of={counts.total} title={listed(counts.invalidReasons)} />;
}
export function ErrorRate({ counts }: { readonly counts: OutcomeCounts }) {
  return <Part count={counts.error} of={counts.total} title={listed(counts.errorClasses)} />;
}
export function TruncatedRate({ counts }: { readonly counts: OutcomeCounts }) {
  return <Part count={counts.truncated} of={counts.total} title="ended at the token limit" />;
}
