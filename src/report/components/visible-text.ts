// Text from models and datasets as it is shown: control characters and marks that reorder lines become visible signs (O01, X05).
import { neutraliseControls } from '../format-values.ts';

/** Bidirectional controls, line separators, zero-width characters and tags: what can make a line read as something that it is not. */
const hidden = /[\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

export function visibleText(text: string): string {
  return neutraliseControls(text).replace(hidden, (character) =>
    // Joiners inside emoji and Indic words are part of the writing.
    character === '\u200d' || character === '\u200c'
      ? character
      : `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );
}
