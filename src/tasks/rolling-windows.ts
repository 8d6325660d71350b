// Windows of lm-eval's rolling log-likelihood: which tokens are scored together, and what stands before them.

export interface RollingWindow {
  /** Positions of the context tokens, `start` inclusive to `end` exclusive; null: the prefix token alone. */
  readonly context: { readonly start: number; readonly end: number } | null;
  /** Positions of the scored tokens. */
  readonly start: number;
  readonly end: number;
}

/**
 * The first window follows the prefix token; then come disjoint blocks of full length, each after one token of context;
 * the last, shorter block slides back so that its context is as long as fits. Each token is scored once.
 * @param count tokens of the text
 * @param windowTokens most tokens that the model takes at once, at least 1
 */
export function rollingWindows(count: number, windowTokens: number): readonly RollingWindow[] {
  if (!Number.isInteger(windowTokens) || windowTokens < 1) throw new RangeError(`a window needs at least one token, not ${windowTokens}`);
  const windows: RollingWindow[] = [];
  for (let start = 0; start < count; start += windowTokens) {
    const end = Math.min(start + windowTokens, count);
    // The model's input is context and scored tokens less the last one.
    const context = start === 0 ? null : { start: Math.max(0, end - windowTokens - 1), end: start };
    windows.push({ context, start, end });
  }
  return windows;
}
