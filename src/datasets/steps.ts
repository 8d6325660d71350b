// Declarative changes to rows, in the order written: no code in data descriptions.
import { z } from 'zod';
import type { Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { suggestName } from '../core/names.ts';
import { createRandom, shuffled } from '../stats/random.ts';
import { renderTemplate } from '../templating/render-template.ts';
import { balanceRows } from './balance-rows.ts';
import { normalisedKey } from './normalise-text.ts';

const column = z.string().min(1);

export const datasetStepSchema = z.union([
  z.strictObject({ rename: z.record(column, column).describe('new names by old names') }),
  z.strictObject({ map: z.record(column, z.string()).describe('Jinja template by column, over the row before this step') }),
  z.strictObject({ filter: z.string().min(1).describe('Jinja expression; rows where it is true stay: label != "neutral"') }),
  z.strictObject({ select: z.array(column).min(1).describe('only these columns stay') }),
  z.strictObject({
    dedupe: z.union([z.literal(true), z.strictObject({ by: z.array(column).min(1), normalise: z.boolean().default(true) })]),
  }),
  z.strictObject({ shuffle: z.strictObject({ seed: z.number().int() }) }),
  z.strictObject({ limit: z.number().int().positive() }),
  z.strictObject({
    balance: z.strictObject({ by: column, method: z.enum(['oversample', 'undersample']), seed: z.number().int() }),
  }),
  z.strictObject({ add_id: z.strictObject({ column: column.default('id') }) }),
]);
export type DatasetStep = z.input<typeof datasetStepSchema>;

export interface StepResult {
  readonly rows: readonly Row[];
  /** What each step did, one line a step that changed the number of rows. */
  readonly notes: readonly string[];
}

/**
 * Applies steps in order. Ids stay those of the source rows, whatever the columns become; a row that oversampling repeats
 * gets `+2`, `+3`... behind its id.
 * @throws ToolError `config` for a malformed step, `data` for an unknown column or when no row is left, `template`
 */
export function applySteps(rows: readonly Row[], steps: readonly DatasetStep[]): StepResult {
  const notes: string[] = [];
  let current = rows;
  for (const [index, raw] of steps.entries()) {
    const parsed = datasetStepSchema.safeParse(raw);
    if (!parsed.success) throw malformedStep(raw, index, parsed.error);
    const name = Object.keys(raw)[0]!;
    const next = applyStep(current, parsed.data);
    if (next.length === 0) throw new ToolError('data', `step ${index + 1} (${name}) leaves no row of ${current.length}`);
    if (next.length !== current.length) notes.push(`${name}: ${current.length} rows -> ${next.length}`);
    current = next;
  }
  return { rows: current, notes };
}

const stepNames = ['rename', 'map', 'filter', 'select', 'dedupe', 'shuffle', 'limit', 'balance', 'add_id'];

function malformedStep(raw: unknown, index: number, error: z.ZodError): ToolError {
  const keys = typeof raw === 'object' && raw !== null ? Object.keys(raw) : [];
  const unknown = keys.find((key) => !stepNames.includes(key));
  if (unknown !== undefined)
    return new ToolError('config', `step ${index + 1}: unknown step "${unknown}"`, { hint: suggestName(unknown, stepNames) });
  return new ToolError('config', `step ${index + 1} is malformed: ${z.prettifyError(error)}`, {
    hint: `one step an item: ${stepNames.join(', ')}`,
  });
}

function applyStep(rows: readonly Row[], step: z.output<typeof datasetStepSchema>): readonly Row[] {
  if ('rename' in step) return rows.map((row) => ({ id: row.id, fields: renameColumns(row, step.rename) }));
  if ('map' in step) return rows.map((row) => ({ id: row.id, fields: mapColumns(row, step.map) }));
  if ('filter' in step) return rows.filter((row) => isTrue(step.filter, row.fields));
  if ('select' in step) return rows.map((row) => ({ id: row.id, fields: pick(row, step.select) }));
  if ('dedupe' in step) return dedupe(rows, step.dedupe === true ? undefined : step.dedupe);
  if ('shuffle' in step) return shuffled(rows, createRandom(step.shuffle.seed, 'dataset-shuffle'));
  if ('limit' in step) return rows.slice(0, step.limit);
  if ('balance' in step) return balanceRows(rows, step.balance);
  return rows.map((row) => ({ id: row.id, fields: { ...row.fields, [step.add_id.column]: row.id } }));
}

/** Value of a column that must be there. */
function required(row: Row, name: string): JsonObject[string] {
  if (Object.hasOwn(row.fields, name)) return row.fields[name];
  throw new ToolError('data', `row ${row.id} has no column "${name}"`, { hint: suggestName(name, Object.keys(row.fields)) });
}

function renameColumns(row: Row, names: Readonly<Record<string, string>>): JsonObject {
  for (const old of Object.keys(names)) required(row, old);
  const entries = Object.entries(row.fields).map(([name, value]) => [Object.hasOwn(names, name) ? names[name]! : name, value] as const);
  const twice = entries.find(([name], index) => entries.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw new ToolError('data', `row ${row.id}: two columns would be called "${twice[0]}"`);
  return Object.fromEntries(entries);
}

function mapColumns(row: Row, templates: Readonly<Record<string, string>>): JsonObject {
  const variables = { ...row.fields, row: row.fields };
  const mapped = Object.entries(templates).map(
    ([name, template]) => [name, renderTemplate(template, variables, { name: `map.${name}` })] as const,
  );
  return { ...row.fields, ...Object.fromEntries(mapped) };
}

function isTrue(expression: string, fields: JsonObject): boolean {
  return renderTemplate(`{% if ${expression} %}yes{% endif %}`, { ...fields, row: fields }, { name: `filter ${expression}` }) === 'yes';
}

function pick(row: Row, columns: readonly string[]): JsonObject {
  return Object.fromEntries(columns.map((name) => [name, required(row, name)]));
}

function dedupe(rows: readonly Row[], rule: { by: readonly string[]; normalise: boolean } | undefined): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const value = rule === undefined ? row.fields : rule.by.map((name) => required(row, name));
    const key = rule?.normalise === true ? normalisedKey(value) : JSON.stringify(value);
    return !seen.has(key) && seen.add(key);
  });
}
