// Finds the JSON document of a reply: the whole of it, a fence, or prose around it; truncated documents give what can be recovered.
import { fencedBlocks } from './code-fences.ts';
import { type LenientJson, parseLenientJson } from './lenient-json.ts';

export interface FoundJson {
  readonly value: unknown;
  readonly rule: 'whole' | 'fence' | 'prose';
  readonly repaired: boolean;
  readonly truncated: boolean;
}

/** Attempts after which a text of brackets is given up. */
const maxAttempts = 200;

export function findJson(text: string, accepts: (value: unknown) => boolean = () => true): FoundJson | undefined {
  const trimmed = text.trim();
  const strict = strictJson(trimmed);
  if (strict !== undefined) return { value: strict.value, rule: 'whole', repaired: false, truncated: false };
  const whole = wholeDocument(trimmed);
  if (whole !== undefined && !whole.truncated && accepts(whole.value)) return { ...pick(whole), rule: 'whole' };
  const fenced = fencedJson(trimmed).filter((one) => accepts(one.value));
  const complete = fenced.filter((one) => !one.truncated);
  const fence = complete.at(-1) ?? fenced.at(-1);
  if (fence !== undefined) return fence;
  const prose = documentsIn(trimmed);
  const fitting = prose.filter((one) => accepts(one.value));
  if (whole !== undefined && accepts(whole.value) && !fitting.some((one) => !one.truncated)) return { ...pick(whole), rule: 'whole' };
  return best(fitting) ?? (whole === undefined ? best(prose) : { ...pick(whole), rule: 'whole' });
}

function strictJson(text: string): { readonly value: unknown } | undefined {
  const first = text[0];
  if (first === undefined || !'{["-0123456789tfn'.includes(first) || nestsDeep(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Deeper than any answer; the native reader would take it, but nothing that walks the value could. */
function nestsDeep(text: string): boolean {
  if (text.length < 400) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) {
      if (++depth > 190) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

function pick({ value, repaired, truncated }: LenientJson): Omit<FoundJson, 'rule'> {
  return { value, repaired, truncated };
}

/** A document that begins the text and ends it. */
function wholeDocument(text: string): LenientJson | undefined {
  if (!/^[{["'“]/.test(text)) return undefined;
  const parsed = parseLenientJson(text);
  return parsed !== undefined && /^[\s;.]*$/.test(text.slice(parsed.end, parsed.end + 40)) && parsed.end + 40 >= text.length
    ? parsed
    : undefined;
}

function fencedJson(text: string): FoundJson[] {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  return fencedBlocks(text).flatMap((block) => {
    if (block.language !== '' && !/^json[c5l]?$/i.test(block.language)) return [];
    const body = block.body.trim();
    const strict = strictJson(body);
    if (strict !== undefined) return [{ value: strict.value, rule: 'fence' as const, repaired: false, truncated: false }];
    const open = body.search(/[{[]/);
    const parsed = open < 0 ? undefined : parseLenientJson(body, open);
    return parsed === undefined ? [] : [{ ...pick(parsed), rule: 'fence' as const, truncated: parsed.truncated }];
  });
}

/** Objects and arrays that stand in prose, left to right, none inside another. */
function documentsIn(text: string): FoundJson[] {
  const found: FoundJson[] = [];
  const opening = /[{[]/g;
  for (let attempts = 0; attempts < maxAttempts; attempts++) {
    const match = opening.exec(text);
    if (match === null) break;
    const parsed = parseLenientJson(text, match.index);
    if (parsed === undefined) {
      opening.lastIndex = endOfBrackets(text, match.index);
      continue;
    }
    found.push({ ...pick(parsed), rule: 'prose' });
    if (parsed.truncated) break;
    opening.lastIndex = Math.max(parsed.end, match.index + 1);
  }
  return found;
}

/** A long run of one bracket is passed over as a whole, a short one bracket by bracket. */
function endOfBrackets(text: string, from: number): number {
  let end = from;
  while (text[end] === text[from]) end += 1;
  return end - from > 200 ? end : from + 1;
}

/** The last complete object, else the last complete array, else what was cut. Empty values and footnotes like `[1]` come last. */
function best(documents: readonly FoundJson[]): FoundJson | undefined {
  const complete = documents.filter((one) => !one.truncated);
  const objects = complete.filter((one) => !Array.isArray(one.value) && Object.keys(one.value as object).length > 0);
  const arrays = complete.filter((one) => Array.isArray(one.value) && !isFootnote(one.value));
  return objects.at(-1) ?? arrays.at(-1) ?? documents.find((one) => one.truncated) ?? complete.at(-1);
}

function isFootnote(value: readonly unknown[]): boolean {
  return value.length === 0 || (value.length === 1 && typeof value[0] === 'number');
}
