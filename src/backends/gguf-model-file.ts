// The model in one GGUF file or in all parts of a split one: facts from its content, digest of its bytes.
import { basename, dirname, join } from 'node:path';
import { sha256Hex } from '../core/digest.ts';
import type { ModelFacts } from '../core/model.ts';
import { type GgufFacts, ggufFacts, requireModel, splitFileNames } from '../formats/gguf-facts.ts';
import { readGguf } from '../formats/gguf-reader.ts';
import { digestFile } from '../sources/file-digest.ts';
import { withFileSource } from './file-byte-source.ts';

export interface GgufModelFile {
  /** First part, which the engine opens. */
  readonly path: string;
  readonly gguf: GgufFacts;
  readonly facts: ModelFacts;
}

export interface ModelFileOptions {
  readonly cacheDirectory: string;
  readonly signal?: AbortSignal | undefined;
  /** Revision of the repository that served the file. */
  readonly revision?: string | undefined;
}

/**
 * Reads a model file and its other parts beside it.
 * @throws ToolError `not-found`, `integrity` (damaged, parts missing) or `unsupported` (adapter, vocabulary only)
 */
export async function readModelFile(path: string, options: ModelFileOptions): Promise<GgufModelFile> {
  const title = basename(path);
  const parts = splitFileNames(title).map((name) => join(dirname(path), name));
  const files = [];
  for (const part of parts) files.push(await withFileSource(part, (source) => readGguf(source, { title: basename(part) })));
  const gguf = ggufFacts(files);
  requireModel(gguf, title);
  const digests: string[] = [];
  for (const part of parts) digests.push((await digestFile(part, options)).sha256);
  // One file: its own sha256, as hubs show it. Several: sha256 of their digests in order.
  const digest = digests.length === 1 ? digests[0]! : sha256Hex(digests.join('\n'));
  return { path: parts[0]!, gguf, facts: factsOf(gguf, title, digest, options.revision ?? null) };
}

function factsOf(gguf: GgufFacts, file: string, digest: string, revision: string | null): ModelFacts {
  return {
    digest,
    digestKind: 'sha256',
    file,
    architecture: gguf.architecture,
    parameters: gguf.parameters,
    quantisation: gguf.quantisation,
    bitsPerWeight: Math.round(gguf.bitsPerWeight * 1000) / 1000,
    sizeBytes: gguf.sizeBytes,
    trainedContext: gguf.trainedContext,
    vocabularySize: gguf.vocabularySize,
    hasChatTemplate: gguf.chatTemplate !== null,
    chatTemplateDigest: gguf.chatTemplate === null ? null : sha256Hex(gguf.chatTemplate),
    adapters: [],
    licence: gguf.licence,
    revision,
  };
}
