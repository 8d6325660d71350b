// Line numbers inside JSON text, for error messages.

/** Line of a character position, from 1. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let index = text.indexOf('\n'); index !== -1 && index < position; index = text.indexOf('\n', index + 1)) line++;
  return line;
}

/** Line where the n-th element of a top-level list starts. The text must be valid JSON that has the list. */
export function lineOfElement(text: string, list: string, element: number): number {
  let depth = 0;
  let seen = -1;
  let inList = false;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/gsu)) {
    const opens = token === '{' || token === '[';
    if (inList && depth === 2 && token !== ',' && token !== ']') {
      seen++;
      if (seen === element) return lineAt(text, index);
    }
    if (depth === 1 && token === '[' && new RegExp(`"${list}"\\s*:\\s*$`, 'u').test(text.slice(0, index).slice(-list.length - 40)))
      inList = true;
    if (opens) depth++;
    if (token === '}' || token === ']') depth--;
    if (depth === 1 && token === ']') inList = false;
  }
  return 1;
}
