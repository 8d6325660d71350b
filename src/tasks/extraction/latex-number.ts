// Fractions and roots as LaTeX and plain text write them, one at a given place.
import { type Rational, rational } from './rational.ts';

const fraction = /^\\[dtc]?frac\s?(?:\{\s*(-?\d{1,40})\s*\}\s?\{\s*(-?\d{1,40})\s*\}|(\d)\s?(\d))/;

export function isFraction(text: string, at: number): boolean {
  return (
    text.startsWith('\\frac', at) || text.startsWith('\\dfrac', at) || text.startsWith('\\tfrac', at) || text.startsWith('\\cfrac', at)
  );
}

export function latexFraction(text: string, at: number): { readonly value: Rational | null; readonly end: number } | undefined {
  const match = fraction.exec(text.slice(at, at + 100));
  if (match === null) return undefined;
  return { value: rational(BigInt(match[1] ?? match[3]!), BigInt(match[2] ?? match[4]!)), end: at + match[0].length };
}

const wholeRoot = /^(?:\\sqrt\s?(?:\{\s?(\d{1,12})\s?\}|(\d))|√\s?(?:[({](\d{1,12})[)}]|(\d{1,12})(?![\d.,]\d))|sqrt\((\d{1,12})\))/;
const anyRoot = /^(?:\\sqrt\s?(?:\[\d{1,3}\]\s?)?\{[^{}\n]{0,60}\}|(?:√|sqrt)\([^()\n]{0,60}\)|√[\d.,]{1,20}|\\?sqrt\(?)/;

/** `\sqrt{16}` is 4; null where the root is no whole number. `end` lies after what is under the root. */
export function rootAt(text: string, at: number): { readonly end: number; readonly root: bigint | null } {
  const match = wholeRoot.exec(text.slice(at, at + 40));
  if (match === null) return { end: at + (anyRoot.exec(text.slice(at, at + 80))?.[0].length ?? 1), root: null };
  const end = at + match[0].length;
  const square = Number(match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[5]);
  const root = Math.round(Math.sqrt(square));
  return { end, root: root * root === square && text[end] !== '^' ? BigInt(root) : null };
}
