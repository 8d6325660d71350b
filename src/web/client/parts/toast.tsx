// One short message at a time, with a way back where there is one.
import { type ReactNode, useSyncExternalStore } from 'react';

interface Message {
  readonly text: string;
  readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}
const shownMs = 8000;
let message: Message | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(next: Message | null): void {
  message = next;
  clearTimeout(timer);
  if (next !== null) timer = setTimeout(() => set(null), shownMs);
  for (const listener of listeners) listener();
}

export function say(text: string, action?: Message['action']): void {
  set({ text, action });
}

export function Toast(): ReactNode {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => message,
  );
  return (
    <div className="toast-place" aria-live="polite">
      {shown === null ? null : (
        <div className="toast">
          <span>{shown.text}</span>
          {shown.action === undefined ? null : (
            <button
              type="button"
              onClick={() => {
                shown.action?.run();
                set(null);
              }}
            >
              {shown.action.label}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
