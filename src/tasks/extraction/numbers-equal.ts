// Compares two written numbers as exact rationals.
import type { NumberReading } from './extraction.ts';
import { equals, within } from './rational.ts';
import { wholeNumber } from './scan-numbers.ts';

/**
 * True where both texts are one number each and the numbers are equal (within an absolute tolerance, where given).
 * `$18.00` equals `18`, `\frac{1}{2}` equals `0.5`, `1/3` does not equal `0.33`, `50%` equals `50` unless `percentAsFraction`.
 */
export function numbersEqual(prediction: string, gold: string, reading: NumberReading = {}): boolean {
  const left = wholeNumber(prediction, reading);
  if (left === null) return false;
  const right = wholeNumber(gold, reading);
  if (right === null) return false;
  return reading.tolerance === undefined ? equals(left, right) : within(left, right, reading.tolerance);
}
