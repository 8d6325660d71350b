// Numbers as people read them: one place for decimals, units and the dash that stands for "not measured".
import type { MetricValue } from '../core/metric.ts';

export const dash = '—';

export function formatFixed(value: number | null | undefined, digits: number): string {
  return value === null || value === undefined || !Number.isFinite(value) ? dash : value.toFixed(digits);
}

export function formatPercent(value: number | null | undefined, digits = 1): string {
  return value === null || value === undefined ? dash : `${(value * 100).toFixed(digits)} %`;
}

/** Binary units: 1 KiB = 1024 bytes. */
export function formatBytes(bytes: number | null | undefined): string {
  if (bytes === null || bytes === undefined) return dash;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(value >= 100 ? 0 : 1)} ${units[unit]}`;
}

/** A duration with three significant digits in the unit that fits. */
export function formatDuration(durationMs: number | null | undefined): string {
  if (durationMs === null || durationMs === undefined) return dash;
  if (durationMs < 10) return `${durationMs.toFixed(2)} ms`;
  if (durationMs < 1000) return `${durationMs.toFixed(0)} ms`;
  if (durationMs < 120_000) return `${(durationMs / 1000).toFixed(durationMs < 10_000 ? 2 : 1)} s`;
  if (durationMs < 7_200_000) return `${(durationMs / 60_000).toFixed(1)} min`;
  return `${(durationMs / 3_600_000).toFixed(1)} h`;
}

export function formatParameters(count: number | null | undefined): string {
  if (count === null || count === undefined) return dash;
  if (count >= 1e9) return `${(count / 1e9).toFixed(2)}B`;
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)}M`;
  return `${(count / 1e3).toFixed(1)}K`;
}

/** Fractions read as percent with their interval: `48.0 % [34.8, 61.5]`; other units keep four decimals. */
export function formatMetric(metric: MetricValue | null): string {
  if (metric === null || metric.value === null) return dash;
  const isShare = metric.unit === 'fraction';
  const shown = isShare ? formatPercent(metric.value) : metric.value.toFixed(4);
  if (metric.interval === null) return shown;
  const { low, high } = metric.interval;
  return isShare ? `${shown} [${(low * 100).toFixed(1)}, ${(high * 100).toFixed(1)}]` : `${shown} [${low.toFixed(4)}, ${high.toFixed(4)}]`;
}

/** Control characters (C0 but LF and TAB, DEL, C1) become visible marks, so that no text drives the terminal (X05). */
export function neutraliseControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? '\u2421' : '\ufffd';
  });
}
