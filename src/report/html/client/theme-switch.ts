// Light or dark: the system's choice until the reader makes another.

export function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

/** @param changed - called after each change of the scheme */
export function startThemeSwitch(changed: () => void): void {
  const button = document.getElementById('theme');
  if (button === null) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    document.documentElement.dataset['theme'] = isDark() ? 'light' : 'dark';
    changed();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
}
