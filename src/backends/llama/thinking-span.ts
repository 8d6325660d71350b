// Where inline reasoning ends: how many tokens it took, and when the first character of the answer came.
import type { EngineToken } from './engine-protocol.ts';

export interface ThinkingSpan {
  /** Tokens up to and with the closing tag; 0 where the model did not reason. */
  readonly tokens: number;
  /** Time of the first non-space answer text, ms; null if there was none. */
  readonly answerAtMs: number | null;
}

const opening = '<think>';
const closing = '</think>';

/** Reads `<think>` spans; `prompt` counts as opening one when a template ends with the tag. */
export function readThinking(tokens: readonly EngineToken[], prompt: string): ThinkingSpan {
  let text = '';
  let thinking: boolean | undefined = prompt.trimEnd().endsWith(opening) ? true : undefined;
  let count = 0;
  for (const [index, token] of tokens.entries()) {
    text += token.text;
    if (thinking === undefined) thinking = startsThinking(text);
    if (thinking === true) {
      count = index + 1;
      const end = text.indexOf(closing);
      if (end < 0) continue;
      thinking = false;
      text = text.slice(end + closing.length);
    }
    if (thinking === false && text.trim() !== '') return { tokens: count, answerAtMs: token.timeMs };
  }
  if (thinking === undefined && text.trim() !== '') return { tokens: 0, answerAtMs: tokens[0]!.timeMs };
  return { tokens: count, answerAtMs: null };
}

/** undefined while the text could still become an opening tag. */
function startsThinking(text: string): boolean | undefined {
  const start = text.trimStart();
  if (start.startsWith(opening)) return true;
  return opening.startsWith(start) ? undefined : false;
}
