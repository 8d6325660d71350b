// Reads a whole answer as a number: separators, currency, percent, fractions, powers and digits of any script.
import { foldDigits } from './python-text.ts';

/** `point`: 1,234.5. `comma`: 1.234,5. */
export type DecimalMark = 'point' | 'comma';

const vulgarFraction = /(\d*)\s*([¼½¾⅐-⅞↉])/u;
const around = /^[\s\p{Sc}~≈=(]+|[\s\p{Sc}%°).,;:!?*'"]+$/gu;

/** No number that a person would write is longer; the patterns below need not be safe on megabytes. */
const longestNumber = 200;

function plainDigits(text: string): string {
  const separate = text.replace(
    vulgarFraction,
    (_, whole: string, fraction: string) => `${whole} ${fraction.normalize('NFKC').replace('\u2044', '/')}`,
  );
  return foldDigits(separate.replace(/[\u200b-\u200f\u2060\ufeff]/g, '').normalize('NFKC'))
    .replace(/[\u2212\u2010\u2011\u2013\ufe63]/g, '-')
    .replace(/\u066b/g, '.')
    .replace(/\u066c/g, ',')
    .replace(/\u2044/g, '/')
    .replace(/\s*[×·*]\s*10\s*(?:\^|\*\*)?\s*\{?([-+]?\d+)\}?$/u, 'e$1');
}

function plainDecimal(text: string, mark: DecimalMark): number | null {
  const [point, group] = mark === 'point' ? ['\\.', ','] : [',', '\\.'];
  const pattern = new RegExp(`^\\d{1,3}(?:(?:${group}|[ _'])\\d{3})+(?:${point}\\d*)?$|^\\d+(?:${point}\\d*)?$|^${point}\\d+$`);
  const [digits, exponent] = text.toLowerCase().split(/e(?=[-+]?\d+$)/, 2);
  if (digits === undefined || !pattern.test(digits)) return null;
  const bare = digits.replace(new RegExp(`${group}|[ _']`, 'g'), '').replace(mark === 'point' ? '.' : ',', '.');
  return Number(exponent === undefined ? bare : `${bare}e${exponent}`);
}

/**
 * The number that the whole text states, or null. `50%` is 50 (name the unit in the task), `1/2` is 0.5, `3 1/2` is 3.5,
 * `1.000` is one unless the decimal mark is a comma.
 */
export function parseNumber(text: string, mark: DecimalMark = 'point'): number | null {
  const stated = text.trim();
  if (stated.length > longestNumber) return null;
  const trimmed = plainDigits(stated).replace(around, '').trim();
  const signed = /^([-+]?)\s*\p{Sc}*\s*([-+]?)\s*(.*)$/su.exec(trimmed)!;
  const isNegative = (signed[1] === '-') !== (signed[2] === '-');
  const body = signed[3]!.replace(around, '').trim();
  const fraction = /^(?:(\d+)\s+)?(\d+)\s*\/\s*(\d+)$/.exec(body);
  const size =
    fraction === null
      ? plainDecimal(body, mark)
      : Number(fraction[3]) === 0
        ? null
        : Number(fraction[1] ?? 0) + Number(fraction[2]) / Number(fraction[3]);
  if (size === null || !Number.isFinite(size)) return null;
  return isNegative && size !== 0 ? -size : size;
}
