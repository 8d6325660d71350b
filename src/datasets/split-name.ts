// Which split a data file belongs to, read from its path.
const words = /(?:^|[/_.\-\s])(train|training|test|validation|valid|val|dev)(?=[/_.\-\s]|$)/gi;

const canonical: Readonly<Record<string, string>> = { training: 'train', valid: 'validation', val: 'validation' };

/** `train`, `validation`, `test` or `dev` from a path, the word nearest to the file name; undefined when there is none. */
export function splitOfPath(path: string): string | undefined {
  const word = [...path.matchAll(words)].at(-1)?.[1]?.toLowerCase();
  return word === undefined ? undefined : (canonical[word] ?? word);
}
