// Text that comes from outside: isolated from its surroundings, hidden characters made visible, never HTML.
import type { ReactNode } from 'react';
import { visibleText } from '../../../report/components/visible-text.ts';

/** Inline text from outside. */
export function Outside({ text }: { readonly text: string | null | undefined }): ReactNode {
  if (text === null || text === undefined) return <span className="muted">—</span>;
  return <bdi>{visibleText(text)}</bdi>;
}

/** A block of text from outside with its line breaks. */
export function TextBlock({ text, empty = 'nothing' }: { readonly text: string | null; readonly empty?: string }): ReactNode {
  if (text === null || text === '') return <p className="muted text-block">{empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard
    <pre className="text-block" dir="auto" tabIndex={0}>
      {visibleText(text)}
    </pre>
  );
}
