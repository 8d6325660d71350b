// Lists and prunes what slmbench's own cache holds (files, wheels). The hub's cache belongs to the hub's own tools.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface CacheEntry {
  readonly kind: 'file' | 'wheel' | 'partial';
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number;
  /** Last time the file was written, ISO 8601. */
  readonly modifiedAt: string;
}

export interface PruneOptions {
  /** Only entries older than this. @default 0 */
  readonly olderThanMs?: number;
  /** Only list what would go. @default false */
  readonly dryRun?: boolean;
}

/** Every file in the cache, largest first. */
export async function listCache(cacheDirectory: string): Promise<readonly CacheEntry[]> {
  const entries: CacheEntry[] = [];
  for (const [folder, kind] of [
    ['files', 'file'],
    ['wheels', 'wheel'],
  ] as const) {
    const names = await readdir(join(cacheDirectory, folder), { recursive: true }).catch(() => []);
    for (const name of names) {
      const path = join(cacheDirectory, folder, name);
      const facts = await stat(path).catch(() => undefined);
      if (facts === undefined || !facts.isFile() || /\.(lock|json)$/.test(name)) continue;
      const isPartial = name.endsWith('.part') || name.includes('.staging-');
      entries.push({
        kind: isPartial ? 'partial' : kind,
        name: name.split(/[\\/]/).at(-1)!,
        path,
        sizeBytes: facts.size,
        modifiedAt: facts.mtime.toISOString(),
      });
    }
  }
  return entries.sort((a, b) => b.sizeBytes - a.sizeBytes);
}

/** Removes entries and returns them. */
export async function pruneCache(cacheDirectory: string, options: PruneOptions = {}): Promise<readonly CacheEntry[]> {
  const limit = Date.now() - (options.olderThanMs ?? 0);
  const chosen = (await listCache(cacheDirectory)).filter((entry) => Date.parse(entry.modifiedAt) <= limit);
  if (options.dryRun === true) return chosen;
  for (const entry of chosen) await rm(entry.path, { force: true });
  return chosen;
}
