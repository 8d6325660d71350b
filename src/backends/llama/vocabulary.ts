// Text to token ids and back, by the model's own tokenizer, with one rule for BOS and one for control tokens in data.
import { ToolError } from '../../core/errors.ts';
import type { TextPart } from './engine-protocol.ts';
import type { NativeApi, Pointer } from './native-api.ts';

export interface Vocabulary {
  readonly size: number;
  readonly bos: number | null;
  readonly eos: number | null;
  /** True where the model's metadata asks for BOS at the start. */
  readonly addsBos: boolean;
  readonly bosText: string;
  readonly eosText: string;
  /** Texts of all control tokens. */
  readonly controlTokens: readonly string[];
  readonly isEndOfGeneration: (token: number) => boolean;
  /** Ids of the parts, without BOS unless the text itself holds it. */
  readonly encode: (parts: readonly TextPart[]) => number[];
  /** Ids of a prompt: exactly one BOS where the model wants it, whether the text brought it or not. */
  readonly encodePrompt: (parts: readonly TextPart[]) => number[];
  /** Bytes of one token; control tokens are written out. */
  readonly bytesOf: (token: number) => Buffer;
}

/** Bits of `llama_token_attr`. */
const controlAttribute = 1 << 3;
const unknownAttribute = 1 << 0;

export function openVocabulary(native: NativeApi, pointer: Pointer): Vocabulary {
  const { llama } = native;
  const size = llama.vocab_n_tokens(pointer);
  const optional = (token: number) => (token < 0 ? null : token);
  const bos = optional(llama.vocab_bos(pointer));
  const eos = optional(llama.vocab_eos(pointer));
  const addsBos = llama.vocab_get_add_bos(pointer) && bos !== null;
  const textOf = (token: number | null) => (token === null ? '' : llama.vocab_get_text(pointer, token));
  const encode = createEncoder(native, pointer);
  return {
    size,
    bos,
    eos,
    addsBos,
    bosText: textOf(bos),
    eosText: textOf(eos),
    controlTokens: findControlTokens(native, pointer, size),
    isEndOfGeneration: (token) => llama.vocab_is_eog(pointer, token),
    encode,
    encodePrompt: (parts) => {
      const tokens = encode(parts);
      if (addsBos && tokens[0] !== bos) tokens.unshift(bos!);
      return tokens;
    },
    bytesOf: createDecoder(native, pointer, size),
  };
}

function findControlTokens({ llama }: NativeApi, pointer: Pointer, size: number): string[] {
  const found: string[] = [];
  for (let token = 0; token < size; token++) {
    if ((llama.vocab_get_attr(pointer, token) & (controlAttribute | unknownAttribute)) !== 0) {
      found.push(llama.vocab_get_text(pointer, token));
    }
  }
  return found;
}

function createEncoder({ llama }: NativeApi, pointer: Pointer): Vocabulary['encode'] {
  let out = new Int32Array(4096);
  return (parts) => {
    const tokens: number[] = [];
    for (const part of parts) {
      if (part.text === '') continue;
      const bytes = Buffer.from(part.text, 'utf8');
      if (out.length < bytes.length + 8) out = new Int32Array(bytes.length * 2);
      const count = llama.tokenize(pointer, bytes, bytes.length, out, out.length, false, part.kind === 'template');
      if (count < 0) throw new ToolError('backend', `the model's tokenizer failed on a text of ${bytes.length} bytes`);
      for (let index = 0; index < count; index++) tokens.push(out[index]!);
    }
    return tokens;
  };
}

function createDecoder({ llama }: NativeApi, pointer: Pointer, size: number): Vocabulary['bytesOf'] {
  const known: (Buffer | undefined)[] = new Array(size);
  let scratch = Buffer.alloc(256);
  return (token) => {
    let bytes = known[token];
    if (bytes === undefined) {
      let length = llama.token_to_piece(pointer, token, scratch, scratch.length, 0, true);
      if (length < 0) {
        scratch = Buffer.alloc(-length);
        length = llama.token_to_piece(pointer, token, scratch, scratch.length, 0, true);
      }
      bytes = Buffer.from(scratch.subarray(0, Math.max(0, length)));
      known[token] = bytes;
    }
    return bytes;
  };
}
