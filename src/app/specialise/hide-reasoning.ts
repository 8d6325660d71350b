// Takes reasoning blocks out of a stream of text, also where a tag is cut across chunks.

const opening = '<think>';
const closing = '</think>';

/** Length of the longest end of `text` that begins `tag`. */
function heldBack(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length--) {
    if (tag.startsWith(text.slice(-length))) return length;
  }
  return 0;
}

export interface ReasoningFilter {
  /** The answer text that is certain after this chunk. */
  readonly push: (chunk: string) => string;
  /** What was held back at the end. */
  readonly end: () => string;
}

/** White space after a block goes with it, so that an answer starts with its first word. */
export function hideReasoning(): ReasoningFilter {
  let waiting = '';
  let inside = false;
  let afterBlock = false;
  const emit = (text: string): string => {
    const shown = afterBlock ? text.trimStart() : text;
    if (shown !== '') afterBlock = false;
    return shown;
  };
  return {
    push: (chunk) => {
      waiting += chunk;
      let shown = '';
      for (;;) {
        const tag = inside ? closing : opening;
        const at = waiting.indexOf(tag);
        if (at < 0) break;
        if (!inside) shown += emit(waiting.slice(0, at));
        else afterBlock = true;
        waiting = waiting.slice(at + tag.length);
        inside = !inside;
      }
      const keep = heldBack(waiting, inside ? closing : opening);
      const ready = waiting.slice(0, waiting.length - keep);
      waiting = waiting.slice(waiting.length - keep);
      return inside ? shown : shown + emit(ready);
    },
    end: () => (inside ? '' : emit(waiting)),
  };
}
