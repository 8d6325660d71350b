// The history as pictures and tables: `trend.svg` with one panel a series, `trend.md` with the newest values.
import { formatDuration } from '../../report/format-values.ts';
import { markdownCell, markdownTable } from '../../report/markdown/escape-markdown.ts';
import type { HistoryEntry, WatchHistory } from './history.ts';

const panel = { width: 640, height: 120, left: 60, right: 16, top: 26, bottom: 18 } as const;
const shown = 60;

function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** Entries by model and task, in order of appearance. */
export function groupSeries({ entries }: WatchHistory): ReadonlyMap<string, readonly HistoryEntry[]> {
  return Map.groupBy(entries, (entry) => `${entry.model} on ${entry.task}`);
}

function drawPanel(name: string, entries: readonly HistoryEntry[], top: number): string {
  const points = entries.filter((entry) => entry.value !== null).slice(-shown);
  const title = `<text x="${panel.left}" y="${top + 16}" class="t">${escapeXml(name)}: ${escapeXml(points.at(-1)?.metric ?? 'no value')}</text>`;
  if (points.length === 0) return title;
  const lows = points.map((point) => point.low ?? point.value!);
  const highs = points.map((point) => point.high ?? point.value!);
  const [low, high] = [Math.min(...lows), Math.max(...highs)];
  const span = high - low || Math.abs(high) || 1;
  const innerHeight = panel.height - panel.top - panel.bottom;
  const x = (index: number): number =>
    panel.left + (points.length === 1 ? 0 : (index / (points.length - 1)) * (panel.width - panel.left - panel.right));
  const y = (value: number): number => top + panel.top + (1 - (value - low) / span) * innerHeight;
  const at = (index: number, value: number): string => `${x(index).toFixed(1)},${y(value).toFixed(1)}`;
  const band = [...highs.map((value, index) => at(index, value)), ...lows.map((value, index) => at(index, value)).reverse()].join(' ');
  const line = points.map((point, index) => at(index, point.value!)).join(' ');
  const marks = points.map((point, index) => {
    const moved = index > 0 && points[index - 1]!.modelDigest !== point.modelDigest;
    const label = escapeXml(`${point.at}: ${point.value!.toFixed(4)} (n ${point.n}), run ${point.runId}${moved ? ', model changed' : ''}`);
    return `<circle cx="${x(index).toFixed(1)}" cy="${y(point.value!).toFixed(1)}" r="${moved ? 4 : 2.5}" class="${moved ? 'm' : 'p'}"><title>${label}</title></circle>`;
  });
  const axis = `<text x="4" y="${y(high).toFixed(1)}" class="a">${high.toFixed(3)}</text><text x="4" y="${y(low).toFixed(1)}" class="a">${low.toFixed(3)}</text>`;
  return `${title}${axis}<polygon points="${band}" class="b"/><polyline points="${line}" class="l"/>${marks.join('')}`;
}

/** Value over time with its interval as a band; larger marks where the model's content changed. */
export function trendSvg(history: WatchHistory): string {
  const series = [...groupSeries(history)];
  const height = Math.max(1, series.length) * panel.height;
  const style =
    'text{font-family:sans-serif}.t{font-size:12px;font-weight:bold}.a{font-size:10px}.l{fill:none;stroke:#1f5fa8;stroke-width:1.5}.b{fill:#1f5fa8;opacity:.15}.p{fill:#1f5fa8}.m{fill:#c2410c}';
  const panels = series.map(([name, entries], index) => drawPanel(name, entries, index * panel.height)).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${panel.width} ${height}" role="img" aria-label="Results over time"><style>${style}</style>\n${panels}\n</svg>\n`;
}

const bars = '▁▂▃▄▅▆▇█';

/** The values as one line of bars. */
export function sparkline(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return values.map((value) => bars[high === low ? 3 : Math.round(((value - low) / (high - low)) * (bars.length - 1))]).join('');
}

export function trendMarkdown(history: WatchHistory): string {
  const rows = [...groupSeries(history)].map(([name, entries]) => {
    const values = entries.flatMap((entry) => entry.value ?? []).slice(-shown);
    const last = entries.at(-1)!;
    return [
      name,
      last.metric,
      last.value === null ? '—' : last.value.toFixed(4),
      formatDuration(last.latencyMs),
      sparkline(values),
      last.at,
      last.runId,
    ].map(markdownCell);
  });
  const header = ['model on task', 'metric', 'newest', 'latency p50', 'over time', 'measured', 'run'];
  return `# Results over time\n\n![Results over time](trend.svg)\n\n${markdownTable(header, ['left', 'left', 'right', 'right', 'left', 'left', 'left'], rows)}\n`;
}
