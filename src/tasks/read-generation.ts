// Reads a generated answer: extraction, then the verdict that keeps truncated, refused and unreadable outputs apart.
import type { Generation } from '../core/generation.ts';
import { invalid, type Outcome, scored } from '../core/outcome.ts';
import type { ReadAnswer } from '../core/task.ts';
import { extractAnswer } from './extraction/extract-answer.ts';
import type { Extraction, ExtractionRequest } from './extraction/extraction.ts';

export interface GenerationReading {
  readonly request: ExtractionRequest | 'raw';
  /** Keep the first line of the answer only. */
  readonly firstLine: boolean;
  /** Names of the options or labels by index; the prediction is the name. */
  readonly names?: readonly string[] | undefined;
  /** Turns the answer into the judged text. */
  readonly assemble?: ((answer: string) => string) | undefined;
}

/** Never throws on model output. */
export function readGeneration(generation: Generation, reading: GenerationReading): ReadAnswer {
  const warnings = generation.warnings.map((warning) => warning.message);
  const extraction = extract(generation, reading);
  const { reasoning, cleaned } = extraction;
  const outcome = outcomeOf(generation, extraction);
  if (outcome.kind !== 'scored') return { prediction: null, outcome, reasoning, cleaned, extractedBy: extraction.rule, warnings };
  if (generation.finishReason === 'length') warnings.push('output was cut at the token limit');
  const named = extraction.index === undefined ? undefined : reading.names?.[extraction.index];
  const answer = named ?? extraction.value!;
  return {
    prediction: reading.assemble === undefined ? answer : reading.assemble(answer),
    ...(extraction.index === undefined ? {} : { predictedIndex: extraction.index }),
    ...(extraction.values === undefined ? {} : { predictions: [...extraction.values] }),
    outcome,
    reasoning,
    cleaned,
    extractedBy: extraction.rule,
    warnings,
  };
}

function extract(generation: Generation, reading: GenerationReading): Extraction {
  const { text, finishReason, reasoning = null } = generation;
  if (reading.request === 'raw') return { value: text, rule: 'raw', reason: null, reasoning, cleaned: text };
  const extraction = extractAnswer(text, reading.request, { finishReason, reasoning });
  if (!reading.firstLine || extraction.value === null) return extraction;
  return { ...extraction, value: extraction.value.split('\n', 1)[0]!.trim(), rule: 'first-line' };
}

function outcomeOf(generation: Generation, extraction: Extraction): Outcome {
  if (generation.finishReason === 'content-filter') return invalid('refused', 'stopped by a content filter');
  if (extraction.value !== null) return scored;
  const reason = extraction.reason ?? 'unparseable';
  // Reasoning that never ended says more than the cut itself; everything else that was cut is incomplete, not wrong.
  if (generation.finishReason === 'length' && reason !== 'thinking-only') {
    return invalid('truncated', 'cut at the token limit before an answer');
  }
  return invalid(reason, extraction.detail);
}
