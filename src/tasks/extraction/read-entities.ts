// Reads named entities and checks every span against the text: a claimed offset is never believed, a span that does not occur is dropped.
import { type Reading, unread } from './extraction.ts';
import { findJson } from './find-json.ts';
import { caseFold } from './fold-text.ts';

export interface Entity {
  readonly text: string;
  readonly label: string;
  /** UTF-16 offsets into the text; null where no text was given. */
  readonly start: number | null;
  readonly end: number | null;
}

interface Claim {
  readonly text: string;
  readonly label: string;
  readonly start?: number | undefined;
}

const textKeys = ['text', 'entity', 'name', 'span', 'word', 'mention', 'value', 'token', 'phrase'];
const labelKeys = ['label', 'type', 'entity_type', 'entity_group', 'category', 'class', 'tag', 'ner', 'kind'];
const startKeys = ['start', 'start_offset', 'begin', 'offset', 'start_char', 'from'];

export function readEntities(answer: string, text: string | undefined, truncated: boolean): Reading {
  const claims = claimsOf(answer);
  if (claims === undefined) return unread(truncated ? 'truncated' : 'unparseable', 'no entities in a known form');
  const { entities, dropped } = verify(claims.list, text);
  const values = entities.map((entity) => JSON.stringify(entity));
  const reading: Reading = { value: `[${values.join(',')}]`, values, rule: claims.rule, reason: null };
  return dropped.length === 0
    ? reading
    : {
        ...reading,
        detail: `not in the text: ${dropped
          .slice(0, 5)
          .map((one) => JSON.stringify(one))
          .join(', ')}${dropped.length > 5 ? ` and ${dropped.length - 5} more` : ''}`,
      };
}

function claimsOf(answer: string): { readonly list: readonly Claim[]; readonly rule: string } | undefined {
  if (/^(?:none|no (?:named )?entities(?: found)?|n\/a|\[\]|\{\})[.!]?$/i.test(answer.trim())) return { list: [], rule: 'none' };
  const json = findJson(answer, (value) => typeof value === 'object' && value !== null);
  const list = json === undefined ? undefined : claimsOfJson(json.value);
  if (list !== undefined) return { list, rule: 'json' };
  const lines = answer.split('\n', 3000).flatMap((line) => claimOfLine(line) ?? []);
  return lines.length > 0 ? { list: lines, rule: 'lines' } : undefined;
}

function claimsOfJson(value: unknown, label = ''): Claim[] | undefined {
  if (Array.isArray(value)) return value.flatMap((item) => claimOfItem(item, label) ?? []);
  if (typeof value !== 'object' || value === null) return undefined;
  const single = claimOfItem(value, label);
  if (single !== undefined) return [single];
  const entries = Object.entries(value);
  const wrapped = entries.find(
    ([key, item]) => /^(?:entities|results?|spans|named_entities|output)$/i.test(key) && typeof item === 'object',
  );
  if (wrapped !== undefined) return claimsOfJson(wrapped[1]);
  const claims = entries.flatMap(([key, item]) =>
    Array.isArray(item) ? (claimsOfJson(item, key) ?? []) : typeof item === 'string' ? [byMapping(key, item)] : [],
  );
  return claims.length > 0 || entries.every(([, item]) => Array.isArray(item)) ? claims : undefined;
}

/** `{"Paris": "LOC"}` maps texts to labels, `{"LOC": "Paris"}` labels to texts: labels are short, upper case or known words. */
function byMapping(key: string, item: string): Claim {
  const isLabel = (word: string): boolean =>
    /^(?:[A-Z]{2,12}|person|people|organi[sz]ation|location|date|place|company|product|event|time|money|misc)s?$/.test(word) ||
    /^(?:Person|Organi[sz]ation|Location|Date)$/.test(word);
  return isLabel(item) && !isLabel(key) ? { text: key, label: item } : { text: item, label: key };
}

function claimOfItem(item: unknown, label: string): Claim | undefined {
  if (typeof item === 'string') return label === '' ? undefined : { text: item, label };
  if (Array.isArray(item))
    return typeof item[0] === 'string' && typeof item[1] === 'string' ? { text: item[0], label: item[1] } : undefined;
  if (typeof item !== 'object' || item === null) return undefined;
  const fields = item as Readonly<Record<string, unknown>>;
  const pick = (keys: readonly string[]): unknown => keys.map((key) => fields[key]).find((value) => value !== undefined);
  const own = pick(textKeys);
  const type = pick(labelKeys) ?? label;
  const start = pick(startKeys);
  return typeof own === 'string' && typeof type === 'string' && type !== ''
    ? { text: own, label: type, start: typeof start === 'number' ? start : undefined }
    : undefined;
}

/** `Paris: LOC`, `- Paris (LOC)`, `Paris | LOC`, `("Paris", "LOC")`, `Paris -> LOC`. */
function claimOfLine(line: string): Claim | undefined {
  if (line.length > 300) return undefined;
  const body = line
    .trim()
    .replace(/^(?:[-*•]\s+|\d{1,3}[.)]\s+)/, '')
    .replace(/\*\*/g, '');
  const match =
    /^\(\s*["']([^"']+)["']\s*,\s*["']?([\w -]+?)["']?\s*\)[,;]?$/.exec(body) ??
    /^["']?(.+?)["']?\s*[([]([A-Za-z_]{2,30})[)\]]\.?$/.exec(body) ??
    /^["']?([^:|\t]+?)["']?\s*(?:\||\t|->|→|=>|:| - )\s*([A-Za-z_]{2,30})\.?$/.exec(body);
  return match === null ? undefined : { text: match[1]!.trim(), label: match[2]!.trim() };
}

function verify(
  claims: readonly Claim[],
  text: string | undefined,
): { readonly entities: readonly Entity[]; readonly dropped: readonly string[] } {
  if (text === undefined)
    return { entities: claims.map(({ text: own, label }) => ({ text: own, label, start: null, end: null })), dropped: [] };
  const folded = caseFold(text);
  const foldable = folded.length === text.length;
  const used = new Map<string, number>();
  const entities: Entity[] = [];
  const dropped: string[] = [];
  const seen = new Set<string>();
  for (const claim of claims) {
    const at = placeOf(claim, text, foldable ? folded : undefined, used);
    if (at < 0) dropped.push(claim.text);
    else {
      const entity = { text: text.slice(at, at + claim.text.length), label: claim.label, start: at, end: at + claim.text.length };
      const key = `${at}:${entity.end}:${entity.label}`;
      if (!seen.has(key)) entities.push(entity);
      seen.add(key);
    }
  }
  return { entities, dropped };
}

/** The claimed offset if the text stands there, else the next occurrence that no earlier claim took, else the first. */
function placeOf(claim: Claim, text: string, folded: string | undefined, used: Map<string, number>): number {
  const own = claim.text;
  if (own === '') return -1;
  if (claim.start !== undefined && text.startsWith(own, claim.start)) return claim.start;
  const from = used.get(own) ?? 0;
  let at = nextWhole(text, own, from);
  if (at < 0 && from > 0) return -1;
  if (at < 0 && folded !== undefined) at = nextWhole(folded, caseFold(own), from);
  if (at >= 0) used.set(own, at + own.length);
  return at;
}

/** The next occurrence at word edges; else the next at all. */
function nextWhole(text: string, own: string, from: number): number {
  let first = -1;
  for (let at = text.indexOf(own, from), steps = 0; at >= 0 && steps < 100; at = text.indexOf(own, at + 1), steps++) {
    if (first < 0) first = at;
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ') && !/[\p{L}\p{N}]/u.test(text[at + own.length] ?? ' ')) return at;
  }
  return first;
}
