// A tiny llama model whose every probability can be computed by hand: for exact tests of engines, and as the offline demo.
//
// The vocabulary is the 256 bytes plus four control tokens. The embedding of a token is one-hot in the first half of the state;
// attention has zero queries and keys, so it weighs all positions equally; the feed-forward part is zero.
// `bigram`: attention adds nothing; the logits are log P(next | current), counted from a text.
// `context`: attention writes the mean one-hot of all tokens so far into the second half, and the output adds `contextWeight`
// for tokens seen before; a lost or shifted context moves every score, which a bigram cannot show.
import { ToolError } from '../core/errors.ts';
import { type GgufPair, type GgufTensorInput, writeGguf } from './gguf-writer.ts';
import { toyText } from './toy-text.ts';

export type ToyVariant = 'bigram' | 'context';

export const toyVocabularySize = 260;
/** Control tokens; ids 0 to 255 are the bytes. */
export const toyTokens = { bos: 256, eos: 257, turnStart: 258, turnEnd: 259 } as const;
export const toyControlTexts = ['<|begin|>', '<|end|>', '<|im_start|>', '<|im_end|>'] as const;
export const toyContextLength = 8192;
/** Logit added for a token in proportion to its share of the context (`context` variant). */
export const contextWeight = 4;

const half = 288; // one head's length; at least the vocabulary size
const width = 2 * half;
const feedForward = 32;
const epsilon = 1e-5;
/** The RMS norm's epsilon in units of one squared state element. */
export const normEpsilon: number = epsilon * width;

export const toyChatTemplate = `{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`;

const defaultBytes = new Map<ToyVariant, Uint8Array<ArrayBuffer>>();

/**
 * The GGUF bytes (about 3.6 MB) of the toy model counted from a text.
 * @param text documents, one a line
 */
export function toyModelBytes(text: string = toyText, variant: ToyVariant = 'bigram'): Uint8Array<ArrayBuffer> {
  const known = text === toyText ? defaultBytes.get(variant) : undefined;
  if (known !== undefined) return known;
  const bytes = writeGguf(toyMetadata(variant), toyTensors(text, variant));
  if (text === toyText) defaultBytes.set(variant, bytes);
  return bytes;
}

/** log P(next | current), row `current`, as the model's F32 output weights hold it. */
export function toyBigramLogs(text: string = toyText): Float32Array {
  if (text === '') throw new ToolError('data', 'the toy model needs some text');
  const counts = new Float64Array(toyVocabularySize ** 2);
  for (const line of text.split('\n').filter((document) => document !== '')) {
    let current: number = toyTokens.bos;
    for (const next of [...new TextEncoder().encode(line), toyTokens.eos]) {
      counts[current * toyVocabularySize + next]! += 1;
      current = next;
    }
  }
  const logs = new Float32Array(toyVocabularySize ** 2);
  for (let current = 0; current < toyVocabularySize; current++) {
    const row = counts
      .subarray(current * toyVocabularySize, (current + 1) * toyVocabularySize)
      .map((count, next) => count + pseudoCount(next));
    const total = row.reduce((sum, count) => sum + count, 0);
    for (const [next, count] of row.entries()) logs[current * toyVocabularySize + next] = Math.log(count / total);
  }
  return logs;
}

/** Smoothing that differs by token, so that no two continuations tie. */
function pseudoCount(token: number): number {
  return 0.05 * (1 + token / toyVocabularySize);
}

function toyMetadata(variant: ToyVariant): GgufPair[] {
  const u32 = (key: string, value: number): GgufPair => ({ key, type: 'u32', value });
  const text = (key: string, value: string | readonly string[]): GgufPair => ({ key, type: 'string', value });
  const flag = (key: string, value: boolean): GgufPair => ({ key, type: 'bool', value });
  const types = Array.from({ length: toyVocabularySize }, (_, id) => (id < 256 ? 1 : 3));
  return [
    text('general.architecture', 'llama'),
    text('general.type', 'model'),
    text('general.name', variant === 'bigram' ? 'slmbench toy' : 'slmbench toy (context)'),
    text('general.description', 'Generated for demonstrations and exact tests; it shows the tool, not a model.'),
    text('general.license', 'MIT'),
    u32('general.file_type', 0),
    u32('llama.context_length', toyContextLength),
    u32('llama.embedding_length', width),
    u32('llama.block_count', 1),
    u32('llama.feed_forward_length', feedForward),
    u32('llama.attention.head_count', 2),
    u32('llama.attention.head_count_kv', 1),
    u32('llama.rope.dimension_count', half),
    { key: 'llama.attention.layer_norm_rms_epsilon', type: 'f32', value: epsilon },
    u32('llama.vocab_size', toyVocabularySize),
    text('tokenizer.ggml.model', 'gpt2'),
    text('tokenizer.ggml.pre', 'gpt-2'),
    text('tokenizer.ggml.tokens', [...byteTokenTexts(), ...toyControlTexts]),
    { key: 'tokenizer.ggml.token_type', type: 'i32', value: types },
    text('tokenizer.ggml.merges', []),
    u32('tokenizer.ggml.bos_token_id', toyTokens.bos),
    u32('tokenizer.ggml.eos_token_id', toyTokens.eos),
    u32('tokenizer.ggml.eot_token_id', toyTokens.turnEnd),
    flag('tokenizer.ggml.add_bos_token', true),
    flag('tokenizer.ggml.add_eos_token', false),
    text('tokenizer.chat_template', toyChatTemplate),
  ];
}

/** The printable stand-ins that byte-level tokenizers use for the 256 bytes (GPT-2's table). */
export function byteTokenTexts(): string[] {
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => {
    const printable = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
    return String.fromCodePoint(printable ? byte : next++);
  });
}

function toyTensors(text: string, variant: ToyVariant): GgufTensorInput[] {
  const norm = (value: number, length = width) => new Float32Array(length).fill(value);
  // RMS norm multiplies a one-hot state by sqrt(width): these weights undo it.
  const unit = Math.sqrt(1 / width + epsilon);
  const zeros = (name: string, columns: number, rows: number): GgufTensorInput => ({
    name,
    dimensions: [columns, rows],
    type: 'F16',
    data: new Float32Array(columns * rows),
  });
  return [
    { name: 'token_embd.weight', dimensions: [width, toyVocabularySize], type: 'F16', data: oneHotRows(toyVocabularySize) },
    { name: 'blk.0.attn_norm.weight', dimensions: [width], type: 'F32', data: norm(unit) },
    zeros('blk.0.attn_q.weight', width, width),
    zeros('blk.0.attn_k.weight', width, half),
    { name: 'blk.0.attn_v.weight', dimensions: [width, half], type: 'F16', data: oneHotRows(half) },
    { name: 'blk.0.attn_output.weight', dimensions: [width, width], type: 'F32', data: attentionOutput(variant) },
    { name: 'blk.0.ffn_norm.weight', dimensions: [width], type: 'F32', data: norm(1) },
    zeros('blk.0.ffn_gate.weight', width, feedForward),
    zeros('blk.0.ffn_up.weight', width, feedForward),
    zeros('blk.0.ffn_down.weight', feedForward, width),
    { name: 'output_norm.weight', dimensions: [width], type: 'F32', data: norm(unit) },
    { name: 'output.weight', dimensions: [width, toyVocabularySize], type: 'F32', data: outputWeights(toyBigramLogs(text), variant) },
  ];
}

/** Row i picks state element i. */
function oneHotRows(rows: number): Float32Array {
  const weights = new Float32Array(rows * width);
  for (let row = 0; row < rows; row++) weights[row * width + row] = 1;
  return weights;
}

/** Moves the first head's mean into the second half of the state. */
function attentionOutput(variant: ToyVariant): Float32Array {
  const weights = new Float32Array(width * width);
  if (variant === 'context') for (let index = 0; index < half; index++) weights[(half + index) * width + index] = 1;
  return weights;
}

function outputWeights(logs: Float32Array, variant: ToyVariant): Float32Array {
  const weights = new Float32Array(toyVocabularySize * width);
  for (let next = 0; next < toyVocabularySize; next++) {
    for (let current = 0; current < toyVocabularySize; current++) {
      weights[next * width + current] = logs[current * toyVocabularySize + next]!;
    }
    if (variant === 'context') weights[next * width + half + next] = contextWeight;
  }
  return weights;
}
