// `slmbench publish`, `index`, `report`, `migrate`, `export` and `verify` of benchmark records.
import { exportRecipe } from '../app/specialise/export-recipe.ts';
import { mergeBenchmarks, type ReportFormat, renderByTemplate } from '../app/specialise/merge-benchmarks.ts';
import { migrateLmtask } from '../app/specialise/migrate-lmtask.ts';
import { publish } from '../app/specialise/publish.ts';
import { isBenchmarkPath, readBenchmarks } from '../app/specialise/read-benchmark.ts';
import { updateIndex } from '../app/specialise/update-index.ts';
import { verifyBenchmark } from '../app/specialise/verify-benchmark.ts';
import { writeOutput } from '../app/specialise/write-output.ts';
import { openWorkspace } from '../app/workspace.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import { type RecipeFlags, withRecipe } from './recipe-options.ts';

export { isBenchmarkPath };

function print(text: string): void {
  process.stdout.write(neutraliseForTerminal(text));
}

export interface PublishFlags extends RecipeFlags {
  readonly folder?: string;
}

export async function publishCommand(flags: PublishFlags): Promise<void> {
  const { files, notes } = await publish({ recipeFile: flags.config, assignments: flags.set, folder: flags.folder });
  print(
    flags.json === true
      ? `${JSON.stringify({ files, notes }, null, 2)}\n`
      : [...files, ...notes.map((note) => `note: ${note}`)].map((line) => `${line}\n`).join(''),
  );
}

export interface IndexFlags {
  readonly records?: readonly string[];
  readonly check?: boolean;
  readonly json?: boolean;
}

/** @returns 3 where the index has drifted and only a check was asked for */
export async function indexCommand(file: string, flags: IndexFlags): Promise<number> {
  const { entries, drift } = await updateIndex({ file, records: flags.records ?? ['benchmarks'], check: flags.check === true });
  if (flags.json === true) print(`${JSON.stringify({ file, entries, drift }, null, 2)}\n`);
  else if (drift.length === 0) print(`${file}: ${entries} ${entries === 1 ? 'benchmark' : 'benchmarks'}, up to date\n`);
  else
    print(
      `${file}: ${flags.check === true ? 'differs from the records' : `${entries} ${entries === 1 ? 'benchmark' : 'benchmarks'} written`}\n${drift.map((line) => `${line}\n`).join('')}`,
    );
  return flags.check === true && drift.length > 0 ? 3 : 0;
}

export interface ReportFlags {
  readonly format?: ReportFormat;
  readonly template?: string;
  readonly output?: string;
}

export async function reportCommand(paths: readonly string[], flags: ReportFlags): Promise<void> {
  const content =
    flags.template === undefined ? await mergeBenchmarks(paths, flags.format ?? 'md') : await renderByTemplate(paths, flags.template);
  if (flags.output !== undefined) await writeOutput(flags.output, content);
  // A pipe gets the bytes as they are; only a terminal can be driven by them.
  else process.stdout.write(typeof content === 'string' && process.stdout.isTTY === true ? neutraliseForTerminal(content) : content);
}

export interface MigrateFlags {
  readonly output?: string;
  readonly json?: boolean;
}

export async function migrateCommand(files: readonly string[], flags: MigrateFlags): Promise<void> {
  const migration = await migrateLmtask(files);
  if (flags.output !== undefined) await writeOutput(flags.output, migration.yaml);
  if (flags.json === true) return print(`${JSON.stringify(migration, null, 2)}\n`);
  if (flags.output === undefined) return print(migration.yaml);
  const lines = [
    `${flags.output}: ${migration.carried.length} settings carried, ${migration.left.length} left behind`,
    ...migration.left.map(({ key, why }) => `  not carried: ${key}: ${why}`),
    ...migration.missing.map((line) => `  to do: ${line}`),
  ];
  print(`${lines.join('\n')}\n`);
}

export interface ExportFlags extends RecipeFlags {
  readonly to?: string;
  readonly kind?: string;
  readonly type?: string;
  readonly compare?: boolean;
}

async function compareCommand(flags: ExportFlags): Promise<void> {
  const { compareExports } = await import('../app/specialise/compare-exports.ts');
  const compared = await withRecipe(flags, (options) => compareExports(options, flags.to ?? 'export'));
  if (flags.json === true) return print(`${JSON.stringify(compared, null, 2)}\n`);
  const { layoutTable } = await import('../report/terminal/layout-table.ts');
  const [{ formatMetric }, { outputStyle }] = await Promise.all([import('../report/format-values.ts'), import('./terminal-style.ts')]);
  const columns = [
    { title: 'served as', align: 'left', priority: 5 },
    { title: 'score [95 %]', align: 'right', priority: 6 },
    { title: 'invalid', align: 'right', priority: 3 },
    { title: 'against the adapter', align: 'right', priority: 4 },
    { title: 'p', align: 'right', priority: 2 },
    { title: '', align: 'left', priority: 1 },
  ] as const;
  const rows = compared.variants.map(({ title, score, againstAdapter: test, flags: found }) => [
    title,
    score.primary === null ? '—' : formatMetric(score.primary),
    `${score.invalidCount} of ${score.support}`,
    test?.difference == null ? '—' : test.difference.toFixed(4),
    test?.p == null ? '—' : test.p.toPrecision(2),
    found.join(', '),
  ]);
  print(`${layoutTable(columns, rows, outputStyle())}\n${compared.paths.map((path) => `${path}\n`).join('')}`);
  print('slmbench benchmark takes these rows into the record\n');
}

export async function exportCommand(flags: ExportFlags): Promise<void> {
  if (flags.compare === true) return await compareCommand(flags);
  const exported = await withRecipe(flags, (options) =>
    exportRecipe(options, { kind: flags.kind ?? 'gguf', folder: flags.to ?? 'export', type: flags.type }),
  );
  print(flags.json === true ? `${JSON.stringify(exported, null, 2)}\n` : exported.paths.map((path) => `${path}\n`).join(''));
}

/** @returns 1 where a record does not verify */
export async function verifyBenchmarks(paths: readonly string[], flags: { readonly json?: boolean }): Promise<number> {
  const results = [];
  const { userMetrics } = await openWorkspace({ offline: true });
  for (const found of await readBenchmarks(paths)) results.push({ file: found.file, ...(await verifyBenchmark(found, userMetrics)) });
  if (flags.json === true) print(`${JSON.stringify(results, null, 2)}\n`);
  for (const result of flags.json === true ? [] : results) {
    const listed = result.differences
      .slice(0, 50)
      .map(
        ({ path, recorded, recomputed }) => `  ${path}: recorded ${JSON.stringify(recorded)}, recomputed ${JSON.stringify(recomputed)}\n`,
      );
    if (result.from === 'nothing') print(`cannot verify ${result.name}: it has neither predictions nor class counts\n`);
    else if (listed.length === 0) print(`verified ${result.name}: ${result.checked} metrics follow from its ${result.from}\n`);
    else print(`NOT verified ${result.name}: ${result.differences.length} differences\n${listed.join('')}`);
  }
  return results.every((result) => result.differences.length === 0 && result.from !== 'nothing') ? 0 : 1;
}
