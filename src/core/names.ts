// Names that people type: the nearest known one for a typo, and file-safe forms of names that come from data.

/** Edit distance with adjacent transpositions (optimal string alignment). */
export function editDistance(left: string, right: string): number {
  const a = [...left];
  const b = [...right];
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(previous[j]! + 1, current[j - 1]! + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, beforePrevious[j - 2]! + 1);
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}

/** The first part of a long name with one slip in it (`smolm2` for `smollm2-135m`) is as near as two slips. */
function slipInPart(wanted: string, lower: string): number {
  const part = /^[^-_:@.]+/.exec(lower)?.[0] ?? lower;
  return wanted.length >= 5 && part.length < lower.length && editDistance(wanted, part) === 1 ? 2 : Number.POSITIVE_INFINITY;
}

/** The known name nearest to a mistyped one, or undefined when none is near enough to be meant. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const lower = candidate.toLowerCase();
    const whole = editDistance(wanted, lower);
    const distance = lower.startsWith(wanted) && wanted.length >= 3 ? Math.min(1, whole) : Math.min(whole, slipInPart(wanted, lower));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** `did you mean "x"?`, or a list of what is known; never the very name that was typed. */
export function suggestName(name: string, known: Iterable<string>): string {
  const list = [...known].filter((one) => one !== name);
  const nearest = nearestName(name, list);
  if (nearest !== undefined) return `did you mean "${nearest}"?`;
  return list.length === 0 ? 'none are known' : `known: ${list.slice(0, 20).join(', ')}${list.length > 20 ? ', ...' : ''}`;
}

const reservedNames = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/** A file-name part from any text: no separators, no reserved names, no leading dot, at most 120 characters. */
export function safeFileName(text: string): string {
  const cleaned = text
    .normalize('NFC')
    .replace(/[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\s]+/gu, '-')
    .replace(/^[.-]+|[.-]+$/gu, '');
  const short = [...cleaned].slice(0, 120).join('');
  if (short === '') return 'unnamed';
  return reservedNames.test(short) ? `_${short}` : short;
}
