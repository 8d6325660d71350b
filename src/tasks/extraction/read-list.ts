// Reads a list out of a reply: a JSON array, numbered or bulleted lines, or items between commas.
import { type Reading, unread } from './extraction.ts';
import { findJson } from './find-json.ts';
import { refuses } from './refusal.ts';

const marker = /^\s{0,12}(?:[-*•·–—+]\s+|\(?\d{1,4}[.)、:]\s*|\(?[a-zA-Z][.)]\s+|\[\d{1,4}\]\s*)/;

/** No model writes a list of this length as lines; JSON may be longer. */
const maxLength = 40_000;

export function readList(answer: string, truncated: boolean): Reading {
  const json = listOfJson(answer);
  if (json !== undefined) return listed(json, 'json');
  if (/^(?:none|nothing|n\/a|empty|no items?)[.!]?$/i.test(answer.trim())) return { value: '[]', values: [], rule: 'none', reason: null };
  if (answer.length > maxLength) return unread('unparseable', 'too long for a list');
  const lines = answer
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '');
  const marked = lines.filter((line) => marker.test(line));
  if (marked.length >= 2 || (marked.length === 1 && lines.length <= 2))
    return listed(
      dropCut(marked, truncated, answer).map((line) => clean(line.replace(marker, ''))),
      'markers',
    );
  if (refuses(answer)) return unread('refused');
  const body = lines.length === 2 && /:\s*$/.test(lines[0]!) ? [lines[1]!] : lines;
  if (body.length >= 2)
    return body.every((line) => line.length <= 120 && !/[.!?]\s+\p{Lu}/u.test(line))
      ? listed(withoutHeading(dropCut(body, truncated, answer)).map(clean), 'lines')
      : unread('unparseable', 'prose, no list');
  const items = splitOutside(body[0]!.replace(/^[^:,]{1,60}:\s+/, ''));
  if (items.length > 1) return listed(dropCut(items, truncated, answer).map(clean), 'separators');
  return body[0]!.split(/\s+/).length <= 6 && !truncated
    ? listed([clean(items[0]!)], 'single')
    : unread(truncated ? 'truncated' : 'unparseable', 'prose, no list');
}

function listed(items: readonly string[], rule: string): Reading {
  const values = items.filter((item) => item !== '');
  return { value: JSON.stringify(values), values, rule, reason: null };
}

function listOfJson(answer: string): string[] | undefined {
  if (!answer.includes('[')) return undefined;
  const found = findJson(answer, (value) => Array.isArray(value) || Object.values(value ?? {}).some(Array.isArray));
  if (found === undefined || (found.rule === 'prose' && !/^[^\n]{0,200}$|:\s*$/.test(answer.slice(0, answer.indexOf('[')).trimEnd())))
    return undefined;
  const list = Array.isArray(found.value)
    ? found.value
    : typeof found.value === 'object' && found.value !== null
      ? Object.values(found.value).find(Array.isArray)
      : undefined;
  return Array.isArray(list) ? list.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))) : undefined;
}

/** The last item of a cut output may be cut itself. */
function dropCut(items: readonly string[], truncated: boolean, answer: string): readonly string[] {
  return truncated && items.length > 1 && !/[\n.;]$/.test(answer) ? items.slice(0, -1) : items;
}

function withoutHeading(lines: readonly string[]): readonly string[] {
  return lines.length > 2 && /:\s*$/.test(lines[0]!) ? lines.slice(1) : lines;
}

function clean(item: string): string {
  const bare = item
    .trim()
    .replace(/^\*\*(.+?)\*\*:?$/, '$1')
    .replace(/^(["'`])(.*)\1$/, '$2');
  return bare.replace(/(?<=[^.])[.,;]$/, '').trim();
}

/** Splits at commas and semicolons outside brackets and quotes, and at a last "and" or "or". */
function splitOutside(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '"') quoted = !quoted;
    else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth = Math.max(0, depth - 1);
    else if (
      depth === 0 &&
      !quoted &&
      (char === ';' || char === '、' || char === '，' || (char === ',' && !/^\d{3}(?!\d)/.test(text.slice(at + 1, at + 5))))
    ) {
      items.push(text.slice(start, at));
      start = at + 1;
    }
  }
  items.push(text.slice(start));
  const last = items.at(-1)!;
  if (items.length > 1)
    return [...items.slice(0, -1), ...last.replace(/^\s*(?:and|or|und|et|y|e)\s+/i, '').split(/\s+(?:and|und)\s+(?=\S+\.?$)/)];
  const pair = last.match(/^(\S+(?: \S+)?) (?:and|und|et) (\S+(?: \S+)?)$/);
  return pair ? [pair[1]!, pair[2]!] : items;
}
