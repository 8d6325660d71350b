// One event stream for the whole page: tells which run changed, so that what shows it asks again.
import { useEffect, useState } from 'react';
import type { ViewerEvent } from '../../../report/viewer/viewer-contract.ts';

type Listener = (event: ViewerEvent | null) => void;
const listeners = new Set<Listener>();
const statusListeners = new Set<(isConnected: boolean) => void>();
let source: EventSource | null = null;
let wasConnected = true;

function setConnected(isConnected: boolean): void {
  if (isConnected === wasConnected) return;
  wasConnected = isConnected;
  for (const listener of statusListeners) listener(isConnected);
  // Whatever happened meanwhile was missed: everything shown is asked for again.
  if (isConnected) for (const listener of listeners) listener(null);
}

const retryMs = 3000;

export function openLiveChanges(): void {
  source?.close();
  source = new EventSource('./api/events');
  source.addEventListener('hello', () => setConnected(true));
  source.addEventListener('change', (message) => {
    const event = JSON.parse((message as MessageEvent<string>).data) as ViewerEvent;
    for (const listener of listeners) listener(event);
  });
  source.addEventListener('error', () => {
    setConnected(false);
    // The browser tries again by itself, but gives up after an answer such as 401.
    if (source?.readyState === EventSource.CLOSED) setTimeout(openLiveChanges, retryMs);
  });
}

export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useIsConnected(): boolean {
  const [isConnected, set] = useState(wasConnected);
  useEffect(() => {
    statusListeners.add(set);
    return () => {
      statusListeners.delete(set);
    };
  }, []);
  return isConnected;
}
