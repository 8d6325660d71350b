// Short form of registry entries, and the terms that several of them share.
import type { ModelEntry } from '../core/model.ts';

export type ModelDraft = Omit<ModelEntry, 'gated' | 'instruct' | 'aliases' | 'sources'> & {
  readonly aliases?: readonly string[];
  readonly instruct?: boolean;
  /** `owner/repo/file` on the hub. */
  readonly hub?: string;
  readonly sources?: ModelEntry['sources'];
};

/** A full entry from what is particular to it. */
export function entry({ hub, sources, aliases, instruct, ...draft }: ModelDraft): ModelEntry {
  const hubSources = hub === undefined ? [] : [{ reference: `hf:${hub}` }];
  return {
    gated: false,
    instruct: instruct ?? true,
    ...draft,
    aliases: [...(aliases ?? [])],
    sources: [...hubSources, ...(sources ?? [])],
  };
}

export const gemmaTerms = { licence: 'Gemma terms of use', licenceUrl: 'https://ai.google.dev/gemma/terms' };
export const llamaTerms = { licence: 'Llama 3.2 community licence', licenceUrl: 'https://www.llama.com/llama3_2/license/' };
export const q4 = { quantisation: 'Q4_K_M' };
