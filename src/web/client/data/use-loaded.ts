// Loads what a page shows; keeps the last answer on screen while the next one is on its way.
import { useEffect, useReducer, useRef, useState } from 'react';
import { onChange } from './live-changes.ts';

export interface Loaded<T> {
  readonly value: T | null;
  readonly error: Error | null;
  /** True while the shown value is not yet the one asked for. */
  readonly isStale: boolean;
  readonly reload: () => void;
}

export interface LoadOptions {
  /** Runs whose changes make this load again; `all` for lists. */
  readonly follows?: string | readonly string[] | undefined;
}

function follows(followed: LoadOptions['follows'], id: string): boolean {
  return followed === 'all' || followed === id || (Array.isArray(followed) && followed.includes(id));
}

/** @param key - changes exactly when something else is asked for */
export function useLoaded<T>(key: string, load: () => Promise<T>, options: LoadOptions = {}): Loaded<T> {
  const [state, setState] = useState<{ readonly key: string; readonly value: T | null; readonly error: Error | null }>({
    key: '',
    value: null,
    error: null,
  });
  const [round, reload] = useReducer((count: number) => count + 1, 0);
  const latest = useRef(load);
  latest.current = load;
  const followed = useRef(options.follows);
  followed.current = options.follows;

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` asks for the same thing again
  useEffect(() => {
    let isCurrent = true;
    latest.current().then(
      (value) => isCurrent && setState({ key, value, error: null }),
      (error: Error) => isCurrent && setState((before) => ({ key, value: before.key === key ? before.value : null, error })),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);

  useEffect(
    () =>
      onChange((event) => {
        if (event === null || (event.kind === 'run' ? follows(followed.current, event.id) : followed.current === 'all')) reload();
      }),
    [],
  );
  return { value: state.value, error: state.error, isStale: state.key !== key, reload };
}
