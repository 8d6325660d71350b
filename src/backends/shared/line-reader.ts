// Cuts a byte stream into lines of text, wherever the network cut it: the ground under event streams and JSON lines.
import { ToolError } from '../../core/errors.ts';

export interface LineReader {
  /** Takes the next block. Lines end with LF, CRLF or CR and are handed on without it. */
  readonly push: (block: Buffer) => void;
  /** Hands on a last line that has no end. */
  readonly end: () => void;
}

const lf = 10;
const cr = 13;
/** A server that never ends its line would fill the memory. */
export const maxLineBytes = 8 * 2 ** 20;

/**
 * Bytes are decoded per run of whole lines: a line end is never inside a UTF-8 character, so no character is ever cut.
 * @throws ToolError `backend` from `push` when a line grows past `limitBytes`
 */
export function createLineReader(onLine: (line: string) => void, limitBytes: number = maxLineBytes): LineReader {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let endedWithCr = false;
  let isFirst = true;

  const hold = (rest: Buffer): void => {
    if (rest.length === 0) return;
    heldBytes += rest.length;
    if (heldBytes > limitBytes) {
      throw new ToolError('backend', `the server sent a line of more than ${Math.round(limitBytes / 2 ** 20)} MiB`, {
        hint: 'this is no event stream or JSON lines; check address and server',
      });
    }
    held.push(rest);
  };
  const take = (head: Buffer): string => {
    const all = held.length === 0 ? head : Buffer.concat([...held, head]);
    held = [];
    heldBytes = 0;
    const text = all.toString('utf8');
    const withMark = isFirst && text.charCodeAt(0) === 0xfeff;
    isFirst = false;
    return withMark ? text.slice(1) : text;
  };
  return {
    push: (block) => {
      const start = endedWithCr && block[0] === lf ? 1 : 0;
      if (block.length > 0) endedWithCr = false;
      const lastCr = block.lastIndexOf(cr);
      const last = Math.max(block.lastIndexOf(lf), lastCr);
      if (last < start) {
        hold(start === 0 ? block : block.subarray(start));
        return;
      }
      endedWithCr = last === block.length - 1 && last === lastCr;
      const text = take(block.subarray(start, last + 1));
      splitLines(text, onLine);
      hold(block.subarray(last + 1));
    },
    end: () => {
      if (heldBytes > 0) onLine(take(Buffer.alloc(0)));
    },
  };
}

/** `text` ends with a line end. */
function splitLines(text: string, onLine: (line: string) => void): void {
  const plain = text.includes('\r') ? text.replace(/\r\n?/gu, '\n') : text;
  for (let start = 0; start < plain.length; ) {
    const end = plain.indexOf('\n', start);
    onLine(plain.slice(start, end));
    start = end + 1;
  }
}
