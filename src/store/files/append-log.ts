// An append-only file of lines: each append reaches the operating system at once (a killed process loses nothing that was
// appended) and is made durable by a group fsync. A failed write never leaves half a line.
import { close, closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { storageError } from './storage-error.ts';

const fdatasyncAsync = promisify(fdatasync);
const closeAsync = promisify(close);
const tailBytes = 1 << 16;
const lineFeed = 10;
/** UTF-8 bytes of a UTF-16 code unit at most. */
const maxBytesPerCharacter = 3;

export interface AppendLog {
  /** Bytes of a torn last line that were cut off when the file was opened. */
  readonly droppedBytes: number;
  /** Writes whole lines; throws ToolError `storage` with the file as it was before. */
  readonly append: (lines: string) => void;
  /** Resolves when all that was appended so far is durable; calls made meanwhile share one fsync. */
  readonly sync: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The system calls an append needs; tests hand in ones that fail. */
export interface AppendCalls {
  readonly write: (descriptor: number, bytes: Uint8Array, offset: number) => number;
  readonly sync: (descriptor: number) => Promise<void>;
}

const systemCalls: AppendCalls = { write: (descriptor, bytes, offset) => writeSync(descriptor, bytes, offset), sync: fdatasyncAsync };

export function openAppendLog(path: string, calls: AppendCalls = systemCalls): AppendLog {
  let descriptor: number;
  let sizeBytes: number;
  let droppedBytes: number;
  try {
    descriptor = openSync(path, 'a+');
    const before = fstatSync(descriptor).size;
    sizeBytes = endOfLastLine(descriptor, before);
    droppedBytes = before - sizeBytes;
    if (droppedBytes > 0) ftruncateSync(descriptor, sizeBytes);
  } catch (error) {
    throw storageError('cannot open', path, error);
  }
  const scratch = Buffer.allocUnsafe(tailBytes);
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  function append(lines: string): void {
    const bytes = encode(lines);
    try {
      for (let offset = 0; offset < bytes.length; ) offset += calls.write(descriptor, bytes, offset);
      sizeBytes += bytes.length;
    } catch (error) {
      cutBack();
      throw storageError('cannot write', path, error);
    }
  }
  function encode(lines: string): Buffer {
    if (lines.length * maxBytesPerCharacter > scratch.length) return Buffer.from(lines);
    return scratch.subarray(0, scratch.write(lines));
  }
  function cutBack(): void {
    try {
      ftruncateSync(descriptor, sizeBytes);
    } catch {
      // Readers and the next open leave a torn last line out, so the file stays readable even so.
    }
  }
  async function syncOnce(): Promise<void> {
    try {
      await calls.sync(descriptor);
    } catch (error) {
      throw storageError('cannot write', path, error);
    }
  }
  function start(): Promise<void> {
    running = syncOnce().finally(() => {
      running = null;
    });
    return running;
  }
  function sync(): Promise<void> {
    if (running === null) return start();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null;
        return start();
      });
    return next;
  }
  return {
    droppedBytes,
    append,
    sync,
    close: async () => {
      try {
        await sync();
      } finally {
        await closeAsync(descriptor).catch(() => closeSync(descriptor));
      }
    },
  };
}

function endOfLastLine(descriptor: number, sizeBytes: number): number {
  const block = Buffer.allocUnsafe(tailBytes);
  for (let end = sizeBytes; end > 0; ) {
    const start = Math.max(0, end - tailBytes);
    const read = readSync(descriptor, block, 0, end - start, start);
    const at = block.subarray(0, read).lastIndexOf(lineFeed);
    if (at !== -1) return start + at + 1;
    end = start;
  }
  return 0;
}
