// Prompts of an exact number of tokens by the model's own tokenizer; by what the server counts where there is none at hand.
import { sha256Hex } from '../../../core/digest.ts';
import { defaultGenerationSettings } from '../../../core/generation.ts';
import type { Backend } from '../../../core/ports/backend.ts';
import type { Prompt } from '../../../core/prompt.ts';
import type { LoadRequest } from '../generate-load.ts';
import { drawWords } from './synthetic-words.ts';
import type { Workload } from './workload.ts';

export interface SyntheticInput {
  readonly backend: Backend;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly seed: number;
  /** False: every prompt of a phase repeats those of the others, so that prompt caches work. */
  readonly uniquePrefix: boolean;
}

/** A text of words and how many tokens it becomes. */
export interface SizedText {
  readonly text: string;
  /** null where nothing can tell. */
  readonly tokens: number | null;
}

export type MakeSizedText = (tokens: number, seed: number, salt: string) => Promise<SizedText>;

const exactTries = 16;
const probeWords = [32, 96] as const;

/** The embedded engine gets the bare text; a server gets a chat message, which every server understands. */
export function promptOf(text: string, backend: Backend): Prompt {
  return backend.identity.kind === 'llama' ? { kind: 'text', text } : { kind: 'chat', messages: [{ role: 'user', content: text }] };
}

async function countTokens(backend: Backend, text: string): Promise<number | null> {
  const rendered = await backend.render(promptOf(text, backend));
  return rendered.tokens?.length ?? null;
}

/** Single characters and short words that fill up what whole words leave open. */
const fillers = [' a', '.', 'a', '!', ' I', '0'];

/** As many words as fit, then fillers one by one; a vocabulary that counts otherwise leaves the nearest size below. */
async function exactText(backend: Backend, tokens: number, seed: number, salt: string): Promise<SizedText> {
  const spare = drawWords(tokens + 32, seed, salt);
  const textOf = (size: number): string => spare.slice(0, size).join('').trim();
  let fits = 0;
  let tooLong = spare.length + 1;
  let size = Math.min(spare.length, Math.max(1, tokens - 1));
  for (let attempt = 0; attempt < exactTries && tooLong - fits > 1; attempt++) {
    const counted = await countTokens(backend, textOf(size));
    if (counted === null) return { text: textOf(size), tokens: null };
    if (counted === tokens) return { text: textOf(size), tokens };
    if (counted < tokens) fits = size;
    else tooLong = size;
    const guess = Math.round(size * (tokens / counted));
    size = guess > fits && guess < tooLong ? guess : Math.floor((fits + tooLong) / 2);
  }
  return filledUp(backend, textOf(fits), tokens);
}

async function filledUp(backend: Backend, words: string, tokens: number): Promise<SizedText> {
  let text = words;
  let counted = (await countTokens(backend, text)) ?? 0;
  for (let added = 0; counted < tokens && added < tokens; added++) {
    let isLonger = false;
    for (const filler of fillers) {
      const next = await countTokens(backend, text + filler);
      if (next === null || next > tokens || next <= counted) continue;
      text += filler;
      counted = next;
      isLonger = true;
      break;
    }
    if (!isLonger) break;
  }
  return { text, tokens: counted };
}

/** Learns from two short requests how many tokens the server counts per word and around a message. */
async function learnServerCount(backend: Backend, seed: number): Promise<{ readonly perWord: number; readonly around: number } | null> {
  const counts: number[] = [];
  for (const size of probeWords) {
    const text = drawWords(size, seed, `probe ${size}`).join('').trim();
    const settings = { ...defaultGenerationSettings, maxTokens: 1 };
    // What fails here fails in the load test too, and is counted and named there.
    const answer = await backend.generate({ prompt: promptOf(text, backend), settings }).catch(() => null);
    if (answer === null || answer.usage.promptTokens === null) return null;
    counts.push(answer.usage.promptTokens);
  }
  const perWord = (counts[1]! - counts[0]!) / (probeWords[1] - probeWords[0]);
  return perWord > 0 ? { perWord, around: counts[0]! - perWord * probeWords[0] } : null;
}

/** How texts of a wanted size are made for this backend. */
export async function sizedTextMaker(backend: Backend, seed: number): Promise<MakeSizedText> {
  if (backend.capabilities.tokenize) return (tokens, ownSeed, salt) => exactText(backend, tokens, ownSeed, salt);
  const learnt = await learnServerCount(backend, seed);
  return async (tokens, ownSeed, salt) => {
    const { perWord, around } = learnt ?? { perWord: 1.1, around: 0 };
    const count = Math.max(1, Math.round((tokens - around) / perWord));
    const text = drawWords(count, ownSeed, salt).join('').trim();
    return { text, tokens: learnt === null ? null : Math.round(around + count * perWord) };
  };
}

export async function syntheticWorkload(input: SyntheticInput): Promise<Workload> {
  const { backend, promptTokens, outputTokens, seed, uniquePrefix } = input;
  const make = await sizedTextMaker(backend, seed);
  return {
    facts: {
      kind: 'synthetic',
      name: `${promptTokens} in, ${outputTokens} out`,
      digest: sha256Hex(`synthetic/1 ${promptTokens} ${outputTokens} ${seed}`),
      prompts: 0,
      promptTokens,
      outputTokens,
      uniquePrefix,
      fixedLength: true,
    },
    length: null,
    prepare: async (count, salt) => {
      const requests: LoadRequest[] = [];
      for (let index = 0; index < count; index++) {
        const { text, tokens } = await make(promptTokens, seed, uniquePrefix ? `${salt} ${index}` : `shared ${index}`);
        requests.push(syntheticRequest(backend, text, tokens, outputTokens, `synthetic ${promptTokens} ${outputTokens} ${index}`));
      }
      return requests;
    },
  };
}

export function syntheticRequest(
  backend: Backend,
  text: string,
  tokens: number | null,
  outputTokens: number,
  identity: string,
): LoadRequest {
  return {
    request: {
      prompt: promptOf(text, backend),
      settings: { ...defaultGenerationSettings, maxTokens: outputTokens },
      ignoreEndOfText: true,
    },
    promptDigest: sha256Hex(identity).slice(0, 16),
    expectedPromptTokens: tokens,
  };
}
