// How a long text is cut into windows for perplexity. The three ways give different numbers, so each is named in results.

/** Tokens to evaluate, and which of them are predicted from the ones before. */
export interface RollingWindow {
  readonly input: readonly number[];
  /** Index in `input` whose logits predict `targets[0]`; the following logits predict the following targets. */
  readonly firstRead: number;
  readonly targets: readonly number[];
}

/**
 * lm-evaluation-harness: the first window starts from the prefix token, then disjoint blocks of `length`;
 * the last block slides back so that its context is as long as fits.
 */
export function lmEvalWindows(tokens: readonly number[], prefix: number, length: number): RollingWindow[] {
  const windows: RollingWindow[] = [];
  if (tokens.length === 0) return windows;
  const first = Math.min(length, tokens.length);
  windows.push({ input: [prefix, ...tokens.slice(0, first - 1)], firstRead: 0, targets: tokens.slice(0, first) });
  for (let done = first; done < tokens.length; ) {
    const count = Math.min(tokens.length - done, length);
    const end = done + count;
    const input = tokens.slice(end - length - 1, end - 1);
    windows.push({ input, firstRead: input.length - count, targets: tokens.slice(done, end) });
    done = end;
  }
  return windows;
}

/**
 * llama-perplexity: whole windows only, `firstToken` (BOS) put in place of each window's first token, and only the tokens
 * after the middle of the window scored.
 */
export function llamaPerplexityWindows(tokens: readonly number[], firstToken: number | null, length: number): RollingWindow[] {
  const windows: RollingWindow[] = [];
  const firstRead = Math.floor(length / 2);
  for (let start = 0; start + length <= tokens.length; start += length) {
    const input = tokens.slice(start, start + length - 1);
    if (firstToken !== null) input[0] = firstToken;
    windows.push({ input, firstRead, targets: tokens.slice(start + firstRead + 1, start + length) });
  }
  return windows;
}

/** Windows of `length` that advance by `stride`; each scores only the tokens that no earlier window scored. */
export function stridedWindows(tokens: readonly number[], prefix: number, length: number, stride: number): RollingWindow[] {
  const all = [prefix, ...tokens];
  const windows: RollingWindow[] = [];
  for (let begin = 0, scored = 1; scored < all.length; begin += stride) {
    const end = Math.min(begin + length, all.length - 1);
    const input = all.slice(begin, end);
    if (end < scored) continue;
    windows.push({ input, firstRead: scored - 1 - begin, targets: all.slice(scored, end + 1) });
    scored = end + 1;
  }
  return windows;
}
