// Finds prompts that Ollama cut to its context without a word: its count is of what was left.

export interface PromptSeen {
  readonly prompt: string;
  /** `prompt_eval_count`; null where absent (unknown, as after a cache hit in old versions). */
  readonly promptTokens: number | null;
  readonly contextTokens: number;
}

/** Tokens that a prompt has at the very least: tokenizers cut at white space, and rarely join words. */
export function leastTokens(prompt: string): number {
  let words = 0;
  let inWord = false;
  for (let index = 0; index < prompt.length; index++) {
    const isSpace = prompt.charCodeAt(index) <= 32;
    if (!isSpace && !inWord) words++;
    inWord = !isSpace;
  }
  // A script without spaces has one word; 12 bytes per token is more than any vocabulary averages.
  return Math.max(words, Math.floor(Buffer.byteLength(prompt) / 12));
}

/**
 * True where the server counted clearly fewer tokens than the prompt must have, and the count is what cutting leaves: the context or
 * half of it. A smaller count is a cache hit of an old version (it counted new tokens only), which is no fault.
 */
export function isTruncated({ prompt, promptTokens, contextTokens }: PromptSeen): boolean {
  if (promptTokens === null) return false;
  const least = leastTokens(prompt);
  return promptTokens < 0.9 * least && promptTokens >= 0.4 * contextTokens;
}
