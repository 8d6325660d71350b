// The contents of \boxed{...} and \fbox{...}, with balanced braces.

export interface Boxed {
  readonly start: number;
  readonly end: number;
  readonly content: string;
}

const opening = /\\(?:boxed|fbox)\s{0,4}/g;

/** Only the last boxes can hold the answer. */
const maxBoxes = 30;

/** The last boxes in order. A box that never closes is left out, since its content is cut. */
export function boxedContents(text: string): Boxed[] {
  const boxes: Boxed[] = [];
  if (!text.includes('box')) return boxes;
  let closedUntil = 0;
  for (const match of [...text.matchAll(opening)].slice(-maxBoxes)) {
    if (match.index < closedUntil) continue;
    const open = match.index + match[0].length;
    if (text[open] !== '{') {
      const bare = text.slice(open, open + 20).match(/^[A-Za-z0-9.]+/);
      if (bare && /\s$/.test(match[0])) boxes.push({ start: match.index, end: open + bare[0].length, content: bare[0] });
      continue;
    }
    const close = closingBrace(text, open);
    if (close < 0) continue;
    closedUntil = close;
    boxes.push({ start: match.index, end: close + 1, content: text.slice(open + 1, close).trim() });
  }
  return boxes;
}

export function lastBoxed(text: string): string | undefined {
  return boxedContents(text).at(-1)?.content;
}

/** Index of the brace that closes the one at `open`, or -1. Looks no further than 4,000 characters. */
export function closingBrace(text: string, open: number): number {
  let depth = 0;
  const end = Math.min(text.length, open + 4000);
  for (let at = open; at < end; at++) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '{') depth += 1;
    else if (char === '}' && --depth === 0) return at;
  }
  return -1;
}
