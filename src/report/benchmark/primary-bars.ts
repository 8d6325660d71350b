// The primary metric of many benchmark records as bars with intervals: inline SVG without scripts.
import type { BenchmarkRecord } from '../../core/specialise-record.ts';
import { escapeHtml } from './escape-html.ts';

const rowHeight = 26;
const labelWidth = 260;
const barWidth = 420;
const width = labelWidth + barWidth + 90;

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly invalidShare: number;
}

function barOf(record: BenchmarkRecord): Bar[] {
  const { primary, invalidCount, support } = record.score;
  if (primary === null || primary.value === null) return [];
  const { value, interval } = primary;
  const label = `${record.taskName}: ${record.model.title}`;
  return [
    { label, value, low: interval?.low ?? null, high: interval?.high ?? null, invalidShare: support === 0 ? 0 : invalidCount / support },
  ];
}

function place(value: number): number {
  return labelWidth + Math.min(1, Math.max(0, value)) * barWidth;
}

function row(bar: Bar, index: number): string {
  const top = index * rowHeight + 4;
  const middle = top + 9;
  const name = bar.label.length > 36 ? `${bar.label.slice(0, 35)}…` : bar.label;
  const range =
    bar.low === null || bar.high === null
      ? ''
      : `<path d="M${place(bar.low).toFixed(1)} ${middle}H${place(bar.high).toFixed(1)}" stroke="currentColor" stroke-width="2"/>`;
  const invalid = bar.invalidShare === 0 ? '' : `, ${(100 * bar.invalidShare).toFixed(1)} % invalid`;
  const title = escapeHtml(`${bar.label}: ${bar.value.toFixed(4)}${invalid}`);
  return (
    `<g><title>${title}</title><text x="${labelWidth - 8}" y="${middle + 5}" text-anchor="end">${escapeHtml(name)}</text>` +
    `<rect x="${labelWidth}" y="${top}" width="${(place(bar.value) - labelWidth).toFixed(1)}" height="18" class="bar"/>${range}` +
    `<text x="${width - 84}" y="${middle + 5}">${bar.value.toFixed(4)}${bar.invalidShare > 0 ? ' *' : ''}</text></g>`
  );
}

/** A figure, one bar a record, best first; empty where no record has a score between 0 and 1. */
export function primaryBars(records: readonly BenchmarkRecord[]): string {
  const bars = records.flatMap(barOf).filter(({ value }) => value >= 0 && value <= 1);
  if (bars.length === 0) return '';
  const sorted = bars.toSorted((a, b) => b.value - a.value);
  const marked = sorted.some(({ invalidShare }) => invalidShare > 0) ? ' An asterisk marks records with invalid answers.' : '';
  return `<figure><svg viewBox="0 0 ${width} ${sorted.length * rowHeight}" role="img" aria-label="Primary metric of each record" width="${width}">
${sorted.map(row).join('\n')}
</svg><figcaption>Primary metric on the held-out rows, with its 95 % interval where the record has one.${marked}</figcaption></figure>`;
}
