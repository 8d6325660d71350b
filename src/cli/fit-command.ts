// What `slmbench fit` prints.
import { type FitRow, fitModels } from '../app/perf/fit.ts';
import { ToolError } from '../core/errors.ts';
import { dash, formatBytes } from '../report/format-values.ts';
import { layoutTable, type TableColumn } from '../report/terminal/layout-table.ts';
import { outputStyle } from './terminal-style.ts';
import type { FitFlags } from './verbs/fit.ts';

const defaultContexts = [2048, 8192, 32_768];
const marks = { fits: '', tight: ' tight', 'too large': ' too large' } as const;

function contextsOf(flags: FitFlags): number[] {
  const contexts = (flags.contexts ?? []).map((text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1) throw new ToolError('usage', `--contexts: "${text}" is not a whole number of tokens`);
    return value;
  });
  return contexts.length > 0 ? contexts.toSorted((a, b) => a - b) : defaultContexts;
}

function cells(row: FitRow, contexts: readonly number[]): string[] {
  return [
    row.model + (row.gated ? ' (gated)' : ''),
    row.quantisation + (row.isListed ? '' : ' *'),
    formatBytes(row.sizeBytes),
    ...contexts.map((contextTokens) => {
      const judged = row.contexts.find((context) => context.contextTokens === contextTokens);
      return judged === undefined ? dash : `${row.basis === 'estimate' ? '~' : ''}${formatBytes(judged.memoryBytes)}${marks[judged.fit]}`;
    }),
    row.largestContext === null ? 'none' : String(row.largestContext),
    String(row.instances),
  ];
}

export async function fitCommand(flags: FitFlags): Promise<string> {
  const contexts = contextsOf(flags);
  const report = await fitModels({
    models: flags.models ?? [],
    quantisations: flags.types ?? ['Q8_0', 'Q4_K_M'],
    contexts,
    memoryBytes: flags.memory === undefined ? null : flags.memory * 2 ** 30,
  });
  if (flags.json === true) return `${JSON.stringify(report, null, 2)}\n`;
  const columns: TableColumn[] = [
    { title: 'model', align: 'left', priority: 9 },
    { title: 'quantisation', align: 'left', priority: 8 },
    { title: 'file', align: 'right', priority: 6 },
    ...contexts.map((context, index): TableColumn => ({ title: `at ${context}`, align: 'right', priority: 7 - index })),
    { title: 'context that fits', align: 'right', priority: 5 },
    { title: 'copies', align: 'right', priority: 2 },
  ];
  return [
    `memory: ${formatBytes(report.memoryBytes)}, ${formatBytes(report.availableBytes)} free now; a model fits when it leaves a quarter to the system`,
    layoutTable(
      columns,
      report.rows.map((row) => cells(row, contexts)),
      outputStyle(),
    ),
    '~ estimated (that file is not here)   * another quantisation than the registry fetches',
    '',
  ].join('\n');
}
