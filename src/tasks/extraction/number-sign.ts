// The sign and currency that stand before a number.
import { wordClass } from './words.ts';

const currencySigns = '$€£¥₹₩₽₺¢฿₫₪';

interface Sign {
  readonly start: number;
  readonly negative: boolean;
  readonly currency: boolean;
}

/** Looks back over currency and markup to a sign; a hyphen after a digit, letter or bracket joins and is no minus. */
export function signBefore(text: string, start: number): Sign {
  let at = start - 1;
  let currency = false;
  for (let steps = 0; at >= 0 && steps < 6; steps++) {
    const char = text[at]!;
    if (currencySigns.includes(char)) currency = true;
    else if (char === '\\' && text[at + 1] === '$') currency = true;
    else if (!(char === ' ' && currencySigns.includes(text[at - 1] ?? '\n')) && char !== '{') break;
    at -= 1;
  }
  const char = text[at];
  if (char === '+') return { start: at, negative: false, currency };
  if (char === '-' || ((char === '–' || char === '—') && (at === 0 || ' (=:\n'.includes(text[at - 1]!)))) {
    const before = at === 0 ? ' ' : text[at - 1]!;
    if (currencySigns.includes(before) || before === '\\') return { start: at - 1, negative: true, currency: true };
    const joins =
      wordClass(before.charCodeAt(0)) % 3 !== 0 ||
      before === ')' ||
      before === ']' ||
      before === '}' ||
      before === '%' ||
      before === '-' ||
      before === '.';
    if (!joins) return { start: at, negative: true, currency };
  }
  if (
    char === ' ' &&
    (text[at - 1] === '-' || text[at - 1] === '–') &&
    /(?:[:=({]|\bis) {0,2}\*{0,2} {0,2}[-–] $/.test(text.slice(Math.max(0, at - 10), at + 1))
  )
    return { start: at - 1, negative: true, currency };
  const word = text.slice(Math.max(0, at - 9), at + 1).toLowerCase();
  if (/(?:^|[^\p{L}])negative $/u.test(word)) return { start: at - 8, negative: true, currency };
  if (/(?:^|[^\p{L}\d\s)]|[^\d)\s] )\s?minus $/u.test(word)) return { start: at - 5, negative: true, currency };
  return { start: currency ? at + 1 : start, negative: false, currency };
}
