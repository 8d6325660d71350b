// Light or dark: as the system has it, or as the reader chose here.
import { useSyncExternalStore } from 'react';
import { type ChartTheme, darkChartTheme, lightChartTheme } from '../../../report/charts/chart-theme.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';
const storageKey = 'slmbench-theme';
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(storageKey);
    return value === 'light' || value === 'dark' ? value : 'system';
  } catch {
    return 'system';
  }
}
let choice: ThemeChoice = stored();

function apply(): void {
  const root = document.documentElement;
  if (choice === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = choice;
}
apply();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  dark.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    dark.removeEventListener('change', listener);
  };
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice);
}

export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  apply();
  try {
    localStorage.setItem(storageKey, next);
  } catch {
    // Private windows may refuse storage; the choice then lasts until the page is left.
  }
  for (const listener of listeners) listener();
}

export function useChartTheme(): ChartTheme {
  const isDark = useSyncExternalStore(subscribe, () => choice === 'dark' || (choice === 'system' && dark.matches));
  return isDark ? darkChartTheme : lightChartTheme;
}
