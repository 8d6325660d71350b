// From what the user wrote after -m to a model that a backend can open: file fetched, facts read, digest known.
import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { ToolError } from '../core/errors.ts';
import { type FileSource, type ModelEntry, type ModelFacts, type ModelReference, unknownModelFacts } from '../core/model.ts';
import type { BackendIdentity } from '../core/ports/backend.ts';
import type { GgufFacts } from '../formats/gguf-facts.ts';
import { fetchFile } from '../sources/fetch-file.ts';
import { digestFile } from '../sources/file-digest.ts';
import { listHubFiles } from '../sources/hf/hub-api.ts';
import type { FetchedFile, SourceContext } from '../sources/source-context.ts';
import { redactUrl } from '../sources/source-reference.ts';
import { readModelFile } from './gguf-model-file.ts';
import { hubModelSources, type ListHubFiles } from './hub-model-file.ts';
import { parseModelReference } from './model-reference.ts';
import { modelRegistry } from './model-registry.ts';
import { ollamaFirstTag } from './ollama-first.ts';
import { splitEndpoints } from './shared/endpoint-address.ts';
import { parseServerAddress } from './shared/server-address.ts';
import { toyModelFile } from './toy-model-file.ts';

export type BackendKind = BackendIdentity['kind'];

export interface ResolvedModel {
  /** Short name for tables; the caller makes it unique within a run. */
  readonly key: string;
  /** As the user wrote it, secrets redacted. */
  readonly reference: string;
  readonly title: string;
  readonly backendKind: BackendKind;
  /** The file or directory to open; null for a model behind a server. */
  readonly path: string | null;
  /** Facts known before anything is loaded; a server's come with its backend. */
  readonly facts: ModelFacts;
  /** Everything the GGUF header says; null for other kinds. */
  readonly gguf: GgufFacts | null;
  readonly entry: ModelEntry | null;
  /** Server address, secrets kept: never print it. */
  readonly url?: string | undefined;
  /** Name of the model at its server. */
  readonly serverModel?: string | undefined;
  /** Where the file came from; null when it was the user's own. */
  readonly servedBy: string | null;
}

export interface ResolveContext extends SourceContext {
  readonly userEntries?: readonly ModelEntry[] | undefined;
  /** Replaced in tests. @default the sources room's own */
  readonly fetchFile?: ((sources: readonly FileSource[], context: SourceContext) => Promise<FetchedFile>) | undefined;
  readonly listHubFiles?: ListHubFiles | undefined;
  /** Whether an Ollama server on this machine has a model. Replaced in tests. */
  readonly isInOllama?: ((tag: string) => boolean | Promise<boolean>) | undefined;
}

/**
 * Resolves a model reference: registry name, file, hub file, server model or script.
 * @example await resolveModel('smollm2-135m', { cacheDirectory: cacheRoot(), offline: false })
 * @throws ToolError `usage`, `not-found`, `unavailable`, `access`, `integrity` or `unsupported`, saying what to do
 */
export async function resolveModel(reference: string, context: ResolveContext): Promise<ResolvedModel> {
  const registry = modelRegistry(context.userEntries);
  const parsed = parseModelReference(reference, registry.names);
  const shown = redactReference(reference);
  switch (parsed.kind) {
    case 'registry':
      return await resolveEntry(
        registry.find(parsed.variant === undefined ? parsed.name : `${parsed.name}:${parsed.variant}`),
        shown,
        context,
      );
    case 'file':
      return await resolveFile(expandHome(parsed.path), { key: modelName(parsed.path), reference: shown }, context);
    case 'hf':
      return await resolveHub(parsed, shown, context);
    case 'scripted':
      return await resolveScript(expandHome(parsed.path), shown, context);
    case 'transformers':
      return await resolveDirectory(expandHome(parsed.path), shown, context);
    case 'ollama':
      refuseRemote(parsed.url, shown, context);
      return { ...server('ollama', parsed.tag, parsed.url), reference: shown };
    case 'openai':
      refuseRemote(parsed.url, shown, context);
      return { ...server('openai', parsed.model, parsed.url), reference: shown };
  }
}

async function resolveEntry(entry: ModelEntry, reference: string, context: ResolveContext): Promise<ResolvedModel> {
  const about = { key: entry.name, reference, title: entry.title, entry };
  const toy = entry.sources.find((source) => source.reference.startsWith('builtin:toy'));
  if (toy !== undefined) {
    const path = await toyModelFile(toy.reference === 'builtin:toy' ? 'bigram' : 'context', context.cacheDirectory);
    return await resolveFile(path, { ...about, servedBy: toy.reference }, context);
  }
  if (await isServedByOllama(entry, context)) {
    return { ...server('ollama', entry.ollamaTag!, undefined), ...about, servedBy: `ollama:${entry.ollamaTag}` };
  }
  if (entry.sources.length === 0) {
    throw new ToolError('unavailable', `the registry knows no file of ${entry.name}`, {
      hint: entry.ollamaTag === undefined ? 'name a GGUF file instead' : `with Ollama: -m ollama:${entry.ollamaTag}`,
    });
  }
  try {
    const fetched = await (context.fetchFile ?? fetchFile)(entry.sources, context);
    return await resolveFile(fetched.path, { ...about, servedBy: fetched.servedBy, revision: fetched.revision }, context);
  } catch (thrown) {
    throw withLicence(thrown, entry);
  }
}

/** Offline, a server may still be asked when it runs on this machine. */
function refuseRemote(url: string | undefined, reference: string, { offline }: ResolveContext): void {
  if (!offline || url === undefined || splitEndpoints(url).every((one) => parseServerAddress(one).isLoopback)) return;
  throw new ToolError('unavailable', `offline: ${reference} is not on this machine`, {
    hint: 'leave out --offline, or name a server on localhost',
  });
}

async function isServedByOllama(entry: ModelEntry, context: ResolveContext): Promise<boolean> {
  const tag = ollamaFirstTag(entry);
  if (context.offline || tag === undefined) return false;
  const ask = context.isInOllama ?? (await (await import('./ollama/describe-ollama.ts')).tagsInOllama());
  return await ask(tag);
}

/** A refused download says where the licence is accepted. */
function withLicence(thrown: unknown, entry: ModelEntry): unknown {
  if (!ToolError.isInstance(thrown) || thrown.code !== 'access' || entry.licenceUrl === undefined) return thrown;
  return new ToolError('access', `${entry.name}: ${thrown.message}`, {
    hint: `${thrown.hint ?? ''} licence: ${entry.licence}, ${entry.licenceUrl}`.trim(),
    cause: thrown,
  });
}

interface FileAbout {
  readonly key: string;
  readonly reference: string;
  readonly title?: string;
  readonly entry?: ModelEntry;
  readonly servedBy?: string;
  readonly revision?: string | undefined;
}

async function resolveFile(path: string, about: FileAbout, context: ResolveContext): Promise<ResolvedModel> {
  const absolute = resolve(path);
  await refuseDirectory(absolute);
  const file = await readModelFile(absolute, { cacheDirectory: context.cacheDirectory, signal: context.signal, revision: about.revision });
  return {
    key: about.key,
    reference: about.reference,
    title: about.title ?? file.gguf.name ?? about.key,
    backendKind: 'llama',
    path: file.path,
    facts: { ...file.facts, licence: file.facts.licence ?? about.entry?.licence ?? null },
    gguf: file.gguf,
    entry: about.entry ?? null,
    servedBy: about.servedBy ?? null,
  };
}

async function refuseDirectory(path: string): Promise<void> {
  const facts = await stat(path).catch(() => undefined);
  if (facts?.isDirectory() === true) {
    throw new ToolError('usage', `${path} is a directory`, {
      hint: 'name the .gguf file, or write transformers:DIRECTORY for original weights',
    });
  }
}

async function resolveHub(
  parsed: Extract<ModelReference, { kind: 'hf' }>,
  reference: string,
  context: ResolveContext,
): Promise<ResolvedModel> {
  const sources = await hubModelSources(parsed, context.listHubFiles ?? listHubFiles, context);
  const fetched: FetchedFile[] = [];
  for (const source of sources) fetched.push(await (context.fetchFile ?? fetchFile)([source], context));
  const first = fetched[0]!;
  const stray = fetched.find((file) => dirname(file.path) !== dirname(first.path));
  if (stray !== undefined) throw new ToolError('internal', `parts of ${reference} lie in different folders`);
  const { revision, servedBy } = first;
  return await resolveFile(first.path, { key: modelName(first.path), reference, servedBy, revision }, context);
}

async function resolveScript(path: string, reference: string, context: ResolveContext): Promise<ResolvedModel> {
  const absolute = resolve(path);
  if ((await stat(absolute).catch(() => undefined))?.isFile() !== true) throw new ToolError('not-found', `there is no script file ${path}`);
  const { sha256, sizeBytes } = await digestFile(absolute, context);
  return {
    key: modelName(path),
    reference,
    title: `Script ${basename(path)}`,
    backendKind: 'scripted',
    path: absolute,
    facts: { ...unknownModelFacts, digest: sha256, digestKind: 'script', file: basename(path), sizeBytes },
    gguf: null,
    entry: null,
    servedBy: null,
  };
}

async function resolveDirectory(path: string, reference: string, { cacheDirectory }: SourceContext): Promise<ResolvedModel> {
  const absolute = resolve(path);
  const config = await stat(join(absolute, 'config.json')).catch(() => undefined);
  if (config?.isFile() !== true) {
    throw new ToolError('not-found', `${path} is not a model directory: it has no config.json`, {
      hint: 'expected a folder written by save_pretrained',
    });
  }
  const key = basename(absolute);
  const { directoryDigest } = await import('./transformers/directory-digest.ts');
  const digest = await directoryDigest(absolute, cacheDirectory);
  const facts = { ...unknownModelFacts, file: key, digest, digestKind: 'sha256' as const };
  return { key, reference, title: key, backendKind: 'transformers', path: absolute, facts, gguf: null, entry: null, servedBy: null };
}

function server(backendKind: 'ollama' | 'openai', model: string, url: string | undefined): Omit<ResolvedModel, 'reference'> {
  return {
    key: model,
    title: model,
    backendKind,
    path: null,
    facts: { ...unknownModelFacts, file: model, digestKind: 'server' },
    gguf: null,
    entry: null,
    url,
    serverModel: model,
    servedBy: null,
  };
}

/** The reference without passwords and tokens in its address. */
function redactReference(reference: string): string {
  const at = reference.search(/@https?:\/\//u);
  if (at === -1) return reference;
  return `${reference.slice(0, at + 1)}${splitEndpoints(reference.slice(at + 1))
    .map(redactUrl)
    .join('+')}`;
}

function modelName(path: string): string {
  return basename(path).replace(/(?:-\d{5}-of-\d{5})?\.(?:gguf|jsonl?|txt)$/iu, '');
}

function expandHome(path: string): string {
  return /^~(?=[/\\]|$)/u.test(path) ? homedir() + path.slice(1) : path;
}
