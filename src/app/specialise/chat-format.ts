// The chat template of a base model with its special tokens, read from the GGUF or the tokenizer files: what serving uses.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileSource } from '../../backends/file-byte-source.ts';
import type { ResolvedModel } from '../../backends/resolve-model.ts';
import { sha256Hex } from '../../core/digest.ts';
import { ToolError } from '../../core/errors.ts';
import { readGguf } from '../../formats/gguf-reader.ts';

export interface ChatFormat {
  readonly template: string | null;
  readonly bosToken: string;
  readonly eosToken: string;
  /** Texts of the vocabulary's control tokens; undefined where the files do not say. */
  readonly controlTokens: readonly string[] | undefined;
  readonly digest: string | null;
}

const controlType = 3;

async function fromGguf(path: string): Promise<ChatFormat> {
  const keep = new Set(['tokenizer.ggml.tokens', 'tokenizer.ggml.token_type']);
  const { metadata } = await withFileSource(path, (source) =>
    readGguf(source, { title: path, keepArray: (key, length) => keep.has(key) || length <= 1024 }),
  );
  const tokens = metadata.get('tokenizer.ggml.tokens');
  const types = metadata.get('tokenizer.ggml.token_type');
  const list = Array.isArray(tokens) ? (tokens as readonly string[]) : [];
  const textAt = (key: string): string => {
    const id = metadata.get(key);
    return typeof id === 'number' || typeof id === 'bigint' ? (list[Number(id)] ?? '') : '';
  };
  const template = metadata.get('tokenizer.chat_template');
  const text = typeof template === 'string' ? template : null;
  return {
    template: text,
    bosToken: textAt('tokenizer.ggml.bos_token_id'),
    eosToken: textAt('tokenizer.ggml.eos_token_id'),
    controlTokens: Array.isArray(types)
      ? list.filter((_, index) => Number((types as readonly number[])[index]) === controlType)
      : undefined,
    digest: text === null ? null : sha256Hex(text),
  };
}

function tokenText(value: unknown): string {
  if (typeof value === 'string') return value;
  const content = (value as { content?: unknown } | null | undefined)?.content;
  return typeof content === 'string' ? content : '';
}

async function fromDirectory(path: string): Promise<ChatFormat> {
  const text = await readFile(join(path, 'tokenizer_config.json'), 'utf8').catch(() => null);
  const config = text === null ? {} : (JSON.parse(text) as Record<string, unknown>);
  const separate = await readFile(join(path, 'chat_template.jinja'), 'utf8').catch(() => null);
  const template = separate ?? (typeof config['chat_template'] === 'string' ? config['chat_template'] : null);
  const added = Object.values((config['added_tokens_decoder'] ?? {}) as Record<string, { content?: string; special?: boolean }>);
  return {
    template,
    bosToken: tokenText(config['bos_token']),
    eosToken: tokenText(config['eos_token']),
    controlTokens:
      added.length === 0 ? undefined : added.flatMap((token) => (token.special === true && token.content ? [token.content] : [])),
    digest: template === null ? null : sha256Hex(template),
  };
}

/** @throws ToolError `unsupported` for a model whose template only its server knows */
export async function chatFormatOf(model: ResolvedModel): Promise<ChatFormat> {
  if (model.path !== null && model.backendKind === 'llama') return fromGguf(model.path);
  if (model.path !== null && model.backendKind === 'transformers') return fromDirectory(model.path);
  if (model.backendKind === 'scripted') return { template: null, bosToken: '', eosToken: '', controlTokens: undefined, digest: null };
  throw new ToolError('unsupported', `${model.reference} cannot be specialised: its weights are behind a server`, {
    hint: 'name a GGUF file, a registry model or transformers:DIRECTORY as model.base',
  });
}
