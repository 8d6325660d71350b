// What a GGUF model is, from its own metadata and tensors (all split files together); never from its name.
import { ToolError } from '../core/errors.ts';
import type { Gguf, GgufValue } from './gguf-reader.ts';
import { fileTypeNames } from './gguf-types.ts';

/** Numbers that decide the size of the attention cache. */
export interface AttentionShape {
  readonly layers: number;
  readonly heads: number;
  readonly keyValueHeads: readonly number[];
  readonly keyLength: number;
  readonly valueLength: number;
  readonly embeddingLength: number;
  readonly feedForwardLength: number;
  readonly slidingWindow: number | null;
}

export interface GgufFacts {
  readonly kind: 'model' | 'adapter' | 'vocabulary' | 'projector' | 'other';
  readonly name: string | null;
  readonly architecture: string;
  readonly licence: string | null;
  readonly parameters: number;
  readonly tensorBytes: number;
  readonly sizeBytes: number;
  /** Label of `general.file_type`; without it the type that holds most weights. */
  readonly quantisation: string;
  readonly fileType: number | null;
  readonly bitsPerWeight: number;
  /** Weights and bytes per tensor type. */
  readonly tensorTypes: Readonly<Record<string, { readonly tensors: number; readonly elements: number; readonly sizeBytes: number }>>;
  readonly trainedContext: number | null;
  readonly vocabularySize: number | null;
  readonly chatTemplate: string | null;
  readonly tokenizer: {
    readonly model: string | null;
    readonly pre: string | null;
    readonly bosId: number | null;
    readonly eosId: number | null;
    readonly eotId: number | null;
    readonly addBos: boolean | null;
    readonly addEos: boolean | null;
  };
  readonly attention: AttentionShape | null;
}

/**
 * Facts of a model from its parsed files, in split order.
 * @throws ToolError `integrity` where the files do not belong together or name no architecture
 */
export function ggufFacts(files: readonly Gguf[]): GgufFacts {
  const first = files[0];
  if (first === undefined) throw new ToolError('integrity', 'no GGUF file was given');
  checkSplit(files);
  const { metadata } = first;
  const architecture = textOf(metadata, 'general.architecture');
  if (architecture === null) throw new ToolError('integrity', 'the GGUF file names no architecture (general.architecture)');
  const tensorTypes = tensorTypesOf(files);
  const totals = Object.values(tensorTypes);
  const parameters = totals.reduce((sum, type) => sum + type.elements, 0);
  const tensorBytes = totals.reduce((sum, type) => sum + type.sizeBytes, 0);
  const fileType = numberOf(metadata, 'general.file_type');
  return {
    kind: kindOf(metadata, parameters),
    name: textOf(metadata, 'general.name'),
    architecture,
    licence: textOf(metadata, 'general.license'),
    parameters,
    tensorBytes,
    sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0),
    quantisation: (fileType === null ? undefined : fileTypeNames.get(fileType)) ?? dominantType(tensorTypes),
    fileType,
    bitsPerWeight: parameters === 0 ? 0 : (tensorBytes * 8) / parameters,
    tensorTypes,
    trainedContext: numberOf(metadata, `${architecture}.context_length`),
    vocabularySize: lengthOf(metadata.get('tokenizer.ggml.tokens')) ?? numberOf(metadata, `${architecture}.vocab_size`),
    chatTemplate: textOf(metadata, 'tokenizer.chat_template'),
    tokenizer: {
      model: textOf(metadata, 'tokenizer.ggml.model'),
      pre: textOf(metadata, 'tokenizer.ggml.pre'),
      bosId: numberOf(metadata, 'tokenizer.ggml.bos_token_id'),
      eosId: numberOf(metadata, 'tokenizer.ggml.eos_token_id'),
      eotId: numberOf(metadata, 'tokenizer.ggml.eot_token_id'),
      addBos: booleanOf(metadata, 'tokenizer.ggml.add_bos_token'),
      addEos: booleanOf(metadata, 'tokenizer.ggml.add_eos_token'),
    },
    attention: attentionOf(metadata, architecture),
  };
}

/**
 * Refuses a file that cannot answer: vocabulary only, adapter, projector.
 * @throws ToolError `unsupported`
 */
export function requireModel(facts: GgufFacts, title: string): void {
  const reasons: Partial<Record<GgufFacts['kind'], string>> = {
    adapter: 'it is a LoRA adapter: name its base model with -m and give this file as --adapter',
    vocabulary: 'it holds a vocabulary but no weights',
    projector: 'it is a projector for images or sound, not a language model',
    other: 'it holds no weights',
  };
  const reason = reasons[facts.kind];
  if (reason !== undefined) throw new ToolError('unsupported', `${title} is not a model that can run: ${reason}`);
}

/** File names of all parts when the name is one part of a split model (`x-00001-of-00003.gguf`), else the name alone. */
export function splitFileNames(fileName: string): readonly string[] {
  const match = /^(.*)-(\d{5})-of-(\d{5})\.gguf$/u.exec(fileName);
  if (match === null) return [fileName];
  const count = Number(match[3]);
  if (count < 1 || count > 9999) return [fileName];
  return Array.from({ length: count }, (_, index) => `${match[1]}-${String(index + 1).padStart(5, '0')}-of-${match[3]}.gguf`);
}

function checkSplit(files: readonly Gguf[]): void {
  const count = numberOf(files[0]!.metadata, 'split.count') ?? 1;
  if (count > 1 && files.length !== count) {
    throw new ToolError('integrity', `the model is split into ${count} files, ${files.length} found`, {
      hint: 'keep all parts in one folder and name the first',
    });
  }
  for (const [index, file] of files.entries()) {
    const number = numberOf(file.metadata, 'split.no');
    if (files.length > 1 && number !== index) {
      throw new ToolError(
        'integrity',
        `part ${index + 1} of the split model calls itself part ${number === null ? 'of nothing' : number + 1}`,
      );
    }
  }
  const expected = numberOf(files[0]!.metadata, 'split.tensors.count');
  const found = files.reduce((sum, file) => sum + file.tensors.length, 0);
  if (count > 1 && expected !== null && expected !== found) {
    throw new ToolError('integrity', `the split model should hold ${expected} tensors, ${found} found`);
  }
}

function kindOf(metadata: Gguf['metadata'], parameters: number): GgufFacts['kind'] {
  const type = textOf(metadata, 'general.type');
  if (type === 'adapter') return 'adapter';
  if (type === 'mmproj' || textOf(metadata, 'general.architecture') === 'clip') return 'projector';
  if (parameters === 0) return metadata.has('tokenizer.ggml.model') ? 'vocabulary' : 'other';
  return 'model';
}

function tensorTypesOf(files: readonly Gguf[]): GgufFacts['tensorTypes'] {
  const types = new Map<string, { tensors: number; elements: number; sizeBytes: number }>();
  for (const tensor of files.flatMap((file) => file.tensors)) {
    const entry = types.get(tensor.type) ?? { tensors: 0, elements: 0, sizeBytes: 0 };
    entry.tensors += 1;
    entry.elements += tensor.elements;
    entry.sizeBytes += tensor.sizeBytes;
    types.set(tensor.type, entry);
  }
  return Object.fromEntries([...types].sort((left, right) => right[1].elements - left[1].elements));
}

function dominantType(types: GgufFacts['tensorTypes']): string {
  return Object.keys(types)[0] ?? 'none';
}

function attentionOf(metadata: Gguf['metadata'], architecture: string): AttentionShape | null {
  const read = (name: string) => numberOf(metadata, `${architecture}.${name}`);
  const layers = read('block_count');
  const embeddingLength = read('embedding_length');
  const heads = firstNumber(metadata.get(`${architecture}.attention.head_count`));
  if (layers === null || layers > 10_000 || embeddingLength === null || heads === null || heads === 0) return null;
  const perLayer = metadata.get(`${architecture}.attention.head_count_kv`);
  const keyValueHeads = Array.from({ length: layers }, (_, layer) => {
    const value = Array.isArray(perLayer) ? perLayer[layer] : perLayer;
    return typeof value === 'number' ? value : heads;
  });
  const headLength = Math.floor(embeddingLength / heads);
  return {
    layers,
    heads,
    keyValueHeads,
    keyLength: read('attention.key_length') ?? headLength,
    valueLength: read('attention.value_length') ?? headLength,
    embeddingLength,
    feedForwardLength: firstNumber(metadata.get(`${architecture}.feed_forward_length`)) ?? embeddingLength * 4,
    slidingWindow: read('attention.sliding_window'),
  };
}

function firstNumber(value: GgufValue | undefined): number | null {
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return Math.max(0, ...value.filter((item) => typeof item === 'number'));
  return null;
}

function textOf(metadata: Gguf['metadata'], key: string): string | null {
  const value = metadata.get(key);
  return typeof value === 'string' ? value : null;
}

function numberOf(metadata: Gguf['metadata'], key: string): number | null {
  const value = metadata.get(key);
  return typeof value === 'number' ? value : null;
}

function booleanOf(metadata: Gguf['metadata'], key: string): boolean | null {
  const value = metadata.get(key);
  return typeof value === 'boolean' ? value : null;
}

function lengthOf(value: GgufValue | undefined): number | null {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && 'kind' in value ? value.length : null;
}
