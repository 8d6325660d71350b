// Keeps the KV cells of prefixes that requests have in common (few-shot headers, system prompts) between batches.
import type { LoadedModel } from './open-model.ts';
import { commonPrefixLength } from './prefix-tree.ts';

/** A prefix whose KV cells are kept under a sequence id of its own. */
interface Trunk {
  readonly sequence: number;
  tokens: readonly number[];
  lastUsed: number;
  /** Seen once only: shortened to what the next request shares with it, or dropped (attention runs over cells that nobody uses, too). */
  tentative: boolean;
}

export interface PrefixMatch {
  readonly sequence: number;
  readonly length: number;
}

export interface PrefixCache {
  /** Cells that kept prefixes hold at most (shared cells counted once per prefix). */
  readonly cells: number;
  /** The longest kept prefix of these tokens, at most `limit` long. */
  readonly match: (tokens: readonly number[], limit: number) => PrefixMatch | null;
  /**
   * After an evaluation: `contexts` are the contexts of its requests, with a sequence that still holds each one's cells.
   * Keeps what two or more have in common, or what a single one has in common with the past.
   */
  readonly learn: (contexts: readonly LearnedContext[]) => void;
  /** Frees the least recently used prefixes until at most `cells` are held. */
  readonly shrinkTo: (cells: number) => void;
  readonly clear: () => void;
}

export interface LearnedContext {
  readonly tokens: readonly number[];
  readonly sequence: number;
}

/** Sequence ids 0..3 belong to kept prefixes. */
export const trunkCount = 4;
/** Shorter common prefixes are cheaper to compute again than to look after. */
const worthKeeping = 8;

export function createPrefixCache({ native: { llama }, memory }: Pick<LoadedModel, 'native' | 'memory'>): PrefixCache {
  let trunks: Trunk[] = [];
  let clock = 0;
  const drop = (trunk: Trunk) => {
    llama.memory_seq_rm(memory, trunk.sequence, -1, -1);
    trunks = trunks.filter((other) => other !== trunk);
  };
  const oldest = () => trunks.reduce((a, b) => (a.lastUsed <= b.lastUsed ? a : b));
  const keep = (source: number, tokens: readonly number[], tentative: boolean) => {
    for (const trunk of [...trunks]) {
      const isPrefix = !tentative && commonPrefixLength(trunk.tokens, tokens) === trunk.tokens.length;
      if (trunk.tentative || isPrefix) drop(trunk);
    }
    if (trunks.length === trunkCount) drop(oldest());
    const used = new Set(trunks.map(({ sequence }) => sequence));
    const sequence = [...Array(trunkCount).keys()].find((id) => !used.has(id))!;
    llama.memory_seq_cp(memory, source, sequence, 0, tokens.length);
    trunks.push({ sequence, tokens, lastUsed: ++clock, tentative });
  };
  const firmCover = (tokens: readonly number[]) =>
    Math.max(0, ...trunks.filter(({ tentative }) => !tentative).map((trunk) => commonPrefixLength(trunk.tokens, tokens)));
  const keepFirm = ({ sequence, tokens }: LearnedContext, length: number) => {
    if (length >= firmCover(tokens) + worthKeeping) keep(sequence, tokens.slice(0, length), false);
  };
  return {
    get cells() {
      return trunks.reduce((sum, trunk) => sum + trunk.tokens.length, 0);
    },
    match: (tokens, limit) => {
      let best: Trunk | undefined;
      let length = 0;
      for (const trunk of trunks) {
        const shared = Math.min(commonPrefixLength(trunk.tokens, tokens), limit);
        if (shared > length) {
          best = trunk;
          length = shared;
        }
      }
      if (best === undefined) return null;
      best.lastUsed = ++clock;
      return { sequence: best.sequence, length };
    },
    learn: (contexts) => {
      for (const cluster of clustersOf(contexts)) if (cluster.length > 1) keepFirm(cluster[0]!, sharedLength(cluster));
      const [only] = contexts;
      const before = trunks.find(({ tentative }) => tentative);
      if (contexts.length > 1 && before !== undefined) drop(before);
      if (only === undefined || contexts.length > 1) return;
      if (before !== undefined) keepFirm(only, commonPrefixLength(before.tokens, only.tokens));
      if (only.tokens.length >= firmCover(only.tokens) + worthKeeping) keep(only.sequence, only.tokens, true);
    },
    shrinkTo: (cells) => {
      while (trunks.length > 0 && trunks.reduce((sum, trunk) => sum + trunk.tokens.length, 0) > cells) drop(oldest());
    },
    clear: () => {
      trunks = [];
    },
  };
}

/** Groups contexts that begin alike; a context alone forms a group of its own. */
function clustersOf(contexts: readonly LearnedContext[]): LearnedContext[][] {
  const clusters: LearnedContext[][] = [];
  for (const context of contexts) {
    const home = clusters.find(([first]) => commonPrefixLength(first!.tokens, context.tokens) >= worthKeeping);
    if (home === undefined) clusters.push([context]);
    else home.push(context);
  }
  return clusters;
}

function sharedLength(cluster: readonly LearnedContext[]): number {
  const [first, ...others] = cluster;
  return Math.min(first!.tokens.length, ...others.map((other) => commonPrefixLength(first!.tokens, other.tokens)));
}
