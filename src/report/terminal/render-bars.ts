// A small bar chart for the terminal: one bar per model with its score and interval, as wide as there is room.
import { formatPercent, neutraliseControls } from '../format-values.ts';
import type { Standing, Standings } from '../standings.ts';
import { displayWidth, type TerminalStyle } from './layout-table.ts';

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const maxBar = 48;
const maxRows = 20;

/** A bar of `width` cells at full score, in steps of an eighth of a cell. */
export function bar(share: number, width: number): string {
  const units = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  return '█'.repeat(Math.floor(units / 8)) + eighths[units % 8]!;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

function cut(name: string, width: number): string {
  let shown = '';
  for (const character of name) {
    if (displayWidth(shown + character) >= width) return `${shown}…`;
    shown += character;
  }
  return shown;
}

function valueText({ quality }: Standing): string {
  const range = quality!.low === null ? '' : ` [${(quality!.low * 100).toFixed(1)}, ${(quality!.high! * 100).toFixed(1)}]`;
  return formatPercent(quality!.value) + range;
}

/** '' for fewer than two scored models, for units that are no share, and where the terminal is too narrow. */
export function renderBars(standings: Standings, style: TerminalStyle): string {
  const scored = standings.models.filter(({ quality }) => quality !== null);
  if (scored.length < 2 || standings.unit !== 'fraction') return '';
  const shown = scored.slice(0, maxRows);
  const names = shown.map(({ model }) => neutraliseControls(model.key).replace(/\s+/g, ' '));
  const values = shown.map(valueText);
  const nameWidth = Math.min(28, Math.max(...names.map(displayWidth)));
  const valueWidth = Math.max(...values.map(displayWidth));
  const barWidth = Math.min(maxBar, style.width - nameWidth - valueWidth - 4);
  if (barWidth < 8) return '';
  const lines = shown.map((standing, index) => {
    const line = `${pad(cut(names[index]!, nameWidth + 1), nameWidth)}  ${pad(bar(standing.quality!.value, barWidth), barWidth)}  ${values[index]}`;
    return standing.place === 'best' ? style.bold(line) : line;
  });
  const over = standings.tasks.length === 1 ? standings.tasks[0]!.task.key : `mean over ${standings.tasks.length} tasks`;
  const more = scored.length > shown.length ? [style.dim(`... ${scored.length - shown.length} more`)] : [];
  return `${[style.dim(`score, ${neutraliseControls(over)}; full width is 100 %`), ...lines, ...more].join('\n')}\n`;
}
