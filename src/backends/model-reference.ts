// What `-m` accepts, parsed into a closed union.
import { ToolError } from '../core/errors.ts';
import type { ModelReference } from '../core/model.ts';
import { editDistance, nearestName, suggestName } from '../core/names.ts';
import { parseEndpoints, splitEndpoints } from './shared/endpoint-address.ts';

export const modelSchemes = ['file', 'hf', 'ollama', 'openai', 'transformers', 'scripted'] as const;
const forms =
  'a registry name, ./file.gguf, hf:owner/repo:Q4_K_M, hf:owner/repo/file.gguf, ollama:TAG, openai:MODEL@URL, transformers:DIRECTORY, scripted:FILE';

/**
 * Parses a model reference.
 * @param knownNames registry names and aliases, lower case
 * @throws ToolError `usage` (not a form that exists) or `not-found` (unknown name), each with the nearest one
 */
export function parseModelReference(text: string, knownNames: ReadonlySet<string>): ModelReference {
  const trimmed = text.trim();
  if (trimmed === '') throw new ToolError('usage', 'the model reference is empty', { hint: `expected ${forms}` });
  if (knownNames.has(trimmed.toLowerCase())) return registryReference(trimmed.toLowerCase());
  const scheme = /^([a-z][a-z0-9+._-]+):/iu.exec(trimmed)?.[1]?.toLowerCase();
  const rest = scheme === undefined ? '' : trimmed.slice(scheme.length + 1);
  switch (scheme) {
    case 'file':
      return { kind: 'file', path: nonEmpty(rest, trimmed, './file.gguf') };
    case 'hf':
      return parseHub(rest, trimmed);
    case 'ollama':
      return parseOllama(rest, trimmed);
    case 'openai':
      return parseOpenai(rest, trimmed);
    case 'transformers':
      return { kind: 'transformers', path: nonEmpty(rest, trimmed, 'transformers:DIRECTORY') };
    case 'scripted':
      return { kind: 'scripted', path: nonEmpty(rest, trimmed, 'scripted:FILE.json') };
    default:
      return parseBare(trimmed, scheme, knownNames);
  }
}

function registryReference(name: string): ModelReference {
  const [base, variant] = name.split(':', 2);
  return variant === undefined ? { kind: 'registry', name: base! } : { kind: 'registry', name: base!, variant };
}

function parseBare(text: string, scheme: string | undefined, knownNames: ReadonlySet<string>): ModelReference {
  if (scheme === 'http' || scheme === 'https') {
    throw new ToolError('usage', `"${text}" is an address, not a model`, { hint: `for a server write openai:MODEL@${text}` });
  }
  const looksLikePath = /\.gguf$/iu.test(text) || /^(?:\.{0,2}[/\\]|~[/\\]|[a-z]:[/\\])/iu.test(text);
  if (looksLikePath) return { kind: 'file', path: text };
  const nearest = nearestName(text, knownNames);
  const base = scheme === undefined ? undefined : nearScheme(scheme, [...knownNames, ...modelSchemes]);
  if (scheme !== undefined && nearest === undefined && (base === undefined || !knownNames.has(base))) {
    const suggestion = base === undefined ? '' : ` did you mean "${base}:"?`;
    throw new ToolError('usage', `unknown scheme "${scheme}:" in model "${text}"`, {
      hint: `known: ${modelSchemes.map((name) => `${name}:`).join(', ')}.${suggestion}`,
    });
  }
  const hint = base !== undefined && nearest === undefined ? variantHint(base, knownNames) : suggestName(text, knownNames);
  throw new ToolError('not-found', `unknown model "${text}"`, {
    hint: text.includes('/') ? `${hint} A hub repository is written hf:${text}` : hint,
  });
}

/** Stricter than for whole names: three letters are near almost anything. */
function nearScheme(scheme: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(scheme, known);
  return nearest !== undefined && editDistance(scheme, nearest) <= Math.max(1, Math.floor(scheme.length / 4)) ? nearest : undefined;
}

function variantHint(base: string, knownNames: ReadonlySet<string>): string {
  const variants = [...knownNames].filter((name) => name === base || name.startsWith(`${base}:`));
  return `known variants: ${variants.join(', ')}`;
}

function parseHub(rest: string, text: string): ModelReference {
  const match = /^([\w.-]+\/[\w.-]+?)(?:@([^/:@]+))?(?:\/(.+)|:([\w.-]+))?$/u.exec(rest);
  if (match === null) throw badForm(text, 'hf:owner/repo:Q4_K_M, hf:owner/repo/file.gguf or hf:owner/repo@revision/file.gguf');
  const [, repository, revision, file, quantisation] = match;
  if (file !== undefined && (!/\.gguf$/iu.test(file) || file.split('/').some((part) => part === '..' || part === ''))) {
    throw badForm(text, 'the name of a .gguf file in the repository');
  }
  return { kind: 'hf', repository: repository!, revision, file, quantisation };
}

function parseOllama(rest: string, text: string): ModelReference {
  const at = rest.search(/@https?:\/\//u);
  const tag = at === -1 ? rest : rest.slice(0, at);
  if (!/^[\w.-]+(?:[/:][\w.-]+)*$/u.test(tag)) throw badForm(text, 'ollama:TAG or ollama:TAG@http://host:port');
  return { kind: 'ollama', tag, url: at === -1 ? undefined : checkedUrl(rest.slice(at + 1), text) };
}

function parseOpenai(rest: string, text: string): ModelReference {
  const at = rest.search(/@https?:\/\//u);
  if (at <= 0) throw badForm(text, 'openai:MODEL@http://host:port/v1');
  return { kind: 'openai', model: rest.slice(0, at), url: checkedEndpoints(rest.slice(at + 1), text) };
}

function checkedUrl(url: string, text: string): string {
  if (!URL.canParse(url)) throw badForm(text, 'an address such as http://localhost:8080/v1 after the @');
  return url;
}

/** One address, or several of the same model joined by `+`. */
function checkedEndpoints(urls: string, text: string): string {
  for (const url of splitEndpoints(urls)) checkedUrl(url, text);
  parseEndpoints(urls);
  return urls;
}

function nonEmpty(rest: string, text: string, form: string): string {
  if (rest === '') throw badForm(text, form);
  return rest;
}

function badForm(text: string, expected: string): ToolError {
  return new ToolError('usage', `"${text}" is not a model reference`, { hint: `expected ${expected}` });
}
