// Which text encoding the first bytes of a file show, so that an error can name it.
import { ToolError } from '../../core/errors.ts';

/** The encoding that a byte order mark names. */
export function markedEncoding(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
}

/** UTF-16 without a mark: nearly every second byte of western text is zero, and no other text encoding has zero bytes. */
function unmarkedEncoding(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const seen = Math.min(head.length, 512) & ~1;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < seen; at += 2) {
    if (head[at] === 0) even++;
    if (head[at + 1] === 0) odd++;
  }
  if (odd > seen / 4 && even === 0) return 'utf-16le';
  return even > seen / 4 && odd === 0 ? 'utf-16be' : undefined;
}

/** @throws ToolError `data`: the text is UTF-16, which this reader does not take */
export function refuseUtf16(head: Uint8Array, path: string, allowMarked = false): void {
  const marked = markedEncoding(head);
  if (marked !== undefined && allowMarked) return;
  const encoding = marked ?? unmarkedEncoding(head);
  if (encoding === undefined) return;
  throw new ToolError('data', `${path}: the text is UTF-16 (${encoding}${marked === undefined ? ', without a byte order mark' : ''})`, {
    hint: `save the file as UTF-8, for example: iconv -f ${encoding} -t utf-8 FILE`,
  });
}
