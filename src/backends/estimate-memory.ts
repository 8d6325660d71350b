// How much memory a model will need, from its own metadata: what plan, `fit` and `list` use before anything is loaded.
import type { ModelEntry } from '../core/model.ts';
import type { GgufFacts } from '../formats/gguf-facts.ts';

/** Half-precision keys and values. */
const cacheElementBytes = 2;
const microBatch = 512;
const processBytes = 80 * 2 ** 20;

/**
 * Peak memory of one loaded model, bytes: weights, attention cache for `parallel` sequences of `contextTokens`, compute buffers,
 * and the process itself. Layers with a sliding window are counted in full, so the estimate errs upward.
 */
export function estimateMemoryBytes(facts: GgufFacts, contextTokens: number, parallel = 1): number {
  const shape = facts.attention;
  if (shape === null) return Math.round(facts.sizeBytes * 1.2 + processBytes);
  const cacheRow = shape.keyValueHeads.reduce((sum, heads) => sum + heads * (shape.keyLength + shape.valueLength), 0);
  const cacheBytes = cacheRow * cacheElementBytes * contextTokens * parallel;
  const vocabulary = facts.vocabularySize ?? 0;
  const computeBytes = microBatch * 4 * (vocabulary + 2 * shape.feedForwardLength + 6 * shape.embeddingLength);
  return Math.round(facts.tensorBytes + cacheBytes + computeBytes + processBytes);
}

/** Bits per weight of common file types, embeddings and norms included (measured on llama-family files). */
export const typicalBitsPerWeight: Readonly<Record<string, number>> = {
  F32: 32,
  F16: 16,
  BF16: 16,
  Q8_0: 8.5,
  Q6_K: 6.6,
  Q5_K_M: 5.7,
  Q5_0: 5.5,
  Q4_K_M: 4.9,
  Q4_K_S: 4.6,
  Q4_1: 5,
  Q4_0: 4.6,
  Q3_K_M: 4,
  Q2_K: 3.4,
};

/** `135M`, `3.8B` as a number; null if it is neither. */
export function parseParameters(text: string): number | null {
  const match = /^([\d.]+)\s*([KMB])$/iu.exec(text.trim());
  if (match === null) return null;
  const factor = { K: 1e3, M: 1e6, B: 1e9 }[match[2]!.toUpperCase()]!;
  const value = Number(match[1]) * factor;
  return Number.isFinite(value) ? value : null;
}

/** Size of a registry entry's file: the known one, else by parameters and typical bits; null if it cannot be told. */
export function estimateEntryFileBytes(entry: Pick<ModelEntry, 'sizeBytes' | 'parameters' | 'quantisation'>): number | null {
  if (entry.sizeBytes !== undefined) return entry.sizeBytes;
  const parameters = parseParameters(entry.parameters);
  const bits = typicalBitsPerWeight[entry.quantisation.toUpperCase()];
  return parameters === null || bits === undefined ? null : Math.round((parameters * bits) / 8);
}

/** Rough memory of a registry entry at a 4096-token context before its file is here; null if its size cannot be told. */
export function estimateEntryMemoryBytes(entry: ModelEntry): number | null {
  const weights = estimateEntryFileBytes(entry);
  if (weights === null) return null;
  return Math.round(weights * 1.2 + 2 * processBytes);
}

/** How many copies fit in this much memory, a quarter of it left to the system. */
export function instancesThatFit(bytesEach: number, memoryBytes: number): number {
  return Math.floor((memoryBytes * 0.75) / bytesEach);
}
