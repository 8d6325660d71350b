// Other spellings of labels, as a task file gives them.

/** Maps a label to its canonical spelling; labels named like object members are safe. */
export function aliasReader(aliases: Readonly<Record<string, string>> | undefined): (label: string) => string {
  if (aliases === undefined) return (label) => label;
  const known = new Map(Object.entries(aliases));
  return (label) => known.get(label) ?? label;
}
