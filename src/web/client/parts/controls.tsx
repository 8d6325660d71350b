// Filters and small controls that every page shares.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { visibleText } from '../../../report/components/visible-text.ts';
import type { Facet } from '../../../report/viewer/viewer-contract.ts';

export interface SelectProps {
  readonly label: string;
  readonly value: string | null;
  readonly options: readonly (Facet | string)[];
  /** Text of the choice that filters nothing; none = a value must be chosen. */
  readonly all?: string | undefined;
  readonly onChange: (value: string | null) => void;
}

export function Select({ label, value, options, all, onChange }: SelectProps): ReactNode {
  const id = useId();
  const shown = options.map((option) => (typeof option === 'string' ? { value: option, count: null } : option));
  // A value that came by address and that nothing has stays visible, so that it can be taken away.
  const missing = value !== null && !shown.some((option) => option.value === value) ? [{ value, count: 0 }] : [];
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <select id={id} value={value ?? ''} onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}>
        {all === undefined ? null : <option value="">{all}</option>}
        {[...shown, ...missing].map((option) => (
          <option key={option.value} value={option.value}>
            {visibleText(option.value)}
            {option.count === null ? '' : ` (${option.count.toLocaleString('en')})`}
          </option>
        ))}
      </select>
    </div>
  );
}

const typingPauseMs = 220;

export interface SearchProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly onChange: (text: string) => void;
}

/** Passes the text on when typing pauses, and at once on Enter. `/` puts the cursor here. */
export function Search({ label, value, placeholder, onChange }: SearchProps): ReactNode {
  const id = useId();
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // Changed from outside (Back, a shared address), not by typing.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  const send = (next: string): void => {
    if (next === sent.current) return;
    sent.current = next;
    onChange(next);
  };
  const latest = useRef(send);
  latest.current = send;
  useEffect(() => {
    const timer = setTimeout(() => latest.current(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="field field-search">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="search"
        data-shortcut="search"
        value={text}
        placeholder={placeholder}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') send(text);
          if (event.key === 'Escape') event.currentTarget.blur();
        }}
      />
    </div>
  );
}

export interface PagerProps {
  readonly offset: number;
  readonly limit: number;
  readonly matching: number;
  readonly what: string;
  readonly onChange: (offset: number) => void;
}

export function Pager({ offset, limit, matching, what, onChange }: PagerProps): ReactNode {
  const number = (value: number): string => value.toLocaleString('en');
  const last = Math.min(offset + limit, matching);
  return (
    <nav className="pager" aria-label="Pages">
      <span className="muted" aria-live="polite">
        {matching === 0 ? `no ${what}` : `${number(offset + 1)}–${number(last)} of ${number(matching)} ${what}`}
      </span>
      {matching > limit ? (
        <span className="buttons">
          <button type="button" disabled={offset === 0} onClick={() => onChange(0)}>
            First
          </button>
          <button type="button" data-shortcut="previous-page" disabled={offset === 0} onClick={() => onChange(Math.max(0, offset - limit))}>
            Previous
          </button>
          <button type="button" data-shortcut="next-page" disabled={last >= matching} onClick={() => onChange(offset + limit)}>
            Next
          </button>
          <button type="button" disabled={last >= matching} onClick={() => onChange(Math.floor((matching - 1) / limit) * limit)}>
            Last
          </button>
        </span>
      ) : null}
    </nav>
  );
}
