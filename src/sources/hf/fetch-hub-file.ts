// Fetches one file of the Hugging Face hub into the user's Hugging Face cache.

import { stat } from 'node:fs/promises';
import { ToolError } from '../../core/errors.ts';
import { download } from '../download.ts';
import { type FileDigest, rememberDigest } from '../file-digest.ts';
import { withFileLock } from '../file-lock.ts';
import { environmentOf, type SourceContext } from '../source-context.ts';
import type { HubReference } from '../source-reference.ts';
import { explainHubStatus, hubToken, readHubFileFacts, resolveUrl } from './hub-api.ts';
import { blobPath, type CachedHubFile, findInHubCache, isCommit, linkSnapshot } from './hub-cache.ts';

export interface FetchedHubFile extends CachedHubFile {
  readonly fromCache: boolean;
}

/**
 * A file at a revision, the revision pinned to its commit. A branch is asked for its commit first; when the hub cannot be
 * reached, the commit it last pointed to is used.
 */
export async function fetchHubFile(
  reference: HubReference,
  expected: { sha256?: string | undefined; sizeBytes?: number | undefined },
  context: SourceContext,
): Promise<FetchedHubFile> {
  const environment = environmentOf(context);
  const cached = await findInHubCache(reference, environment);
  if (cached !== undefined && (isCommit(reference.revision) || context.offline)) return { ...cached, fromCache: true };
  const facts = await readHubFileFacts(reference, context).catch((thrown: unknown) => {
    if (cached !== undefined && ToolError.isInstance(thrown) && thrown.code === 'unavailable') return undefined;
    throw thrown;
  });
  if (facts === undefined) return { ...cached!, fromCache: true };
  const isLarge = /^[0-9a-f]{64}$/.test(facts.etag);
  if (isLarge && expected.sha256 !== undefined && expected.sha256 !== facts.etag) {
    throw new ToolError('integrity', `hf:${reference.repository}/${reference.path} has sha256 ${facts.etag}, expected ${expected.sha256}`);
  }
  const blob = blobPath(reference, facts.etag, environment);
  let transferred = false;
  await withFileLock(
    `${blob}.lock`,
    async () => {
      if (await exists(blob)) return;
      const digest: FileDigest = await download(
        {
          url: resolveUrl(reference, facts.commit, context),
          target: blob,
          name: reference.path.split('/').at(-1)!,
          source: `hf:${reference.repository}@${facts.commit.slice(0, 12)}/${reference.path}`,
          bearerToken: await hubToken(context),
          sha256: expected.sha256 ?? (isLarge ? facts.etag : undefined),
          sizeBytes: expected.sizeBytes,
          gitSha1: isCommit(facts.etag) ? facts.etag : undefined,
          explainStatus: (response) => explainHubStatus(reference, response, context),
        },
        context,
      );
      transferred = true;
      await rememberDigest(blob, digest, context.cacheDirectory);
    },
    context.signal,
  );
  return { path: await linkSnapshot(reference, facts.commit, blob, environment), commit: facts.commit, fromCache: !transferred };
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
