// Competition mathematics: the final answer, from the `answer` column or the last \boxed{} of the solution.
import type { JsonObject } from '../../core/json.ts';
import { textOf } from '../row-values.ts';

/** Content of the last `\boxed{...}` with balanced braces, or undefined. */
export function lastBoxed(text: string): string | undefined {
  const start = Math.max(text.lastIndexOf('\\boxed{'), text.lastIndexOf('\\fbox{'));
  if (start < 0) return undefined;
  const open = text.indexOf('{', start);
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    if (text[index] === '{') depth++;
    else if (text[index] === '}' && --depth === 0) return text.slice(open + 1, index);
  }
  return undefined;
}

/** Adds `final`, the answer to compare with. */
export function math(fields: JsonObject): JsonObject {
  const given = textOf(fields['answer']);
  return { final: given === '' ? (lastBoxed(textOf(fields['solution'])) ?? '') : given };
}
