// Text from models and data inside Markdown: cells that keep their columns, and no mark-up of their own.
import { neutraliseControls } from '../format-values.ts';

/** One table cell (GFM): backslashes and pipes escaped, line ends as `<br>`, HTML and links made inert, nothing as `(empty)` (O02). */
export function markdownCell(text: string): string {
  const lines = text.trim().split(/\r\n?|\n/);
  const escaped = lines.map((line) =>
    neutraliseControls(line)
      .replace(/\\/g, '\\\\')
      .replace(/\|/g, '\\|')
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/([`*_[\]~!#])/g, '\\$1'),
  );
  return escaped.join('<br>') || '(empty)';
}

/** Inline code that may hold back-ticks and pipes; safe inside a table cell. */
export function markdownCode(text: string): string {
  const clean = neutraliseControls(text).replace(/\r\n?|\n/g, ' ');
  const longest = Math.max(0, ...[...clean.matchAll(/`+/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  const padded = clean.startsWith('`') || clean.endsWith('`') ? ` ${clean} ` : clean;
  return `${fence}${padded.replace(/\|/g, '\\|')}${fence}`;
}

export function markdownTable(
  header: readonly string[],
  align: readonly ('left' | 'right')[],
  rows: readonly (readonly string[])[],
): string {
  const rule = align.map((side) => (side === 'right' ? '---:' : '---'));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
