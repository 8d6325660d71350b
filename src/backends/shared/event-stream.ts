// Reads server-sent events (WHATWG HTML, section 9.2.6) from bytes, as fast as they come.
import { createLineReader, type LineReader } from './line-reader.ts';

export interface EventStreamHandlers {
  /** Data lines joined by LF; `event` is empty for an event without a name. */
  readonly onEvent: (data: string, event: string) => void;
  readonly onComment?: (() => void) | undefined;
}

/**
 * A reader of one event stream. An event that the end of the stream cuts off before its blank line is handed on as well
 * (servers forget the last blank line), so the caller must expect a last event with half a JSON text in it.
 */
export function createEventStream(handlers: EventStreamHandlers, limitBytes?: number): LineReader {
  let data: string | null = null;
  let event = '';
  const dispatch = (): void => {
    const [ready, name] = [data, event];
    data = null;
    event = '';
    if (ready !== null) handlers.onEvent(ready, name);
  };
  const onLine = (line: string): void => {
    if (line === '') dispatch();
    else if (line.startsWith('data:')) {
      const value = line.slice(line.charCodeAt(5) === 32 ? 6 : 5);
      data = data === null ? value : `${data}\n${value}`;
    } else if (line.charCodeAt(0) === 58) handlers.onComment?.();
    else if (line.startsWith('event:')) event = line.slice(line.charCodeAt(6) === 32 ? 7 : 6);
    else if (line === 'data') data = data === null ? '' : `${data}\n`;
  };
  const lines = createLineReader(onLine, limitBytes);
  return {
    push: lines.push,
    end: () => {
      lines.end();
      dispatch();
    },
  };
}
