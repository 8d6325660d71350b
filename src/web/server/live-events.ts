// Server-sent events: ids and counters only, so that a slow page never piles up data; pages fetch what they show.
import type { Context } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { RunLibrary } from '../../app/view/open-library.ts';
import type { ViewerEvent } from '../../report/viewer/viewer-contract.ts';

const heartbeatMs = 15_000;

export function liveEvents(context: Context, library: RunLibrary): Response {
  return streamSSE(context, async (stream) => {
    // Of several changes of one run only the last matters to a reader that was slow.
    const waiting = new Map<string, ViewerEvent>();
    let wake: () => void = () => {};
    const stop = library.watch((event) => {
      waiting.set(event.kind === 'run' ? event.id : '', event);
      wake();
    });
    stream.onAbort(() => {
      stop();
      wake();
    });
    await stream.writeSSE({ event: 'hello', data: '{}' });
    while (!stream.aborted && !stream.closed) {
      if (waiting.size === 0) await nextEvent((done) => (wake = done));
      const events = [...waiting.values()];
      waiting.clear();
      if (events.length === 0 && !stream.aborted) await stream.writeSSE({ event: 'beat', data: '{}' });
      for (const event of events) await stream.writeSSE({ event: 'change', data: JSON.stringify(event) });
    }
    stop();
  });
}

function nextEvent(register: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, heartbeatMs);
    timer.unref();
    register(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
