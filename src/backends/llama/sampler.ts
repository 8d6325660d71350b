// Chooses the next token: greedy in plain code, everything else through llama.cpp's sampler chain.
import { ToolError } from '../../core/errors.ts';
import type { SamplingSettings } from './engine-protocol.ts';
import { argmaxOf } from './log-softmax.ts';
import type { Pointer } from './native-api.ts';
import type { LoadedModel } from './open-model.ts';

export interface Sampler {
  /** The token after the one at place `index` of the last batch, whose logits are `logits`. */
  readonly next: (index: number, logits: Float32Array) => number;
  readonly free: () => void;
}

/** Tokens that the repeat penalty looks back on (llama.cpp's own default). */
const penaltyWindow = 64;

/**
 * Order as in llama.cpp: grammar, penalties, top-k, top-p, min-p, temperature, then a seeded draw.
 * @throws ToolError `unsupported` for a grammar that does not parse
 */
export function createSampler(model: LoadedModel, settings: SamplingSettings): Sampler {
  const { llama } = model.native;
  const greedy = settings.temperature === 0;
  const penalised = settings.repeatPenalty !== null && settings.repeatPenalty !== 1;
  if (greedy && !penalised && settings.grammar === null) return { next: (_, logits) => argmaxOf(logits), free: () => {} };
  const chain = llama.sampler_chain_init(llama.sampler_chain_default_params());
  const add = (sampler: Pointer) => llama.sampler_chain_add(chain, sampler);
  if (settings.grammar !== null) {
    const grammar = llama.sampler_init_grammar(model.vocabularyPointer, settings.grammar, 'root');
    if (grammar === null) {
      llama.sampler_free(chain);
      throw new ToolError('unsupported', 'the grammar is not valid GBNF, or has no rule named "root"');
    }
    add(grammar);
  }
  if (penalised) add(llama.sampler_init_penalties(model.vocabulary.size, penaltyWindow, settings.repeatPenalty!, 0, 0));
  if (greedy) {
    add(llama.sampler_init_greedy());
  } else {
    if (settings.topK !== null) add(llama.sampler_init_top_k(settings.topK));
    if (settings.topP !== null) add(llama.sampler_init_top_p(settings.topP, 1));
    if (settings.minP !== null) add(llama.sampler_init_min_p(settings.minP, 1));
    add(llama.sampler_init_temp(settings.temperature));
    add(llama.sampler_init_dist(settings.seed >>> 0));
  }
  return { next: (index) => llama.sampler_sample(chain, model.context, index), free: () => llama.sampler_free(chain) };
}
