// The Hugging Face cache on disk, in the layout its own tools use, so that their files are found and ours are found by them.
import { copyFile, mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { HubReference } from '../source-reference.ts';
import { writeFileAtomic } from '../write-file-atomic.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Repository = Pick<HubReference, 'repositoryKind' | 'repository'>;

/** `$HF_HOME`, else `$XDG_CACHE_HOME/huggingface`, else `~/.cache/huggingface`. */
export function hubHome(environment: Environment): string {
  if (environment['HF_HOME']) return resolve(environment['HF_HOME']);
  if (environment['XDG_CACHE_HOME']) return resolve(environment['XDG_CACHE_HOME'], 'huggingface');
  return join(environment['HOME'] ?? homedir(), '.cache', 'huggingface');
}

/** `$HF_HUB_CACHE`, else `hub` in the hub's home. */
export function hubCacheDirectory(environment: Environment): string {
  const named = environment['HF_HUB_CACHE'] || environment['HUGGINGFACE_HUB_CACHE'];
  return named ? resolve(named) : join(hubHome(environment), 'hub');
}

/** `models--owner--name` in the hub cache. */
export function repositoryFolder(repository: Repository, environment: Environment): string {
  return join(hubCacheDirectory(environment), [repository.repositoryKind, ...repository.repository.split('/')].join('--'));
}

export interface CachedHubFile {
  readonly path: string;
  readonly commit: string;
}

export const isCommit = (revision: string): boolean => /^[0-9a-f]{40}$/.test(revision);

/** The file in the cache for the commit that the revision last pointed to, if it is there. */
export async function findInHubCache(reference: HubReference, environment: Environment): Promise<CachedHubFile | undefined> {
  const commit = isCommit(reference.revision) ? reference.revision : await readRef(reference, environment);
  if (commit === undefined) return undefined;
  const path = snapshotPath(reference, commit, environment);
  return (await isFile(path)) ? { path, commit } : undefined;
}

/** The commit that a branch or tag pointed to when it was last resolved. */
export async function readRef(
  reference: Repository & Pick<HubReference, 'revision'>,
  environment: Environment,
): Promise<string | undefined> {
  const text = await readFile(join(repositoryFolder(reference, environment), 'refs', reference.revision), 'utf8').catch(() => '');
  return isCommit(text.trim()) ? text.trim() : undefined;
}

export function snapshotPath(reference: HubReference, commit: string, environment: Environment): string {
  return join(repositoryFolder(reference, environment), 'snapshots', commit, ...reference.path.split('/'));
}

/** Where the bytes of an object lie; the name is the hub's own content id. */
export function blobPath(reference: Repository, etag: string, environment: Environment): string {
  if (!/^[\w.-]+$/.test(etag) || etag.startsWith('.')) throw new TypeError(`"${etag}" is no object id`);
  return join(repositoryFolder(reference, environment), 'blobs', etag);
}

/** Makes the blob visible under its name in the snapshot of a commit, and notes where the revision points. */
export async function linkSnapshot(reference: HubReference, commit: string, blob: string, environment: Environment): Promise<string> {
  const path = snapshotPath(reference, commit, environment);
  await mkdir(dirname(path), { recursive: true });
  await linkOrCopy(blob, path);
  if (!isCommit(reference.revision)) await writeRef(reference, commit, environment);
  return path;
}

export async function writeRef(
  reference: Repository & Pick<HubReference, 'revision'>,
  commit: string,
  environment: Environment,
): Promise<void> {
  const path = join(repositoryFolder(reference, environment), 'refs', reference.revision);
  await mkdir(dirname(path), { recursive: true });
  await writeFileAtomic(path, commit);
}

async function linkOrCopy(blob: string, path: string): Promise<void> {
  try {
    await symlink(relative(dirname(path), blob), path);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return;
    // Windows without the right to make links: the hub's own tools copy as well.
    await copyFile(blob, path);
  }
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );
}
