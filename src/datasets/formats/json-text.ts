// JSON text read without losing digits, and what is wrong with it said in words.

/** Like JSON.parse, but whole numbers beyond 2^53 stay exact as text. */
export function parseExactJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  const keepDigits = (_key: string, value: unknown, context: { source?: string }) =>
    typeof value === 'number' && context.source !== undefined && /^-?\d{16,}$/.test(context.source) && !Number.isSafeInteger(value)
      ? context.source
      : value;
  return JSON.parse(text, keepDigits as (this: unknown, key: string, value: unknown) => unknown);
}

/** A plain reason for common mistakes, else the parser's own message. */
export function jsonProblem(text: string, message: string): string {
  const trimmed = text.trimEnd();
  if (/^[[{].*[}\]],$/s.test(trimmed)) return 'trailing comma after the value (JSON Lines have one value a line and no commas between)';
  if (/,\s*[}\]]/.test(trimmed)) return `trailing comma: ${message}`;
  if (/[:[,]\s*-?(NaN|Infinity)\b/.test(text)) return 'NaN and Infinity are not JSON; write null';
  if (/^\s*\{\s*'/.test(text)) return 'single quotes are not JSON; write double quotes';
  return message;
}

/** The first member name of the outermost object that stands twice, or undefined. */
export function duplicateKey(text: string): string | undefined {
  const names = new Set<string>();
  let depth = 0;
  let expectsName = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      const end = stringEnd(text, at);
      if (depth === 1 && expectsName) {
        const name = text.slice(at + 1, end);
        if (names.has(name)) return name;
        names.add(name);
        expectsName = false;
      }
      at = end;
    } else if (code === 123 || code === 91) expectsName = ++depth === 1;
    else if (code === 125 || code === 93) depth--;
    else if (code === 44 && depth === 1) expectsName = true;
  }
  return undefined;
}

function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
