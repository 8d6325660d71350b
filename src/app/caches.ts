// The caches of files and of model answers: list, prune, explain a key.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../core/errors.ts';
import { type CacheEntry, listCache, pruneCache } from '../sources/file-cache.ts';
import type { CacheStats } from '../store/cache/sqlite-cache.ts';
import { loadResponseCache } from '../store/registry.ts';
import { openWorkspace } from './workspace.ts';

const millisecondsPerDay = 86_400_000;

/** The response cache of a cache folder. */
export function responseCachePath(cacheDirectory: string): string {
  return join(cacheDirectory, 'responses.sqlite');
}

export interface CacheDescription {
  readonly folder: string;
  readonly files: readonly CacheEntry[];
  readonly responses: CacheStats;
}

export async function describeCache(): Promise<CacheDescription> {
  const { cacheDirectory } = await openWorkspace({ offline: true });
  const path = responseCachePath(cacheDirectory);
  let responses: CacheStats = { entries: 0, bytes: 0, oldestUse: null, newestUse: null };
  if (existsSync(path)) {
    const cache = await loadResponseCache({ path });
    responses = cache.stats();
    await cache.close();
  }
  return { folder: cacheDirectory, files: await listCache(cacheDirectory), responses };
}

export interface PruneRequest {
  readonly olderThanDays: number;
  readonly responses: boolean;
  readonly dryRun: boolean;
}

export async function pruneCaches(request: PruneRequest): Promise<{ readonly files: readonly CacheEntry[]; readonly answers: number }> {
  const { cacheDirectory } = await openWorkspace({ offline: true });
  const files = await pruneCache(cacheDirectory, { olderThanMs: request.olderThanDays * millisecondsPerDay, dryRun: request.dryRun });
  const path = responseCachePath(cacheDirectory);
  if (!request.responses || !existsSync(path)) return { files, answers: 0 };
  const cache = await loadResponseCache({ path });
  const answers = request.dryRun ? cache.stats().entries : cache.prune(0);
  await cache.close();
  return { files, answers };
}

/** What made a key. @throws ToolError `not-found` when no stored answer has it */
export async function explainKey(key: string): Promise<unknown> {
  const { cacheDirectory } = await openWorkspace({ offline: true });
  const path = responseCachePath(cacheDirectory);
  if (!existsSync(path)) throw new ToolError('not-found', 'the response cache is empty', { hint: 'answers are kept with --cache read' });
  const cache = await loadResponseCache({ path });
  try {
    const inputs = await cache.explain(key);
    if (inputs === undefined) throw new ToolError('not-found', `no cached answer has key ${key}`);
    return inputs;
  } finally {
    await cache.close();
  }
}
