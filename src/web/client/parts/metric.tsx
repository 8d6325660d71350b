// A metric with its interval, as number and as a small picture on a common scale.
import type { ReactNode } from 'react';
import type { MetricValue } from '../../../core/metric.ts';
import { dash, formatPercent } from '../../../report/format-values.ts';

const widthPx = 120;
const heightPx = 14;

export function metricNumber(metric: MetricValue | null): string {
  if (metric === null || metric.value === null) return dash;
  return metric.unit === 'fraction' ? formatPercent(metric.value) : metric.value.toFixed(metric.value >= 100 ? 1 : 3);
}

export function metricRange(metric: MetricValue | null): string {
  const interval = metric?.interval ?? null;
  if (metric === null || interval === null) return '';
  const show = (value: number): string => (metric.unit === 'fraction' ? (value * 100).toFixed(1) : value.toFixed(value >= 100 ? 1 : 3));
  return `${show(interval.low)} – ${show(interval.high)}`;
}

export function MetricCell({ metric }: { readonly metric: MetricValue | null }): ReactNode {
  if (metric === null || metric.value === null) return <span className="muted">{dash}</span>;
  const level = Math.round((metric.interval?.level ?? 0.95) * 100);
  return (
    <span
      className="metric"
      title={`${metric.name}${metric.average === null ? '' : ` ${metric.average}`}, n ${metric.n}${metric.interval ? `, ${level} % interval (${metric.interval.method})` : ''}`}
    >
      <b>{metricNumber(metric)}</b>
      {metric.interval === null ? null : <span className="muted range">{metricRange(metric)}</span>}
    </span>
  );
}

/** Point and interval on a scale that all rows of a table share. */
export function IntervalBar({
  metric,
  scale,
}: {
  readonly metric: MetricValue | null;
  readonly scale?: { readonly low: number; readonly high: number };
}): ReactNode {
  if (metric === null || metric.value === null) return null;
  const { low, high } = scale ?? { low: 0, high: 1 };
  const x = (value: number): number => 4 + ((widthPx - 8) * (Math.min(high, Math.max(low, value)) - low)) / (high - low || 1);
  const middle = heightPx / 2;
  return (
    <svg
      className="interval"
      width={widthPx}
      height={heightPx}
      role="img"
      aria-label={`${metricNumber(metric)}, ${metricRange(metric) || 'no interval'}`}
    >
      <line className="track" x1={4} x2={widthPx - 4} y1={middle} y2={middle} />
      {metric.interval === null ? null : (
        <line className="span" x1={x(metric.interval.low)} x2={x(metric.interval.high)} y1={middle} y2={middle} />
      )}
      <circle cx={x(metric.value)} cy={middle} r={4} />
    </svg>
  );
}
