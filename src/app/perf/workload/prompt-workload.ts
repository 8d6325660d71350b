// A list of prompts (a built-in text set or the prompts of any task) as a workload: in order, over and over, each with its nonce.
import { sha256Hex } from '../../../core/digest.ts';
import { ToolError } from '../../../core/errors.ts';
import { defaultGenerationSettings } from '../../../core/generation.ts';
import { suggestName } from '../../../core/names.ts';
import type { Backend } from '../../../core/ports/backend.ts';
import type { Prompt } from '../../../core/prompt.ts';
import type { LoadRequest } from '../generate-load.ts';
import { nonceText } from './synthetic-words.ts';
import { textSets } from './text-sets.ts';
import type { Workload } from './workload.ts';

export interface PromptListInput {
  readonly kind: 'text' | 'dataset';
  readonly name: string;
  readonly prompts: readonly Prompt[];
  readonly backend: Backend;
  readonly outputTokens: number;
  readonly seed: number;
  readonly uniquePrefix: boolean;
  /** Answers run to their limit. @default false: they end where the model ends them */
  readonly fixedLength?: boolean | undefined;
}

/** Prompts of a built-in set. @throws ToolError `not-found` with the nearest name */
export function textSetPrompts(name: string): readonly Prompt[] {
  const set = Object.hasOwn(textSets, name) ? textSets[name] : undefined;
  if (set === undefined)
    throw new ToolError('not-found', `there is no built-in text set "${name}"`, { hint: suggestName(name, Object.keys(textSets)) });
  return set.map((content) => ({ kind: 'chat', messages: [{ role: 'user', content }] }));
}

function textOf(prompt: Prompt): string {
  return prompt.kind === 'text' ? prompt.text : JSON.stringify(prompt.messages);
}

/** The prompt with a note in front of everything that the user wrote. */
function withNonce(prompt: Prompt, nonce: string): Prompt {
  const mark = `[${nonce}]\n`;
  if (prompt.kind === 'text') return { kind: 'text', text: mark + prompt.text };
  return {
    ...prompt,
    messages: prompt.messages.map((message, index) => (index === 0 ? { ...message, content: mark + message.content } : message)),
  };
}

/** @throws ToolError `data` for an empty list */
export function promptWorkload(input: PromptListInput): Workload {
  const { prompts, backend, outputTokens, seed, uniquePrefix } = input;
  if (prompts.length === 0) throw new ToolError('data', `${input.name} has no prompts`);
  const digests = prompts.map((prompt) => sha256Hex(textOf(prompt)));
  const fixedLength = input.fixedLength === true;
  const settings = { ...defaultGenerationSettings, maxTokens: outputTokens };
  const make = async (index: number, salt: string): Promise<LoadRequest> => {
    const place = index % prompts.length;
    const plain = prompts[place]!;
    const prompt = uniquePrefix ? withNonce(plain, nonceText(seed, `${salt} ${index}`)) : plain;
    const rendered = backend.capabilities.tokenize ? await backend.render(prompt) : undefined;
    return {
      request: { prompt, settings, ...(fixedLength ? { ignoreEndOfText: true } : {}) },
      promptDigest: digests[place]!.slice(0, 16),
      expectedPromptTokens: rendered?.tokens?.length ?? null,
    };
  };
  return {
    facts: {
      kind: input.kind,
      name: input.name,
      digest: sha256Hex(digests.join('\n')),
      prompts: prompts.length,
      promptTokens: null,
      outputTokens,
      uniquePrefix,
      fixedLength,
    },
    length: null,
    prepare: async (count, salt) => {
      const requests: LoadRequest[] = [];
      for (let index = 0; index < count; index++) requests.push(await make(index, salt));
      return requests;
    },
  };
}
