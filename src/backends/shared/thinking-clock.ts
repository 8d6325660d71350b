// Finds the moment when inline reasoning (`<think>...</think>` inside the text) ends and the answer begins.

export interface ThinkingClock {
  /** Takes the next text; true once the answer has begun, at the first non-space character outside the tags. */
  readonly push: (text: string) => boolean;
}

const openings = ['<think>', '<thinking>', '<reasoning>'];

/** Reasoning is recognised at the start of the text only, as models write it. */
export function createThinkingClock(): ThinkingClock {
  let text = '';
  let closing: string | null = null;
  let answered = false;
  const advance = (): boolean => {
    if (closing === null) {
      text = text.trimStart();
      const opening = openings.find((tag) => text.startsWith(tag));
      if (opening === undefined) return text !== '' && !openings.some((tag) => tag.startsWith(text));
      closing = `</${opening.slice(1)}`;
      text = text.slice(opening.length);
    }
    const end = text.indexOf(closing);
    if (end >= 0) {
      text = text.slice(end + closing.length);
      closing = null;
      return advance();
    }
    text = text.slice(-closing.length);
    return false;
  };
  return {
    push: (piece) => {
      if (answered) return true;
      text += piece;
      answered = advance();
      if (answered) text = '';
      return answered;
    },
  };
}
