// The comparison as a LaTeX table with booktabs rules: models in rows, tasks in columns, the best of a task in bold.
import { neutraliseControls } from '../format-values.ts';
import type { Standings } from '../standings.ts';
import type { ReportView } from '../view-model.ts';

const special: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': '\\textquotedbl{}',
};

/** Plain text in LaTeX: no character starts a command, a comment or mathematics. */
export function latexText(text: string): string {
  return neutraliseControls(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\{}$&#%_^~<>|"]/g, (character) => special[character]!);
}

/** Shares in percent with the larger half of their interval, other units with three decimals. */
function value(entry: ReportView['tasks'][number]['results'][number]['entry'], isBest: boolean): string {
  const { primary } = entry;
  if (primary === null || primary.value === null) return '--';
  const scale = primary.unit === 'fraction' ? 100 : 1;
  const digits = primary.unit === 'fraction' ? 1 : 3;
  const number = (primary.value * scale).toFixed(digits);
  const shown = isBest ? `\\textbf{${number}}` : number;
  if (primary.interval === null) return shown;
  return `${shown} {\\scriptsize [${(primary.interval.low * scale).toFixed(digits)}, ${(primary.interval.high * scale).toFixed(digits)}]}`;
}

export function renderLatex(view: ReportView, standings: Standings): string {
  const header = ['Model', ...view.tasks.map(({ task }) => latexText(task.key)), 'p50 (ms)', 'Memory (MiB)'];
  const lines = standings.models.map(({ model, latencyP50Ms, peakRssBytes }) => [
    latexText(model.key),
    ...view.tasks.map((task) => {
      const result = task.results.find((candidate) => candidate.model.key === model.key);
      return result === undefined ? '--' : value(result.entry, task.results.length > 1 && task.best === model.key);
    }),
    latencyP50Ms === null ? '--' : latencyP50Ms.toFixed(0),
    peakRssBytes === null ? '--' : (peakRssBytes / 2 ** 20).toFixed(0),
  ]);
  const runs = view.records.map((record) => latexText(record.id)).join(', ');
  return [
    '% needs \\usepackage{booktabs}',
    '\\begin{table}',
    '\\centering',
    `\\caption{Primary metric with its 95\\,\\% interval (shares in percent). Run ${runs}.}`,
    `\\begin{tabular}{l${'r'.repeat(header.length - 1)}}`,
    '\\toprule',
    `${header.join(' & ')} \\\\`,
    '\\midrule',
    ...lines.map((cells) => `${cells.join(' & ')} \\\\`),
    '\\bottomrule',
    '\\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n');
}
