// Downloads one URL to one file: resumes, hashes on the way, checks, and renames only a whole and right file.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../core/errors.ts';
import type { FileDigest } from './file-digest.ts';
import { type HttpResponse, headerOf, sendRequest } from './http-client.ts';
import { createProgressMeter, type ProgressMeter } from './progress-meter.ts';
import type { SourceContext } from './source-context.ts';
import { redactUrl } from './source-reference.ts';
import { asStorageError, assertFreeSpace } from './storage-error.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

export interface DownloadRequest {
  readonly url: string;
  readonly target: string;
  /** Shown in progress. */
  readonly name: string;
  readonly source: string;
  readonly bearerToken?: string | undefined;
  readonly sha256?: string | undefined;
  readonly sizeBytes?: number | undefined;
  /** sha1 of `blob <size>\0<content>`, the git id of a small hub file. */
  readonly gitSha1?: string | undefined;
  /** Turns a status that is no success into an error. */
  readonly explainStatus: (response: HttpResponse) => Promise<ToolError>;
}

const attempts = 4;
const longestWaitSeconds = 60;

/**
 * Downloads to `target`. A broken transfer is resumed from `target.part` while the server still has the same version.
 * @throws ToolError `integrity` (the bad file is removed), `storage` (no half file is left), `unavailable`, `access`, `interrupted`
 */
export async function download(request: DownloadRequest, context: SourceContext): Promise<FileDigest> {
  const meter = createProgressMeter(request.name, request.source, context);
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(dirname(request.target), { recursive: true });
      const digest = await attemptDownload(request, context, meter);
      meter.finish(digest.sizeBytes);
      return digest;
    } catch (thrown) {
      const error = asStorageError(thrown, request.target);
      if (ToolError.isInstance(error) && error.code === 'storage') await removePartial(request.target);
      if (context.signal?.aborted) throw new ToolError('interrupted', `stopped while fetching ${request.source}`, { cause: thrown });
      if (!isRetryable(error) || attempt >= attempts) throw asTransferError(error, request);
      await sleep(error.retryAfterMs ?? 200 * 2 ** attempt, undefined, { signal: context.signal });
    }
  }
}

/** A failure after which the same request may succeed. */
class BrokenTransfer extends Error {
  readonly retryAfterMs: number | undefined;
  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number | undefined } = {}) {
    super(message, { cause: options.cause });
    this.retryAfterMs = options.retryAfterMs;
  }
}

function isRetryable(error: unknown): error is BrokenTransfer {
  return error instanceof BrokenTransfer;
}

function asTransferError(error: unknown, request: DownloadRequest): unknown {
  if (ToolError.isInstance(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ToolError('unavailable', `${redactUrl(request.url)}: ${message}`, { cause: error, isRetryable: true });
}

async function attemptDownload(request: DownloadRequest, context: SourceContext, meter: ProgressMeter): Promise<FileDigest> {
  const partial = await readPartial(request.target);
  const range: Record<string, string> = partial === undefined ? {} : { range: `bytes=${partial.sizeBytes}-`, 'if-range': partial.etag };
  const response = await sendRequest(request.url, { headers: range, bearerToken: request.bearerToken }, context);
  try {
    if (response.status === 416) {
      await removePartial(request.target);
      throw new BrokenTransfer('the server refused the range of a resumed download');
    }
    if (response.status === 429 || response.status >= 500) throw await busyError(response, request);
    if (response.status !== 200 && response.status !== 206) throw await request.explainStatus(response);
    const offset = response.status === 206 ? rangeStart(response, partial?.sizeBytes ?? 0) : 0;
    return await writeBody(request, response, offset, context, meter);
  } finally {
    await response.close();
  }
}

async function busyError(response: HttpResponse, request: DownloadRequest): Promise<Error> {
  const seconds = Number(headerOf(response, 'retry-after'));
  if (seconds > longestWaitSeconds) {
    return new ToolError('unavailable', `${redactUrl(request.url)}: HTTP ${response.status}, the server asks to wait ${seconds} s`);
  }
  return new BrokenTransfer(`HTTP ${response.status}`, { retryAfterMs: seconds > 0 ? seconds * 1000 : undefined });
}

function rangeStart(response: HttpResponse, expected: number): number {
  const start = /^bytes (\d+)-/.exec(headerOf(response, 'content-range') ?? '')?.[1];
  if (Number(start) !== expected) throw new BrokenTransfer(`the server answered another range than bytes=${expected}-`);
  return expected;
}

async function writeBody(request: DownloadRequest, response: HttpResponse, offset: number, context: SourceContext, meter: ProgressMeter) {
  const part = `${request.target}.part`;
  const length = headerOf(response, 'content-length');
  const totalBytes = length === undefined ? (request.sizeBytes ?? null) : offset + Number(length);
  if (request.sizeBytes !== undefined && totalBytes !== request.sizeBytes) {
    throw new ToolError('integrity', `${request.source}: the server has ${totalBytes} bytes, expected ${request.sizeBytes}`);
  }
  if (totalBytes !== null) await assertFreeSpace(part, totalBytes - offset);
  const etag = headerOf(response, 'etag');
  if (etag !== undefined && !etag.startsWith('W/'))
    await writeFileAtomic(`${part}.json`, JSON.stringify({ etag, url: redactUrl(request.url) }));
  const sha256 = createHash('sha256');
  const handle = await open(part, offset > 0 ? 'a' : 'w');
  let sizeBytes = offset;
  try {
    if (offset > 0) await hashStart(part, offset, sha256);
    meter.report(sizeBytes, totalBytes);
    for await (const chunk of bodyOf(response)) {
      await writeAll(handle, chunk);
      sha256.update(chunk);
      sizeBytes += chunk.length;
      meter.report(sizeBytes, totalBytes);
    }
    if (context.signal?.aborted) throw new ToolError('interrupted', `stopped while fetching ${request.source}`);
    if (totalBytes !== null && sizeBytes !== totalBytes)
      throw new BrokenTransfer(`the transfer ended at byte ${sizeBytes} of ${totalBytes}`);
    await handle.sync().catch(() => undefined);
  } finally {
    await handle.close();
  }
  return await accept(request, { sha256: sha256.digest('hex'), sizeBytes });
}

async function* bodyOf(response: HttpResponse): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of response.body) yield chunk as Buffer;
  } catch (thrown) {
    throw new BrokenTransfer(`the transfer broke: ${thrown instanceof Error ? thrown.message : String(thrown)}`, { cause: thrown });
  }
}

async function writeAll(handle: FileHandle, chunk: Buffer): Promise<void> {
  for (let done = 0; done < chunk.length; ) done += (await handle.write(chunk, done)).bytesWritten;
}

async function hashStart(part: string, length: number, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(part, { end: length - 1, highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
}

async function accept(request: DownloadRequest, digest: FileDigest): Promise<FileDigest> {
  const part = `${request.target}.part`;
  const wrong = await findDifference(request, digest, part);
  if (wrong !== undefined) {
    await removePartial(request.target);
    throw new ToolError('integrity', `${request.source}: ${wrong}; the file was removed`, {
      hint: 'the source may have changed or the transfer may be tampered with; try again, or another source',
    });
  }
  await rename(part, request.target);
  await rm(`${part}.json`, { force: true });
  return digest;
}

async function findDifference(request: DownloadRequest, digest: FileDigest, part: string): Promise<string | undefined> {
  if (request.sha256 !== undefined && request.sha256 !== digest.sha256) return `sha256 is ${digest.sha256}, expected ${request.sha256}`;
  if (request.gitSha1 === undefined) return undefined;
  const hash = createHash('sha1').update(`blob ${digest.sizeBytes}\0`);
  if (digest.sizeBytes > 0) await hashStart(part, digest.sizeBytes, hash);
  const found = hash.digest('hex');
  return found === request.gitSha1 ? undefined : `git object id is ${found}, expected ${request.gitSha1}`;
}

async function readPartial(target: string): Promise<{ etag: string; sizeBytes: number } | undefined> {
  try {
    const { size } = await stat(`${target}.part`);
    const { etag } = JSON.parse(await readFile(`${target}.part.json`, 'utf8')) as { etag: string };
    return size > 0 && typeof etag === 'string' ? { etag, sizeBytes: size } : undefined;
  } catch {
    return undefined;
  }
}

async function removePartial(target: string): Promise<void> {
  await rm(`${target}.part`, { force: true });
  await rm(`${target}.part.json`, { force: true });
}
