// Fetches a plain https (or http) address into the cache.
import { stat } from 'node:fs/promises';
import { ToolError } from '../core/errors.ts';
import { download } from './download.ts';
import { type FileDigest, rememberDigest } from './file-digest.ts';
import { withFileLock } from './file-lock.ts';
import type { HttpResponse } from './http-client.ts';
import type { SourceContext } from './source-context.ts';
import { redactUrl } from './source-reference.ts';

/** Downloads `url` to `target` unless another process did so meanwhile; undefined digest means that it did. */
export async function fetchUrl(
  url: string,
  target: string,
  expected: { sha256?: string | undefined; sizeBytes?: number | undefined },
  context: SourceContext,
): Promise<FileDigest | undefined> {
  if (context.offline) {
    throw new ToolError('unavailable', `offline: ${redactUrl(url)} is not in the cache`, {
      hint: 'run once without --offline while connected: what was fetched stays in the cache',
    });
  }
  return await withFileLock(
    `${target}.lock`,
    async () => {
      const isThere = await stat(target).catch(() => undefined);
      if (isThere !== undefined) return undefined;
      const digest = await download(
        {
          url,
          target,
          name: fileNameOf(url),
          source: redactUrl(url),
          ...expected,
          explainStatus: async (response) => explainStatus(url, response),
        },
        context,
      );
      await rememberDigest(target, digest, context.cacheDirectory);
      return digest;
    },
    context.signal,
  );
}

/** Last part of the path, decoded. */
export function fileNameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last) || 'download';
  } catch {
    return last;
  }
}

function explainStatus(url: string, response: HttpResponse): ToolError {
  const message = `${redactUrl(url)}: HTTP ${response.status}`;
  if (response.status === 401 || response.status === 403)
    return new ToolError('access', message, { hint: 'the server refuses access to this address' });
  return new ToolError(response.status === 404 || response.status === 410 ? 'not-found' : 'unavailable', message);
}
