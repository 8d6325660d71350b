// Exact rational numbers, so that 1/2 equals 0.5 and 1/3 does not equal 0.33.

export interface Rational {
  readonly numerator: bigint;
  /** Always positive; the fraction is in lowest terms. */
  readonly denominator: bigint;
}

/** Digits and exponents beyond these are no answer a person would write, and would cost quadratic time. */
const maxDigits = 1000;
const maxExponent = 1000;

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let left = a < 0n ? -a : a;
  let right = b;
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}

/** null for a zero denominator. */
export function rational(numerator: bigint, denominator = 1n): Rational | null {
  if (denominator === 0n) return null;
  if (denominator === 1n) return { numerator, denominator };
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = greatestCommonDivisor(numerator, denominator * sign) || 1n;
  return { numerator: (numerator * sign) / divisor, denominator: (denominator * sign) / divisor };
}

/** A plain decimal (`12`, `3.50`, `.5`, with an exponent apart) as a rational; null beyond 1,000 digits or exponents. */
export function fromDecimal(integer: string, fraction = '', exponent = 0): Rational | null {
  if (integer.length + fraction.length > maxDigits || Math.abs(exponent) > maxExponent) return null;
  const digits = BigInt(`${integer}${fraction}` || '0');
  const scale = exponent - fraction.length;
  if (scale === 0) return { numerator: digits, denominator: 1n };
  return scale > 0 ? rational(digits * 10n ** BigInt(scale)) : rational(digits, 10n ** BigInt(-scale));
}

export function negate(value: Rational): Rational {
  return { numerator: -value.numerator, denominator: value.denominator };
}

export function add(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)!;
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator)!;
}

export function divide(a: Rational, b: Rational): Rational | null {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** Integer powers up to 1,000 with a result of at most about 4,000 digits; null otherwise. */
export function power(base: Rational, exponent: number): Rational | null {
  if (!Number.isInteger(exponent) || Math.abs(exponent) > maxExponent) return null;
  const size = base.numerator.toString().length + base.denominator.toString().length;
  if (size * Math.abs(exponent) > 4000) return null;
  const n = BigInt(Math.abs(exponent));
  const [top, bottom] = exponent < 0 ? [base.denominator, base.numerator] : [base.numerator, base.denominator];
  return rational(top ** n, bottom ** n);
}

export function equals(a: Rational, b: Rational): boolean {
  return a.numerator === b.numerator && a.denominator === b.denominator;
}

/** |a - b| <= tolerance, exactly. */
export function within(a: Rational, b: Rational, tolerance: number): boolean {
  const difference = add(a, negate(b));
  const size = difference.numerator < 0n ? -difference.numerator : difference.numerator;
  const [integer, fraction] = tolerance.toFixed(20).split('.');
  const bound = fromDecimal(integer!, fraction!)!;
  return size * bound.denominator <= bound.numerator * difference.denominator;
}

/** `84`, `-3.5` where the decimal ends, else `1/3`. */
export function formatRational({ numerator, denominator }: Rational): string {
  if (denominator === 1n) return numerator.toString();
  let rest = denominator;
  let twos = 0;
  let fives = 0;
  while (rest % 2n === 0n) {
    rest /= 2n;
    twos += 1;
  }
  while (rest % 5n === 0n) {
    rest /= 5n;
    fives += 1;
  }
  if (rest !== 1n) return `${numerator}/${denominator}`;
  const places = Math.max(twos, fives);
  const sign = numerator < 0n ? '-' : '';
  const scaled = ((numerator < 0n ? -numerator : numerator) * 10n ** BigInt(places)) / denominator;
  const digits = scaled.toString().padStart(places + 1, '0');
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

export function toNumber({ numerator, denominator }: Rational): number {
  return Number(numerator) / Number(denominator);
}
