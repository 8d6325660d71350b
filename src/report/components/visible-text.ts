// Text from outside made plain: control and direction characters show themselves and do nothing (O01, X05).
import { neutraliseControls } from '../format-values.ts';

export function visibleText(text: string): string {
  return neutraliseControls(text).replace(
    /[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16)}`,
  );
}
