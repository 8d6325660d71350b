// Finds stop strings in text that arrives in pieces: a stop string is found wherever tokens cut it, and never shown in part.

export interface StopMatcher {
  /** Takes new text; returns what may be shown now. After a match everything is dropped. */
  readonly push: (text: string) => string;
  /** What was held back because it could have begun a stop string. Call once, at the end. */
  readonly flush: () => string;
  /** The stop string that was found, if any. */
  readonly found: string | null;
}

export function createStopMatcher(stops: readonly string[]): StopMatcher {
  const wanted = stops.filter((stop) => stop !== '');
  const longest = Math.max(0, ...wanted.map((stop) => stop.length));
  let held = '';
  let found: string | null = null;
  return {
    get found() {
      return found;
    },
    push: (text) => {
      if (found !== null || text === '') return '';
      if (longest === 0) return text;
      const all = held + text;
      const match = earliest(all, wanted);
      if (match !== null) {
        found = match.stop;
        held = '';
        return all.slice(0, match.index);
      }
      const keep = possibleBeginning(all, wanted, longest);
      held = all.slice(all.length - keep);
      return all.slice(0, all.length - keep);
    },
    flush: () => {
      const rest = found === null ? held : '';
      held = '';
      return rest;
    },
  };
}

function earliest(text: string, stops: readonly string[]): { readonly index: number; readonly stop: string } | null {
  let best: { index: number; stop: string } | null = null;
  for (const stop of stops) {
    const index = text.indexOf(stop);
    if (index >= 0 && (best === null || index < best.index)) best = { index, stop };
  }
  return best;
}

/** Length of the longest end of `text` that begins a stop string. */
function possibleBeginning(text: string, stops: readonly string[], longest: number): number {
  for (let length = Math.min(longest - 1, text.length); length > 0; length--) {
    const end = text.slice(text.length - length);
    if (stops.some((stop) => stop.startsWith(end))) return length;
  }
  return 0;
}
