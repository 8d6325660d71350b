// Multiple-choice items of the shape the speed goals are stated for: contexts of about 100 tokens, four choices of seven or eight.
// The text is put together from common words; speed does not depend on its sense.

export interface SpeedItem {
  readonly context: string;
  /** Without the leading space. */
  readonly choices: readonly string[];
}

const nouns = 'farmer river engine window teacher garden market winter letter bridge doctor kitchen forest story'.split(' ');
const verbs = 'carries watches repairs follows paints visits opens remembers builds describes'.split(' ');
const adjectives = 'old quiet bright heavy small careful broken distant warm early'.split(' ');

/** The same items for the same count (multiplicative congruential generator, Park and Miller 1988). */
export function makeItems(count: number): SpeedItem[] {
  let state = 2026;
  const pick = (words: readonly string[]) => {
    state = (state * 48_271) % 2_147_483_647;
    return words[state % words.length]!;
  };
  const clause = () => `the ${pick(adjectives)} ${pick(nouns)} ${pick(verbs)} the ${pick(nouns)}`;
  return Array.from({ length: count }, (_, index) => ({
    context: `Story ${index}: ${Array.from({ length: 11 }, () => `One day ${clause()}.`).join(' ')} After that`,
    choices: Array.from({ length: 4 }, () => `${clause()}.`),
  }));
}

/** The file format of `perplexity --hellaswag`: context, gold index, four endings. */
export function hellaswagFile(items: readonly SpeedItem[]): string {
  return items.map(({ context, choices }) => `${[context, '0', ...choices].join('\n')}\n`).join('');
}
