// A value with its interval on a track from nought to one, small enough for a table cell.

export interface IntervalBarProps {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly tone: 'best' | 'tied' | 'behind';
}

const width = 92;
const at = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * (width - 8) * 10) / 10 + 4;

/** Decoration: the cell says the same in figures. */
export function IntervalBar({ value, low, high, tone }: IntervalBarProps) {
  return (
    <svg className={`interval ${tone}`} viewBox={`0 0 ${width} 16`} width={width} height={16} aria-hidden="true" focusable="false">
      <line className="track" x1={4} x2={width - 4} y1={8} y2={8} />
      {low === null || high === null ? null : <line className="range" x1={at(low)} x2={at(high)} y1={8} y2={8} />}
      <circle className="dot" cx={at(value)} cy={8} r={3} />
    </svg>
  );
}
