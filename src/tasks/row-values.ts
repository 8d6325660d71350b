// Values of a dataset row as a task needs them: columns by path, options without holes, and the index of the right option.
import type { Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { suggestName } from '../core/names.ts';
import { renderTemplate } from '../templating/render-template.ts';
import type { GoldRule, ListSource } from './task-definition.ts';

/** Letters of options; 26 at most. */
export const optionLetters: readonly string[] = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Variables of a template: the columns, and `row` for columns whose names are no identifiers. */
export function variablesOf(fields: JsonObject): Readonly<Record<string, unknown>> {
  return 'row' in fields ? fields : { ...fields, row: fields };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Value at a dotted path, or undefined. Inside a list of objects a name takes that member of each. */
export function valueAt(fields: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(fields, path)) return fields[path];
  let value: Json | undefined = fields;
  for (const part of path.split('.')) {
    if (Array.isArray(value))
      value = value.map((item: Json) => (isObject(item) && Object.hasOwn(item, part) ? (item[part] ?? null) : null));
    else if (isObject(value) && Object.hasOwn(value, part)) value = value[part];
    else return undefined;
  }
  return value;
}

/** Value at a path that must be there. @throws ToolError `data` naming the row and the nearest column */
export function requiredAt(row: Row, fields: JsonObject, path: string): Json {
  const value = valueAt(fields, path);
  if (value !== undefined) return value;
  throw new ToolError('data', `row ${row.id} has no column "${path}"`, { hint: suggestName(path, Object.keys(fields)) });
}

/** Text of a scalar as a person would write it. */
export function textOf(value: Json | undefined): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A list of texts: a list column (null members and trailing holes left out), or rendered templates. */
export function listOf(row: Row, fields: JsonObject, source: ListSource): string[] {
  if (typeof source !== 'string') return source.map((item) => renderTemplate(item, variablesOf(fields)));
  const value = requiredAt(row, fields, source);
  if (Array.isArray(value)) {
    return value
      .filter((item: Json) => item !== null)
      .map((item: Json) => (isObject(item) && 'text' in item ? textOf(item['text']) : textOf(item)));
  }
  if (isObject(value) && Array.isArray(value['text'])) return listOf(row, value, 'text');
  if (isObject(value))
    return Object.values(value)
      .filter((item) => item !== null && item !== undefined)
      .map(textOf);
  if (value === null || value === '') return [];
  return [textOf(value)];
}

/** Options of a row. Formats without lists (CSV) write them as JSON text: `["yes","no"]` or `{"text": [...]}`. */
export function optionsOf(row: Row, fields: JsonObject, source: ListSource): string[] {
  const value = typeof source === 'string' ? valueAt(fields, source) : undefined;
  const parsed = typeof value === 'string' ? listInText(value) : undefined;
  return parsed === undefined ? listOf(row, fields, source) : listOf(row, { list: parsed }, 'list');
}

/**
 * Labels of options that are written as a map from label to text: `{"A": "yes", "B": "no"}`; undefined for other forms.
 * Members stand in the order of `optionsOf`.
 */
export function optionKeysOf(fields: JsonObject, source: ListSource | undefined): readonly string[] | undefined {
  const value = typeof source === 'string' ? valueAt(fields, source) : undefined;
  const map = typeof value === 'string' ? listInText(value) : value;
  if (!isObject(map) || Object.values(map).some((item) => typeof item === 'object' && item !== null)) return undefined;
  return Object.keys(map).filter((key) => map[key] !== null && map[key] !== undefined);
}

function listInText(text: string): Json | undefined {
  if (!/^\s*(?:\[[\s\S]*\]|\{[\s\S]*\})\s*$/u.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/**
 * Indices of the right options.
 * @param keys - the options' own labels where the data has them as a map; the gold value then names one of them
 * @throws ToolError `data` when the gold value is empty or outside the options; the message names the row
 */
export function goldOf(
  row: Row,
  fields: JsonObject,
  rule: GoldRule,
  options: readonly string[],
  keys?: readonly string[],
): readonly number[] {
  if ('fixed' in rule) return [checked(row, rule.fixed, options.length, String(rule.fixed))];
  const value = requiredAt(row, fields, rule.column);
  if (rule.as === 'mask') return maskedGold(row, value, options.length);
  const indexOf = (item: Json): number => {
    const byName = keys === undefined || rule.labels !== undefined ? undefined : keyedGold(row, rule, options, keys, item);
    return byName ?? goldIndex(row, fields, rule, options, item);
  };
  return Array.isArray(value) ? value.map(indexOf) : [indexOf(value)];
}

/** Index of the option with that key or text; undefined where the value must be read as for a plain list. */
function keyedGold(row: Row, rule: ColumnRule, options: readonly string[], keys: readonly string[], value: Json): number | undefined {
  const text = textOf(value).trim();
  if (text === '' || rule.as === 'index' || rule.as === 'text') return undefined;
  const exact = keys.findIndex((key) => key.trim() === text);
  if (exact >= 0) return exact;
  const folded = keys.flatMap((key, index) => (key.trim().toLowerCase() === text.toLowerCase() ? [index] : []));
  if (folded.length === 1) return folded[0];
  const asText = options.indexOf(text);
  if (asText >= 0) return asText;
  // Only labels A, B, C... in order leave no doubt about what a position means.
  if (keys.every((key, index) => key === optionLetters[index])) return undefined;
  throw badGold(row, text, `not among the labels ${keys.join(', ')} nor the options ${options.join(' | ')}`);
}

function maskedGold(row: Row, value: Json, count: number): readonly number[] {
  const flags = Array.isArray(value) ? value : [];
  const gold = flags.flatMap((flag: Json, index: number) => (flag === 1 || flag === true ? [index] : []));
  if (gold.length === 0) throw badGold(row, textOf(value), 'no option is marked as right');
  for (const index of gold) checked(row, index, count, String(index));
  return gold;
}

type ColumnRule = Extract<GoldRule, { column: string }>;

function goldIndex(row: Row, fields: JsonObject, rule: ColumnRule, options: readonly string[], value: Json): number {
  const text = textOf(value).trim();
  if (text === '') throw new ToolError('data', `row ${row.id}: empty gold: column "${rule.column}" is empty`);
  if (rule.labels !== undefined) return byLabel(row, fields, rule.labels, text);
  if (rule.as === 'text') return byText(row, options, text);
  if (rule.as === 'label') return byLetter(row, options, text);
  if (typeof value === 'boolean' && options.length === 2) return Number(value);
  const isInteger = typeof value === 'number' ? Number.isInteger(value) : /^-?\d+$/u.test(text);
  if (rule.as === 'index' || typeof value === 'number') {
    if (!isInteger) throw badGold(row, text, 'expected a whole number');
    return checked(row, Number(text) + rule.offset, options.length, text);
  }
  const asText = options.indexOf(text);
  if (asText >= 0) return asText;
  if (isInteger) return checked(row, Number(text) + rule.offset, options.length, text);
  return byLetter(row, options, text);
}

function byLabel(row: Row, fields: JsonObject, path: string, text: string): number {
  const value = requiredAt(row, fields, path);
  const labels = Array.isArray(value) ? value.map(textOf) : [];
  const index = labels.indexOf(text);
  if (index < 0) throw badGold(row, text, `not among the labels ${labels.join(', ')}`);
  return index;
}

function byText(row: Row, options: readonly string[], text: string): number {
  const index = options.findIndex((option) => option.trim() === text);
  if (index < 0) throw badGold(row, text, `not among the options ${options.join(' | ')}`);
  return index;
}

function byLetter(row: Row, options: readonly string[], text: string): number {
  const index = text.length === 1 ? optionLetters.indexOf(text.toUpperCase()) : -1;
  if (index < 0 || index >= options.length) {
    throw badGold(
      row,
      text,
      `not among the labels ${optionLetters.slice(0, options.length).join(', ')} nor the options ${options.join(' | ')}`,
    );
  }
  return index;
}

function checked(row: Row, index: number, count: number, shown: string): number {
  if (index < 0 || index >= count) throw badGold(row, shown, `outside 0..${count - 1}`);
  return index;
}

function badGold(row: Row, shown: string, why: string): ToolError {
  return new ToolError('data', `row ${row.id}: gold answer "${shown}" is no use: ${why}`, {
    hint: 'every row needs a reachable right answer; hidden test labels are often -1: choose a split with answers',
  });
}
