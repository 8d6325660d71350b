// The frame of every page: navigation, theme, help, messages, and the page that the address names.
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useData } from './data/data-context.ts';
import { useIsConnected } from './data/live-changes.ts';
import { ComparePage } from './pages/compare-page.tsx';
import { LeaderboardPage } from './pages/leaderboard-page.tsx';
import { RunPage } from './pages/run-page.tsx';
import { RunsPage } from './pages/runs-page.tsx';
import { SamplePage } from './pages/sample-page.tsx';
import { SamplesPage } from './pages/samples-page.tsx';
import { TrainingPage } from './pages/training-page.tsx';
import { Dialog } from './parts/dialog.tsx';
import { shortcutList, useShortcuts } from './parts/shortcuts.ts';
import { Toast } from './parts/toast.tsx';
import { chooseTheme, type ThemeChoice, useThemeChoice } from './parts/use-theme.ts';
import { type Route, useRoute } from './route.ts';

function pageOf(route: Route): { readonly title: string; readonly section: string; readonly page: ReactNode } {
  const [section = 'runs', id, part, slot] = route.path;
  if (section === 'leaderboard') return { title: 'Leaderboard', section, page: <LeaderboardPage route={route} /> };
  if (section === 'compare') return { title: 'Compare', section, page: <ComparePage route={route} /> };
  if (section === 'training') return { title: 'Training', section, page: <TrainingPage route={route} /> };
  if (section === 'runs' && id === undefined) return { title: 'Runs', section, page: <RunsPage route={route} /> };
  if (section === 'runs' && id !== undefined) {
    if (part === undefined || part === 'speed' || part === 'quantisation' || part === 'details')
      return { title: id, section, page: <RunPage key={id} id={id} tab={part ?? 'overview'} /> };
    if (part === 'samples' && slot === undefined)
      return { title: `Samples of ${id}`, section, page: <SamplesPage key={id} id={id} route={route} /> };
    if (part === 'samples' && /^\d+$/.test(slot!))
      return { title: `Sample ${slot} of ${id}`, section, page: <SamplePage key={id} id={id} slot={Number(slot)} route={route} /> };
  }
  return {
    title: 'Not found',
    section: '',
    page: (
      <div className="empty">
        <h1>There is no such page.</h1>
        <a href="#/">All runs</a>
      </div>
    ),
  };
}

const sections = [
  ['runs', '#/', 'Runs'],
  ['leaderboard', '#/leaderboard', 'Leaderboard'],
  ['compare', '#/compare', 'Compare'],
  ['training', '#/training', 'Training'],
] as const;

function ThemeSwitch(): ReactNode {
  const choice = useThemeChoice();
  return (
    <label className="theme">
      <span className="sr-only">Theme</span>
      <select value={choice} onChange={(event) => chooseTheme(event.target.value as ThemeChoice)}>
        <option value="system">System</option>
        <option value="light">Light</option>
        <option value="dark">Dark</option>
      </select>
    </label>
  );
}

function Help({ onClose }: { readonly onClose: () => void }): ReactNode {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">
        {shortcutList.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>{keys.split(' ').map((key) => (key === 'then' ? ' then ' : <kbd key={key}>{key}</kbd>))}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </Dialog>
  );
}

/** A new page is announced by its title and starts at its top. */
function useArrival(title: string, place: string): void {
  const last = useRef(place);
  useEffect(() => {
    document.title = `${title} · slmbench`;
    if (last.current !== place) window.scrollTo(0, 0);
    last.current = place;
  }, [title, place]);
}

export function App(): ReactNode {
  const route = useRoute();
  const data = useData();
  const isConnected = useIsConnected();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useShortcuts(useCallback(() => setHelpOpen(true), []));
  const { title, section, page } = pageOf(route);
  useArrival(title, route.path.join('/'));
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header className="top">
        <a className="brand" href="#/">
          <svg width="22" height="22" viewBox="0 0 16 16" aria-hidden="true">
            <rect width="16" height="16" rx="4" />
            <path d="M4 12V8M8 12V4M12 12V6" />
          </svg>
          slmbench
        </a>
        <nav aria-label="Sections">
          {sections.map(([name, href, text]) => (
            <a key={name} href={href} aria-current={section === name ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        <span className="grow" />
        <button type="button" className="plain" onClick={() => setHelpOpen(true)} aria-label="Keys">
          ?
        </button>
        <ThemeSwitch />
      </header>
      {isConnected ? null : (
        <p className="banner" role="status">
          The viewer does not answer; what you see is the last it said. If it was restarted, open the address that the terminal shows.
        </p>
      )}
      <main id="main" className="page" tabIndex={-1}>
        {page}
      </main>
      <footer className="foot muted">{data.isLive ? 'Local viewer: nothing leaves this machine.' : 'Exported site: read only.'}</footer>
      <Toast />
      {isHelpOpen ? <Help onClose={() => setHelpOpen(false)} /> : null}
    </>
  );
}
