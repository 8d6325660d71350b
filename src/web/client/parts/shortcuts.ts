// Keys: `/` search, j and k rows, Enter opens, [ and ] pages, g with a letter goes to a page, ? help.
import { useEffect } from 'react';
import { navigate } from '../route.ts';

const places: Readonly<Record<string, string>> = { r: '#/', l: '#/leaderboard', c: '#/compare', t: '#/training' };

export const shortcutList: readonly (readonly [keys: string, meaning: string])[] = [
  ['/', 'search'],
  ['j k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['x', 'choose the row'],
  ['[ ]', 'previous and next page or sample'],
  ['g then r l c t', 'runs, leaderboard, compare, training'],
  ['?', 'this help'],
];

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) &&
    !(target instanceof HTMLInputElement && target.type === 'checkbox')
  );
}

function moveRow(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row] a[data-open]')];
  if (rows.length === 0) return;
  const at = rows.findIndex((row) => row === document.activeElement || row.closest('[data-row]')?.contains(document.activeElement));
  const next = rows[at === -1 ? (step > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + step))]!;
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

function click(name: string): void {
  document.querySelector<HTMLElement>(`[data-shortcut="${name}"]:not([disabled])`)?.click();
}

export function useShortcuts(openHelp: () => void): void {
  useEffect(() => {
    let goes = false;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || document.querySelector('dialog[open]')) return;
      if (goes) {
        goes = false;
        const place = places[event.key];
        if (place !== undefined) navigate(place);
        return;
      }
      const actions: Readonly<Record<string, () => void>> = {
        '/': () => document.querySelector<HTMLInputElement>('[data-shortcut="search"]')?.focus(),
        j: () => moveRow(1),
        k: () => moveRow(-1),
        x: () => document.activeElement?.closest('[data-row]')?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click(),
        '[': () => click('previous-page'),
        ']': () => click('next-page'),
        g: () => {
          goes = true;
        },
        '?': openHelp,
      };
      const action = actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [openHelp]);
}
