// Small marks for states, outcomes, verdicts and tags: always a word, colour only helps.
import type { ReactNode } from 'react';
import type { Validity } from '../../../core/record.ts';
import type { RunState, SampleOutcome } from '../../../report/viewer/viewer-contract.ts';
import { Outside } from './text.tsx';

const stateTones: Readonly<Record<RunState, string>> = {
  running: 'live',
  unfinished: 'quiet',
  complete: 'good',
  partial: 'warn',
  failed: 'bad',
};
const outcomeTones: Readonly<Record<SampleOutcome, string>> = {
  right: 'good',
  wrong: 'bad',
  partial: 'warn',
  scored: 'quiet',
  invalid: 'warn',
  error: 'bad',
  skipped: 'quiet',
};

export function Mark({ tone, children }: { readonly tone: string; readonly children: ReactNode }): ReactNode {
  return (
    <span className={`mark mark-${tone}`}>
      <span className="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

export function StateBadge({ state }: { readonly state: RunState }): ReactNode {
  return <Mark tone={stateTones[state]}>{state}</Mark>;
}

export function OutcomeBadge({ outcome, reason }: { readonly outcome: SampleOutcome; readonly reason?: string | null }): ReactNode {
  return (
    <Mark tone={outcomeTones[outcome]}>
      {outcome}
      {reason ? (
        <span className="muted">
          {' '}
          <Outside text={reason} />
        </span>
      ) : null}
    </Mark>
  );
}

export function ValidityBadge({ verdict }: { readonly verdict: Validity['verdict'] }): ReactNode {
  if (verdict === 'valid') return null;
  return <Mark tone={verdict === 'invalid' ? 'bad' : 'warn'}>{verdict}</Mark>;
}

export function Tag({ text }: { readonly text: string }): ReactNode {
  return (
    <span className="tag">
      <Outside text={text} />
    </span>
  );
}
