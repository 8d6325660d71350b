// Cells of the benchmark report: raw numbers as Python prints them, four decimals for scores, a dash for what is not there.
import { dash } from '../format-values.ts';
import { markdownCell, markdownCode } from '../markdown/escape-markdown.ts';

/** A float as Python's `repr` writes it: `110.0`, `1e-05`, `2861561936736000.0`. */
export function pythonFloat(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e16)) {
    const [digits, exponent] = value.toExponential().split('e') as [string, string];
    const power = Number(exponent);
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  }
  const text = String(value);
  return Number.isInteger(value) && !/[e.]/.test(text) ? `${text}.0` : text;
}

export function rawNumber(value: number | null): string {
  return value === null ? dash : pythonFloat(value);
}

/**
 * Four decimals as Python's format gives them: a value exactly between two (0.90625) goes to the even one, where `toFixed` takes the
 * larger. Only a value with zeros up to the 60th decimal is such a tie.
 */
export function score(value: number | null | undefined): string {
  if (value === null || value === undefined) return dash;
  const digits = value.toFixed(60);
  const point = digits.indexOf('.') + 5;
  const isTie = /^50*$/.test(digits.slice(point));
  return isTie && Number(digits[point - 1]) % 2 === 0 ? digits.slice(0, point) : value.toFixed(4);
}

export function seconds(value: number | null): string {
  return value === null ? dash : `${value.toFixed(1)} s`;
}

export function whole(value: number | null | undefined): string {
  return value === null || value === undefined ? dash : String(value);
}

export function code(text: string | null | undefined): string {
  return text === null || text === undefined || text === '' ? dash : markdownCode(text);
}

/** Text of a cell; underscores inside a word need no escape. */
export function cell(text: string | null | undefined): string {
  return text === null || text === undefined || text === ''
    ? dash
    : markdownCell(text).replace(/(?<=[\p{L}\p{N}])\\_(?=[\p{L}\p{N}])/gu, '_');
}

export function yesNo(value: boolean | null): string {
  return value === null ? dash : value ? 'True' : 'False';
}
