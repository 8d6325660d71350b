// Text as it counts when two rows are asked to be the same: case, spaces and Unicode forms do not matter.
export function normaliseText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim();
}

/** One key for any JSON value, every text in it evened out. */
export function normalisedKey(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) => (typeof item === 'string' ? normaliseText(item) : item));
}
