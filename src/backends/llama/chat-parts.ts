// A prompt as the engine tokenises it: plain text as data, chats through the model's own template.
import type { BackendWarning, GenerationSettings } from '../../core/generation.ts';
import type { Prompt } from '../../core/prompt.ts';
import { renderChat } from '../../templating/render-chat.ts';
import type { EngineFacts, TextPart } from './engine-protocol.ts';

export interface PromptParts {
  readonly parts: readonly TextPart[];
  readonly text: string;
  readonly warnings: readonly BackendWarning[];
}

export function promptParts(prompt: Prompt, facts: EngineFacts, thinking: GenerationSettings['thinking'] = 'auto'): PromptParts {
  if (prompt.kind === 'text') return { parts: [{ kind: 'data', text: prompt.text }], text: prompt.text, warnings: [] };
  const { text, segments, warnings } = renderChat(facts.chatTemplate, {
    messages: prompt.messages,
    addGenerationPrompt: true,
    bosToken: facts.bosText,
    eosToken: facts.eosText,
    thinking,
    prefill: prompt.prefill,
    controlTokens: facts.controlTokens,
  });
  return { parts: segments, text, warnings };
}
