// Python's `str.capitalize`: the first character in title case, all others in lower case.

/** Letters whose title case differs from their upper case. */
const digraphs: Readonly<Record<string, string>> = {
  Ǆ: 'ǅ',
  ǅ: 'ǅ',
  ǆ: 'ǅ',
  Ǉ: 'ǈ',
  ǈ: 'ǈ',
  ǉ: 'ǈ',
  Ǌ: 'ǋ',
  ǋ: 'ǋ',
  ǌ: 'ǋ',
  Ǳ: 'ǲ',
  ǲ: 'ǲ',
  ǳ: 'ǲ',
};

/** `text.capitalize()` @example capitalise('ßA') // 'Ssa' */
export function capitalise(text: string): string {
  const first = [...text][0];
  if (first === undefined) return '';
  return titleCase(first) + text.slice(first.length).toLowerCase();
}

function titleCase(letter: string): string {
  const known = digraphs[letter];
  if (known !== undefined) return known;
  const [head, ...tail] = [...letter.toUpperCase()];
  return head! + tail.join('').toLowerCase();
}
