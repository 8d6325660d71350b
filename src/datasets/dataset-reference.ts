// The text after `-d`: a name, a file, or an address, told apart.
import { ToolError } from '../core/errors.ts';

export type DatasetReference =
  /** A catalogue or built-in name, `config` as in `mmlu:anatomy`. */
  | { readonly kind: 'name'; readonly name: string; readonly config?: string | undefined }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'hub'; readonly repository: string; readonly revision?: string | undefined; readonly config?: string | undefined }
  /** One file: https, pypi, or a file inside a hub repository. */
  | { readonly kind: 'remote-file'; readonly reference: string };

const schemes = ['file', 'hf', 'https', 'http', 'pypi', 'builtin'] as const;

/** @throws ToolError `usage` for an unknown scheme or a malformed hub reference */
export function parseDatasetReference(text: string): DatasetReference {
  if (/^https?:/i.test(text) || text.startsWith('pypi:')) return { kind: 'remote-file', reference: text };
  if (text.startsWith('hf:')) return parseHub(text);
  if (text.startsWith('builtin:')) return { kind: 'name', name: text.slice('builtin:'.length) };
  if (text.startsWith('file:')) return { kind: 'file', path: text.slice('file:'.length) };
  const looksLikePath =
    /^[.~]?[\\/]|^\.\.?[\\/]|^[A-Za-z]:[\\/]|[\\/]/.test(text) || /\.(jsonl|ndjson|json|csv|tsv|parquet|arrow|txt)(\.gz)?$/i.test(text);
  if (looksLikePath) return { kind: 'file', path: text };
  const [name, config, ...rest] = text.split(':');
  if (rest.length > 0 || name === '')
    throw new ToolError('usage', `"${text}" is no dataset reference`, { hint: `known schemes: ${schemes.join(', ')}` });
  return { kind: 'name', name: name!, ...(config === undefined ? {} : { config }) };
}

function parseHub(text: string): DatasetReference {
  const match = /^hf:(?:datasets\/)?([^/@:\s]+\/[^/@:\s]+)(?:@([^/:\s]+))?(?::([^/\s]+))?$/.exec(text);
  if (match !== null) {
    const [, repository, revision, config] = match;
    return {
      kind: 'hub',
      repository: repository!,
      ...(revision ? { revision: decodeURIComponent(revision) } : {}),
      ...(config ? { config } : {}),
    };
  }
  const file = /^hf:(?:datasets\/)?([^/@\s]+\/[^/@\s]+(?:@[^/\s]+)?\/.+)$/.exec(text);
  if (file !== null) return { kind: 'remote-file', reference: `hf:datasets/${file[1]}` };
  throw new ToolError(
    'usage',
    `"${text}" is no hub dataset: expected hf:owner/repo[@revision][:config] or hf:owner/repo/path/file.parquet`,
  );
}
