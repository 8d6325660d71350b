// Bytes of a file as a stream, gzip unpacked, with a guard against archives that unpack without end.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { ToolError } from '../../core/errors.ts';

/** Text packs 3 to 30 times; what packs far better is no data. */
const suspiciousRatio = 250;
const freeBytes = 64e6;

/** @throws ToolError `integrity` for a damaged gzip file, `data` for one that unpacks to absurd size */
export async function* readBytes(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const source = createReadStream(path, { highWaterMark: 1 << 18, signal });
  if (!(await isGzip(path))) {
    yield* source as AsyncIterable<Buffer>;
    return;
  }
  const packedBytes = (await stat(path)).size;
  const unpack = createGunzip({ chunkSize: 1 << 18 });
  source.on('error', (error) => unpack.destroy(error));
  source.pipe(unpack);
  let doneBytes = 0;
  try {
    for await (const chunk of unpack) {
      doneBytes += (chunk as Buffer).length;
      if (doneBytes > freeBytes && doneBytes > packedBytes * suspiciousRatio) {
        throw new ToolError('data', `${path} unpacks to more than ${suspiciousRatio} times its size: stopped at ${doneBytes} bytes`);
      }
      yield chunk as Buffer;
    }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code?.startsWith('Z_'))
      throw new ToolError('integrity', `${path}: damaged gzip file`, { cause: thrown });
    throw thrown;
  } finally {
    source.destroy();
  }
}

async function isGzip(path: string): Promise<boolean> {
  const head = await readHead(path, 2);
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** First bytes of a file, fewer when it is shorter. */
export async function readHead(path: string, length: number): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
