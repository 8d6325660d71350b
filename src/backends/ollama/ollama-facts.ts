// What Ollama tells about a model, as the facts of the record: digest, size, quantisation, context.
import { digestOf } from '../../core/digest.ts';
import type { ModelFacts } from '../../core/model.ts';
import type { ListedOllamaModel, ShownOllamaModel } from './ollama-api.ts';

export function ollamaFacts(listed: ListedOllamaModel, shown: ShownOllamaModel, known: ModelFacts): ModelFacts {
  const info = shown.model_info ?? {};
  const architecture = typeof info['general.architecture'] === 'string' ? info['general.architecture'] : (listed.details?.family ?? null);
  const sizeBytes = listed.size ?? null;
  const parameters = numberOf(info['general.parameter_count']);
  return {
    ...known,
    digest: listed.digest ?? null,
    digestKind: 'server',
    file: listed.name,
    architecture,
    parameters,
    quantisation: listed.details?.quantization_level ?? shown.details?.quantization_level ?? null,
    bitsPerWeight: sizeBytes !== null && parameters !== null ? (8 * sizeBytes) / parameters : null,
    sizeBytes,
    trainedContext: architecture === null ? null : numberOf(info[`${architecture}.context_length`]),
    vocabularySize: architecture === null ? null : numberOf(info[`${architecture}.vocab_size`]),
    hasChatTemplate:
      shown.template === null || shown.template === undefined ? null : shown.template !== '' && shown.template !== '{{ .Prompt }}',
    chatTemplateDigest: shown.template ? digestOf(shown.template) : null,
    licence: shown.license?.trim().split('\n')[0]?.trim().slice(0, 100) || null,
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && value > 0 ? value : null;
}
