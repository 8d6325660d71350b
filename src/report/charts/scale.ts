// Axis scales with round ticks, linear or logarithmic, whose pixel positions are known before anything is drawn.

export interface Scale {
  readonly kind: 'linear' | 'log';
  readonly min: number;
  readonly max: number;
  /** Round values between min and max. */
  readonly ticks: readonly number[];
  /** Axis coordinate of a value (log10 for a log scale), and back. */
  readonly value: (value: number) => number;
  readonly invert: (coordinate: number) => number;
  /** 0 at min, 1 at max. */
  readonly position: (value: number) => number;
}

function roundStep(span: number, ticks: number): number {
  const raw = span / ticks;
  const power = 10 ** Math.floor(Math.log10(raw));
  const digit = raw / power;
  return (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 2.5 ? 2.5 : digit <= 5 ? 5 : 10) * power;
}

function clean(value: number): number {
  return Number(value.toPrecision(10));
}

function logTicks(low: number, high: number, wanted: number): number[] {
  const digits = Math.log10(high / low) * 3 <= wanted ? [1, 2, 5] : [1, 3];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
    for (const digit of digits) {
      const tick = clean(digit * 10 ** power);
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  return ticks;
}

/** A range of zero width is opened, so that equal values still have an axis. */
export function scaleOf(input: {
  readonly low: number;
  readonly high: number;
  readonly kind: 'linear' | 'log';
  readonly ticks: number;
}): Scale {
  const { kind } = input;
  const high = input.high > input.low ? input.high : input.low + (Math.abs(input.low) || 1);
  if (kind === 'log') {
    const [min, max] = [input.low, high];
    const span = Math.log10(max / min);
    const value = (of: number): number => Math.log10(of);
    return {
      kind,
      min,
      max,
      ticks: logTicks(min, max, input.ticks),
      value,
      invert: (at) => 10 ** at,
      position: (of) => Math.log10(of / min) / span,
    };
  }
  const step = roundStep(high - input.low, input.ticks);
  const min = clean(Math.floor(input.low / step + 1e-9) * step);
  const max = clean(Math.ceil(high / step - 1e-9) * step);
  const ticks = Array.from({ length: Math.round((max - min) / step) + 1 }, (_, index) => clean(min + index * step));
  return { kind, min, max, ticks, value: (of) => of, invert: (at) => at, position: (of) => (of - min) / (max - min) };
}
