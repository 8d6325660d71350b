// The batch of tokens handed to llama_decode: native arrays that are written in place, once per call, without copies.
import type { NativeApi, NativeBatch } from './native-api.ts';

export interface TokenBatch {
  readonly capacity: number;
  /** Tokens added since the last `clear`. */
  readonly size: number;
  /** Tokens among them whose logits are kept. */
  readonly outputs: number;
  readonly native: NativeBatch;
  readonly clear: () => void;
  /** Adds one token of one or more sequences. Returns the row of its logits, or -1. */
  readonly add: (token: number, position: number, sequences: readonly number[], wantsLogits: boolean) => number;
}

const int32Bytes = 4;
const pointerBytes = 8;

/** A batch of at most `capacity` tokens, each in at most `maxSequences` sequences. Lives as long as the process. */
export function createTokenBatch(native: NativeApi, capacity: number, maxSequences: number): TokenBatch {
  const allocate = (bytes: number) => {
    const pointer = native.allocate(bytes);
    return { pointer, memory: native.view(pointer, bytes) };
  };
  const tokens = allocate(capacity * int32Bytes);
  const positions = allocate(capacity * int32Bytes);
  const sequenceCounts = allocate(capacity * int32Bytes);
  const sequenceTable = allocate(capacity * pointerBytes);
  const sequenceIds = allocate(capacity * maxSequences * int32Bytes);
  const flags = allocate(capacity);
  const tokenView = new Int32Array(tokens.memory);
  const positionView = new Int32Array(positions.memory);
  const countView = new Int32Array(sequenceCounts.memory);
  const idView = new Int32Array(sequenceIds.memory);
  const flagView = new Int8Array(flags.memory);
  const tableView = new BigUint64Array(sequenceTable.memory);
  for (let index = 0; index < capacity; index++) tableView[index] = sequenceIds.pointer + BigInt(index * maxSequences * int32Bytes);
  const batch: NativeBatch = {
    n_tokens: 0,
    token: tokens.pointer,
    embd: null,
    pos: positions.pointer,
    n_seq_id: sequenceCounts.pointer,
    seq_id: sequenceTable.pointer,
    logits: flags.pointer,
  };
  let outputs = 0;
  return {
    capacity,
    get size() {
      return batch.n_tokens;
    },
    get outputs() {
      return outputs;
    },
    native: batch,
    clear: () => {
      batch.n_tokens = 0;
      outputs = 0;
    },
    add: (token, position, sequences, wantsLogits) => {
      const index = batch.n_tokens++;
      tokenView[index] = token;
      positionView[index] = position;
      countView[index] = sequences.length;
      const base = index * maxSequences;
      for (let place = 0; place < sequences.length; place++) idView[base + place] = sequences[place]!;
      flagView[index] = wantsLogits ? 1 : 0;
      return wantsLogits ? outputs++ : -1;
    },
  };
}
