// Loads the rows of a recipe, applies its steps, splits them, and looks for rows that stand in more than one split.

import { basename } from 'node:path';
import type { SpecialiseRecipe } from '../../config/specialise-recipe.ts';
import { addName, objectOfCounts } from '../../core/count-names.ts';
import type { Dataset, DatasetSplit, Row } from '../../core/dataset.ts';
import { digestOf } from '../../core/digest.ts';
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';
import type { DatasetBlock } from '../../core/specialise-record.ts';
import { type LeakReport, leakReport } from '../../datasets/leak-report.ts';
import { manifestOf } from '../../datasets/make-split.ts';
import { loadDataset } from '../../datasets/registry.ts';
import { applySteps, type DatasetStep } from '../../datasets/steps.ts';
import { stratifiedSplit } from '../../datasets/stratified-split.ts';
import { rowsInCode } from '../prepare-tasks.ts';
import type { Workspace } from '../workspace.ts';

export const splitRoles = ['train', 'validation', 'test'] as const;
export type SplitRole = (typeof splitRoles)[number];
export type Splits = Readonly<Record<SplitRole, readonly Row[]>>;

export interface PreparedData {
  readonly splits: Splits;
  readonly block: DatasetBlock;
  /** sha256 over the content of every split. */
  readonly digests: Readonly<Record<SplitRole, string>>;
  readonly notes: readonly string[];
  readonly smoke: boolean;
}

export interface PrepareDataOptions {
  readonly workspace: Workspace;
  /** The first N rows of each split: a smoke run. */
  readonly limit?: number | undefined;
  /** Any leak is an error. */
  readonly strict?: boolean | undefined;
}

type Rule = SpecialiseRecipe['dataset'];

async function open(rule: Rule, workspace: Workspace): Promise<Dataset> {
  const { offline, cacheDirectory, onProgress, signal } = workspace.sources;
  const { format, encoding, skipBadRows } = rule;
  return loadDataset(rule.source, { offline, cacheDirectory, onProgress, signal, format, encoding, skipBadRows });
}

/** Integer classes become their names, so that prompts, counts and reports speak of the same labels. */
function named(split: DatasetSplit): Row[] {
  const columns = Object.entries(split.classNames ?? {});
  const fields = split.rows.map((row) => {
    const names = columns.flatMap(([column, list]) => {
      const value = row.fields[column];
      return typeof value === 'number' && list[value] !== undefined ? [[column, list[value]] as const] : [];
    });
    return names.length === 0 ? row.fields : { ...row.fields, ...Object.fromEntries(names) };
  });
  return rowsInCode(fields);
}

/** After the steps ids are those of what is left: the same content has the same id in every split and run. */
function stepped(rows: readonly Row[], rule: Rule, notes: string[]): Row[] {
  if (rule.steps.length === 0) return [...rows];
  const result = applySteps(rows, rule.steps as unknown as readonly DatasetStep[]);
  notes.push(...result.notes);
  return rowsInCode(result.rows.map((row) => row.fields));
}

async function divide(dataset: Dataset, rule: Rule, notes: string[]): Promise<Record<SplitRole, readonly Row[]>> {
  if (rule.splits !== undefined) {
    const roles: Record<SplitRole, readonly Row[]> = { train: [], validation: [], test: [] };
    for (const role of splitRoles) {
      const name = rule.splits[role];
      if (name === undefined) continue;
      const split = await dataset.split(name);
      notes.push(...split.notes);
      roles[role] = stepped(named(split), rule, notes);
    }
    return roles;
  }
  const part = rule.part ?? (dataset.splitNames.length === 1 ? dataset.splitNames[0]! : 'train');
  const split = await dataset.split(part);
  notes.push(...split.notes);
  const rows = stepped(named(split), rule, notes);
  const { by, seed, sizes, sameBy } = rule.split!;
  checkColumn(rows, by, 'dataset.split.by');
  for (const column of sameBy ?? []) checkColumn(rows, column, 'dataset.split.sameBy');
  const given = Object.fromEntries(splitRoles.flatMap((role) => (sizes[role] === undefined ? [] : [[role, sizes[role]]])));
  const result = stratifiedSplit(rows, { sizes: given, by, seed, sameBy });
  notes.push(...result.notes);
  const of = (role: SplitRole) => result.splits[role] ?? [];
  return { train: of('train'), validation: of('validation'), test: of('test') };
}

function checkColumn(rows: readonly Row[], column: string | undefined, where: string): void {
  if (column === undefined || rows.length === 0 || Object.hasOwn(rows[0]!.fields, column)) return;
  throw new ToolError('data', `${where}: there is no column "${column}"`, { hint: suggestName(column, Object.keys(rows[0]!.fields)) });
}

function classCounts(rows: readonly Row[], column: string): Record<string, number> | null {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = row.fields[column];
    if (typeof value !== 'string' && typeof value !== 'number') return null;
    addName(counts, String(value));
  }
  return counts.size > 200 ? null : objectOfCounts(counts);
}

/** Held-out rows that stand in the training split, and validation rows that stand in the test split. */
function leakedIds(report: LeakReport, kinds: ReadonlySet<string>): Readonly<Record<SplitRole, ReadonlySet<string>>> {
  const leaked = { train: new Set<string>(), validation: new Set<string>(), test: new Set<string>() };
  for (const pair of report.pairs) {
    if (!kinds.has(pair.kind)) continue;
    const sides = [pair.left, pair.right];
    const inTrain = sides.some((side) => side.split === 'train');
    for (const side of sides) {
      if (side.split === 'validation' || (side.split === 'test' && inTrain)) leaked[side.split].add(side.id);
    }
  }
  return leaked;
}

interface LeakOutcome {
  readonly splits: Record<SplitRole, readonly Row[]>;
  readonly block: NonNullable<DatasetBlock['leaks']>;
  readonly notes: readonly string[];
}

/** Exact copies never stay in held-out splits; near ones do unless the recipe says `remove`. */
function handleLeaks(splits: Record<SplitRole, readonly Row[]>, rule: Rule, strict: boolean): LeakOutcome {
  const report = leakReport(splits, { columns: rule.leaks.columns, nearThreshold: rule.leaks.nearThreshold });
  const found = `${report.exact} exact and ${report.near} near duplicates (similarity of at least ${report.nearThreshold}) stand in two splits`;
  if (report.pairs.length > 0 && (strict || rule.leaks.policy === 'fail')) {
    const first = report.pairs[0]!;
    throw new ToolError('data', `${found}; the first: ${first.left.split} ${first.left.id} and ${first.right.split} ${first.right.id}`, {
      hint: 'dedupe the source, or let leaks.policy be "remove"',
    });
  }
  const kinds = new Set(rule.leaks.policy === 'remove' ? ['exact', 'near'] : ['exact']);
  const leaked = leakedIds(report, kinds);
  const keep = (role: SplitRole) => splits[role].filter((row) => !leaked[role].has(row.id));
  const removed = [...leaked.validation, ...leaked.test];
  const notes = report.pairs.length === 0 ? [] : [`${found}; ${removed.length} held-out rows were taken out`];
  return {
    splits: { train: splits.train, validation: keep('validation'), test: keep('test') },
    block: { exact: report.exact, near: report.near, nearThreshold: report.nearThreshold, pairs: report.pairs.slice(0, 50), removed },
    notes,
  };
}

/**
 * Rows of all splits, disjoint, with their description for the record.
 * @throws ToolError `data` for empty or impossible splits and, when strict, for any leak
 */
export async function prepareData(recipe: SpecialiseRecipe, options: PrepareDataOptions): Promise<PreparedData> {
  const rule = recipe.dataset;
  const dataset = await open(rule, options.workspace);
  const notes: string[] = [];
  const divided = await divide(dataset, rule, notes);
  const { splits: clean, block: leaks, notes: leakNotes } = handleLeaks(divided, rule, options.strict === true);
  notes.push(...leakNotes);
  const { limit } = options;
  const cut = (rows: readonly Row[]) => (limit === undefined ? rows : rows.slice(0, limit));
  const splits: Splits = { train: cut(clean.train), validation: cut(clean.validation), test: cut(clean.test) };
  if (splits.test.length === 0) throw new ToolError('data', 'the test split has no row', { hint: 'check dataset.split, steps and leaks' });
  if (recipe.training !== false && splits.train.length === 0) throw new ToolError('data', 'the training split has no row');
  checkColumn(splits.test, recipe.task.labels === undefined ? undefined : (recipe.task.labelColumn ?? rule.label), 'task.labelColumn');
  const { info, provenance } = dataset;
  const licence = rule.licence ?? info.licence;
  return {
    splits,
    notes,
    smoke: limit !== undefined,
    digests: {
      train: digestOf(splits.train.map((row) => row.fields)),
      validation: digestOf(splits.validation.map((row) => row.fields)),
      test: digestOf(splits.test.map((row) => row.fields)),
    },
    block: {
      // A file is known by what the recipe calls it.
      name: rule.title ?? (provenance.kind === 'file' ? rule.name : info.title),
      source: provenance.kind === 'file' ? basename(provenance.reference) : provenance.reference,
      revision: provenance.revision ?? null,
      files: { ...provenance.files },
      licence: licence.name,
      redistributable: licence.redistributable,
      splitSeed: rule.split?.seed ?? null,
      splits: splitRoles
        .filter((role) => splits[role].length > 0)
        .map((role) => ({
          name: role,
          examples: splits[role].length,
          classCounts: classCounts(splits[role], rule.label),
          manifest: manifestOf(splits[role].map((row) => row.id)),
        })),
      leaks,
      notes,
    },
  };
}
