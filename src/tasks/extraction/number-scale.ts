// The words and letters after digits that multiply them: "2 million", "3 dozen", "1.5 lakh", "2.5k", "$3M".

const scales: Readonly<Record<string, bigint>> = {
  hundred: 100n,
  thousand: 1000n,
  million: 1_000_000n,
  millions: 1_000_000n,
  billion: 1_000_000_000n,
  trillion: 1_000_000_000_000n,
  mio: 1_000_000n,
  millionen: 1_000_000n,
  lakh: 100_000n,
  lakhs: 100_000n,
  lac: 100_000n,
  crore: 10_000_000n,
  crores: 10_000_000n,
  dozen: 12n,
  dozens: 12n,
  万: 10_000n,
  萬: 10_000n,
  만: 10_000n,
  亿: 100_000_000n,
  億: 100_000_000n,
  억: 100_000_000n,
};

const suffixes: Readonly<Record<string, bigint>> = {
  k: 1000n,
  m: 1_000_000n,
  mn: 1_000_000n,
  mln: 1_000_000n,
  cr: 10_000_000n,
  b: 1_000_000_000n,
  bn: 1_000_000_000n,
  mrd: 1_000_000_000n,
  t: 1_000_000_000_000n,
};

/** `2.5k` and `3bn` are always sizes; `M`, `m`, `B`, `K` may be units (metres, bytes, kelvin) and need a currency. */
function suffixScale(written: string, currency: boolean): bigint | undefined {
  return currency || written === 'k' || /^ ?(?:bn|mln)$/.test(written) ? suffixes[written.trim().toLowerCase()] : undefined;
}

function hasCurrencyAround(text: string, end: number, after: number): boolean {
  return (
    /^ ?(?:[$€£¥₹₩]|(?:USD|EUR|GBP|INR|CHF|dollars|euros|pounds|rupees)\b)/.test(text.slice(after, after + 9)) ||
    /(?:USD|EUR|GBP|INR|CHF|Rs\.?) ?[\d.,]{1,20}$/.test(text.slice(Math.max(0, end - 26), end))
  );
}

const words = /^ ?(hundred|thousand|millions?|billion|trillion|Millionen|Mio|lakhs?|lac|crores?|dozens?|万|萬|만|亿|億|억)(?![a-z])/;
const letters = /^ ?(?:k|K|m|M|mn|mln|bn|B|b|T|Mrd|Cr)(?![\p{L}\d])/u;

/** What multiplies the digits that end at `end`, and where that word or letter ends. */
export function scaleAfter(text: string, end: number, currency: boolean): { readonly factor: bigint; readonly end: number } | undefined {
  const tail = text.slice(end, end + 16);
  const word = words.exec(tail);
  if (word !== null) return { factor: scales[word[1]!.toLowerCase()]!, end: end + word[0].length };
  const letter = letters.exec(tail);
  if (letter === null) return undefined;
  const after = end + letter[0].length;
  const factor = suffixScale(letter[0], currency || hasCurrencyAround(text, end, after));
  return factor === undefined ? undefined : { factor, end: after };
}
