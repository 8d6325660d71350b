// The few calls of the Hugging Face hub that are needed: facts of a file, the commit behind a revision, the list of files.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import { nearestName } from '../../core/names.ts';
import { type HttpResponse, headerOf, sendRequest } from '../http-client.ts';
import { environmentOf, type SourceContext } from '../source-context.ts';
import type { HubReference } from '../source-reference.ts';
import { hubHome, isCommit } from './hub-cache.ts';

export type HubRepository = Pick<HubReference, 'repositoryKind' | 'repository' | 'revision'>;

export interface HubFileFacts {
  readonly commit: string;
  /** Content id: sha256 of a large file, git object id of a small one. */
  readonly etag: string;
  readonly sizeBytes: number | null;
}

export interface HubListing {
  readonly commit: string;
  readonly files: readonly { readonly path: string; readonly sizeBytes: number }[];
}

/** `$HF_ENDPOINT` without a trailing slash. @default https://huggingface.co */
export function hubEndpoint(context: SourceContext): string {
  return (environmentOf(context)['HF_ENDPOINT'] || 'https://huggingface.co').replace(/\/+$/, '');
}

/** `$HF_TOKEN`, else the token that `hf auth login` saved. */
export async function hubToken(context: SourceContext): Promise<string | undefined> {
  const environment = environmentOf(context);
  const named = environment['HF_TOKEN'] || environment['HUGGING_FACE_HUB_TOKEN'];
  if (named) return named.trim();
  const path = environment['HF_TOKEN_PATH'] || join(hubHome(environment), 'token');
  return (await readFile(path, 'utf8').catch(() => '')).trim() || undefined;
}

/** Address of a repository's page; models have no prefix. */
export function repositoryPage(repository: HubRepository, context: SourceContext): string {
  const prefix = repository.repositoryKind === 'models' ? '' : `${repository.repositoryKind}/`;
  return `${hubEndpoint(context)}/${prefix}${repository.repository}`;
}

/** Address that serves a file's bytes at a revision. */
export function resolveUrl(reference: HubReference, revision: string, context: SourceContext): string {
  const path = reference.path.split('/').map(encodeURIComponent).join('/');
  return `${repositoryPage(reference, context)}/resolve/${encodeURIComponent(revision)}/${path}`;
}

/** @throws ToolError `access`, `not-found` (with the nearest file name), `unavailable` */
export async function readHubFileFacts(reference: HubReference, context: SourceContext): Promise<HubFileFacts> {
  const url = resolveUrl(reference, reference.revision, context);
  const response = await sendRequest(url, { method: 'HEAD', bearerToken: await hubToken(context), followToOtherHosts: false }, context);
  try {
    if (response.status >= 400) throw await explainHubStatus(reference, response, context);
    const commit = headerOf(response, 'x-repo-commit') ?? '';
    const etag = (headerOf(response, 'x-linked-etag') ?? headerOf(response, 'etag') ?? '').replace(/^W\/|"/g, '');
    if (!isCommit(commit) || etag === '') {
      throw new ToolError('unavailable', `${url}: the answer has no commit and content id, so this is no hub`, {
        hint: 'check HF_ENDPOINT; a proxy may have removed headers',
      });
    }
    const size = Number(headerOf(response, 'x-linked-size') ?? headerOf(response, 'content-length') ?? Number.NaN);
    return { commit, etag, sizeBytes: Number.isFinite(size) ? size : null };
  } finally {
    await response.close();
  }
}

/** All files of a repository at a revision, the revision resolved to its commit. */
export async function listHubFiles(repository: HubRepository, context: SourceContext): Promise<HubListing> {
  const base = `${hubEndpoint(context)}/api/${repository.repositoryKind}/${repository.repository}`;
  const commit = isCommit(repository.revision)
    ? repository.revision
    : ((await readJson(`${base}/revision/${encodeURIComponent(repository.revision)}`, repository, context)).value as { sha?: string }).sha;
  if (commit === undefined || !isCommit(commit))
    throw new ToolError('unavailable', `${base}: the hub named no commit for ${repository.revision}`);
  const files: { path: string; sizeBytes: number }[] = [];
  let next: string | undefined = `${base}/tree/${commit}?recursive=true`;
  while (next !== undefined) {
    const page = await readJson(next, repository, context);
    for (const entry of page.value as { type: string; path: string; size?: number }[]) {
      // A name with ".." or backslashes would leave the cache folder: such a file cannot be asked for.
      if (entry.type === 'file' && isSafePath(entry.path)) files.push({ path: entry.path, sizeBytes: entry.size ?? 0 });
    }
    next = page.next;
  }
  return { commit, files };
}

export function isSafePath(path: string): boolean {
  return !path.includes('\\') && !path.includes('\0') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

async function readJson(
  url: string,
  repository: HubRepository,
  context: SourceContext,
): Promise<{ value: unknown; next: string | undefined }> {
  const response = await sendRequest(url, { bearerToken: await hubToken(context) }, context);
  try {
    if (response.status >= 400) throw await explainHubStatus(repository, response, context);
    const link = headerOf(response, 'link') ?? '';
    const next = /<([^>]+)>\s*;\s*rel="next"/.exec(link)?.[1];
    return { value: await response.body.json(), next: next === undefined ? undefined : new URL(next, url).href };
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw new ToolError('unavailable', `${url}: the answer is no JSON`, { cause: thrown });
    throw thrown;
  } finally {
    await response.close();
  }
}

/** What a 4xx or 5xx answer of the hub means for the user. */
export async function explainHubStatus(
  reference: HubRepository & { path?: string },
  response: HttpResponse,
  context: SourceContext,
): Promise<ToolError> {
  const page = repositoryPage(reference, context);
  const code = headerOf(response, 'x-error-code') ?? '';
  const said = headerOf(response, 'x-error-message') ?? '';
  const hasToken = (await hubToken(context)) !== undefined;
  if (response.status === 404 && (code === 'EntryNotFound' || code === '') && reference.path !== undefined) {
    return await missingFile({ ...reference, path: reference.path }, context);
  }
  if (code === 'RevisionNotFound') return new ToolError('not-found', `${page} has no revision "${reference.revision}"`);
  if (code === 'GatedRepo' || response.status === 403) {
    return new ToolError('access', `${page} is gated (HTTP ${response.status})${said === '' ? '' : `: ${said}`}`, {
      hint: hasToken
        ? `accept the licence at ${page} with the account of your token`
        : `accept the licence at ${page}, then set HF_TOKEN to a token of that account`,
    });
  }
  if (response.status === 401 || code === 'RepoNotFound' || response.status === 404) {
    return new ToolError(
      response.status === 401 ? 'access' : 'not-found',
      `${page} does not exist, or is private or gated (HTTP ${response.status})`,
      {
        hint: hasToken
          ? 'check the name, and that your token may read it'
          : `check the name; for a gated repository accept the licence at ${page} and set HF_TOKEN`,
      },
    );
  }
  return new ToolError('unavailable', `${page}: HTTP ${response.status}${said === '' ? '' : `: ${said}`}`, {
    isRetryable: response.status >= 500,
  });
}

async function missingFile(reference: HubRepository & { path: string }, context: SourceContext): Promise<ToolError> {
  const files = await listHubFiles(reference, context).then(
    (listing) => listing.files.map((file) => file.path),
    () => [],
  );
  const ending = /\.[a-z0-9]+$/i.exec(reference.path)?.[0] ?? '';
  const alike = files.filter((path) => path.endsWith(ending));
  const nearest = nearestName(reference.path, alike);
  const hint = nearest === undefined ? undefined : `did you mean "${nearest}"?`;
  const list = alike.slice(0, 12).join(', ');
  return new ToolError('not-found', `${repositoryPage(reference, context)} has no file "${reference.path}"`, {
    hint: hint ?? (list === '' ? undefined : `it has: ${list}${alike.length > 12 ? ', ...' : ''}`),
  });
}
