// A table that may be wider than the page: it scrolls by itself, also by keyboard.
import type { ReactNode } from 'react';

export function TableFrame({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="table-frame" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
