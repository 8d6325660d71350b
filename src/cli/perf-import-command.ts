// `slmbench perf import`: figures of another tool as a table, with a note wherever a definition differs.
import { importResults } from '../app/perf/importers/import-results.ts';
import { dash, formatFixed } from '../report/format-values.ts';
import { layoutTable, type TableColumn } from '../report/terminal/layout-table.ts';
import { outputStyle } from './terminal-style.ts';
import type { PerfFlags } from './verbs/perf.ts';

const columns: readonly TableColumn[] = [
  { title: 'model', align: 'left', priority: 8 },
  { title: 'load', align: 'left', priority: 7 },
  { title: 'metric', align: 'left', priority: 10 },
  { title: 'unit', align: 'left', priority: 4 },
  { title: 'n', align: 'right', priority: 5 },
  { title: 'mean', align: 'right', priority: 9 },
  { title: 'p50', align: 'right', priority: 6 },
  { title: 'p95', align: 'right', priority: 3 },
  { title: 'definition', align: 'left', priority: 9 },
];

export async function perfImportCommand(file: string, flags: PerfFlags): Promise<number> {
  const imported = await importResults(file);
  if (flags.json === true) {
    process.stdout.write(`${JSON.stringify(imported, null, 2)}\n`);
    return 0;
  }
  const rows = imported.points.flatMap((point) =>
    point.metrics.map((metric) => [
      point.model,
      point.load,
      metric.metric,
      metric.unit,
      String(metric.n ?? dash),
      formatFixed(metric.mean, 2),
      formatFixed(metric.p50, 2),
      formatFixed(metric.p95, 2),
      metric.differs === null ? 'same' : `differs: ${metric.differs}`,
    ]),
  );
  process.stdout.write(`${imported.tool}\n${layoutTable(columns, rows, outputStyle())}\n`);
  return 0;
}
