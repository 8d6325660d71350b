// `slmbench score`: the metrics of a prediction file as a table or JSON.
import { parseColumns } from '../app/find-task-definition.ts';
import { scorePredictions } from '../app/score-predictions.ts';
import { formatMetric } from '../report/format-values.ts';
import { layoutTable } from '../report/terminal/layout-table.ts';
import { outputStyle } from './terminal-style.ts';
import type { ScoreFlags } from './verbs/score.ts';

export async function scoreCommand(file: string, flags: ScoreFlags): Promise<string> {
  const scored = await scorePredictions({
    file,
    metrics: flags.metric,
    labels: flags.labels,
    columns: parseColumns(flags.columns ?? []),
    filter: flags.filter,
    seed: 42,
  });
  if (flags.json === true) return `${JSON.stringify(scored, null, 2)}\n`;
  const columns = [
    { title: 'metric', align: 'left', priority: 5 },
    { title: 'average', align: 'left', priority: 4 },
    { title: 'value [95 %]', align: 'right', priority: 6 },
    { title: 'n', align: 'right', priority: 3 },
    { title: 'version', align: 'left', priority: 1 },
  ] as const;
  const rows = scored.values.map((value) => [
    value.name,
    value.average ?? '—',
    formatMetric(value),
    String(value.n),
    value.signature ?? value.version,
  ]);
  const leftOut = scored.leftOut.map(
    (one) =>
      `left out: ${one.rows} of ${scored.rows + one.rows} rows, ${one.reason} (line ${one.lines.join(', ')}${one.rows > one.lines.length ? ', ...' : ''})\n`,
  );
  const { invalid } = scored;
  const unusable = `invalid: ${invalid.rows} of ${scored.rows} rows (${(invalid.rate * 100).toFixed(1)} %) without a usable prediction\n`;
  const notes = Object.entries(scored.details).flatMap(([name, { notes = [] }]) => notes.map((note) => `${name}: ${note}\n`));
  return `${layoutTable(columns, rows, outputStyle())}\n${unusable}${leftOut.join('')}${notes.join('')}`;
}
