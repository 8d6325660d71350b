// What is sent to a model: plain text, or chat messages that the model's own template turns into text.

export type Role = 'system' | 'user' | 'assistant';

export interface Message {
  readonly role: Role;
  readonly content: string;
}

/**
 * `text` goes to the model as it is (the tokenizer's own BOS policy applies).
 * `chat` is rendered by the model's chat template with a generation prompt; `prefill` opens the answer turn.
 * Message contents are data: text in them that looks like a control token is never parsed as one.
 */
export type Prompt =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'chat'; readonly messages: readonly Message[]; readonly prefill?: string | undefined };

/** The prompt exactly as a backend sends it. */
export interface RenderedPrompt {
  /** Text after the chat template. */
  readonly text: string;
  /** Token ids where the backend has a tokenizer, else undefined. */
  readonly tokens?: readonly number[] | undefined;
  /** Text piece of each token. */
  readonly pieces?: readonly string[] | undefined;
}
