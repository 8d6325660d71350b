// Fenced blocks of a Markdown reply, line by line; a fence that never closes runs to the end.

export interface FencedBlock {
  /** Lower case; empty where the fence names none. */
  readonly language: string;
  readonly body: string;
  readonly closed: boolean;
}

export function fencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  let open: { readonly mark: string; readonly indent: number; readonly language: string; readonly start: number } | undefined;
  for (let at = 0; at <= text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const fence = mayOpen(text.charCodeAt(at)) ? fenceAt(text, at, end) : undefined;
    if (fence !== undefined) {
      if (open === undefined) open = { ...fence, start: Math.min(end + 1, text.length) };
      else if (fence.language === '' && fence.mark[0] === open.mark[0] && fence.mark.length >= open.mark.length) {
        blocks.push(blockOf(text, open, Math.max(open.start, at), true));
        open = undefined;
      }
    }
    if (newline < 0) break;
    at = newline + 1;
  }
  if (open !== undefined) blocks.push(blockOf(text, open, text.length, false));
  return blocks;
}

/** Space, tab, `>`, backtick or tilde: all else begins no fence line. */
function mayOpen(code: number): boolean {
  return code === 96 || code === 126 || code === 32 || code === 9 || code === 62;
}

function fenceAt(text: string, start: number, end: number): { mark: string; indent: number; language: string } | undefined {
  let at = start;
  while (at < end && at - start < 12 && (text[at] === ' ' || text[at] === '\t' || text[at] === '>')) at += 1;
  const char = text[at];
  if (char !== '`' && char !== '~') return undefined;
  let stop = at;
  while (text[stop] === char) stop += 1;
  if (stop - at < 3) return undefined;
  const info = text.slice(stop, Math.min(end, stop + 200)).trim();
  if (char === '`' && info.includes('`')) return undefined;
  return { mark: text.slice(at, Math.min(stop, at + 20)), indent: at - start, language: info.split(/[\s{:,]/, 1)[0]!.toLowerCase() };
}

function blockOf(
  text: string,
  open: { readonly indent: number; readonly language: string; readonly start: number },
  end: number,
  closed: boolean,
): FencedBlock {
  let body = text.slice(open.start, end);
  if (closed && body.endsWith('\n')) body = body.slice(0, -1);
  if (open.indent > 0)
    body = body
      .split('\n')
      .map((line) => (line.slice(0, open.indent).trim() === '' ? line.slice(open.indent) : line))
      .join('\n');
  return { language: open.language, body, closed };
}
