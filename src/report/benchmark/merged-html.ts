// The merged table as one HTML file without scripts, readable in light and dark.
import { dash } from '../format-values.ts';
import { escapeHtml } from './escape-html.ts';
import type { MergedTable } from './merge-table.ts';

function shown(value: string | number | null): string {
  if (value === null) return dash;
  return typeof value === 'string' ? value : Number.isInteger(value) ? String(value) : value.toFixed(4);
}

const style =
  'body{font:15px/1.5 system-ui,sans-serif;margin:2rem;color-scheme:light dark}table{border-collapse:collapse}' +
  'th,td{padding:.35rem .7rem;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);text-align:left;white-space:nowrap}' +
  'td.n{text-align:right;font-variant-numeric:tabular-nums}div,figure{overflow-x:auto;margin:0 0 1.5rem}svg{font:13px system-ui,sans-serif;fill:currentColor}.bar{fill:#4a7bd0}';

/** @param figure trusted mark-up that stands above the table */
export function mergedHtml({ columns, rows }: MergedTable, figure = ''): string {
  const keep = columns.flatMap((_, index) => (rows.some((row) => row[index] !== null && row[index] !== '') ? [index] : []));
  const head = keep.map((index) => `<th scope="col">${escapeHtml(columns[index]!)}</th>`).join('');
  const body = rows
    .map(
      (row) =>
        `<tr>${keep.map((index) => `<td${typeof row[index] === 'number' ? ' class="n"' : ''}>${escapeHtml(shown(row[index] ?? null))}</td>`).join('')}</tr>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Benchmarks</title><style>${style}</style></head>
<body><h1>Benchmarks</h1>${figure}<div><table><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></div></body></html>
`;
}
