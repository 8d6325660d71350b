// Stop strings checked on our side as well: servers ignore some, or cap their number. Never shows a part of one.

export interface StopGuard {
  /** Takes new text; returns what may be shown. After a match everything is dropped. */
  readonly push: (text: string) => string;
  /** What was held back, once no more text can come. */
  readonly flush: () => string;
  readonly found: () => boolean;
}

export function createStopGuard(stops: readonly string[]): StopGuard {
  const wanted = stops.filter((stop) => stop !== '');
  let held = '';
  let found = false;
  return {
    push: (text) => {
      if (found) return '';
      if (wanted.length === 0) return text;
      const all = held + text;
      const at = firstMatch(all, wanted);
      if (at >= 0) {
        found = true;
        held = '';
        return all.slice(0, at);
      }
      const keep = Math.max(...wanted.map((stop) => overlap(all, stop)));
      held = all.slice(all.length - keep);
      return all.slice(0, all.length - keep);
    },
    flush: () => {
      const rest = held;
      held = '';
      return rest;
    },
    found: () => found,
  };
}

function firstMatch(text: string, stops: readonly string[]): number {
  const places = stops.map((stop) => text.indexOf(stop)).filter((index) => index >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** Length of the longest end of `text` that is a beginning of `stop`. */
function overlap(text: string, stop: string): number {
  for (let length = Math.min(stop.length - 1, text.length); length > 0; length--) if (stop.startsWith(text.slice(-length))) return length;
  return 0;
}
