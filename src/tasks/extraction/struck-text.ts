// Takes out what a reply strikes through: `~~B~~`, `<del>B</del>`, `\cancel{B}` are withdrawn and no answer.

const struck = /~~(?=[^\s~])[^~\n]{1,400}~~|<(del|strike)>[^<\n]{0,400}<\/\1>|\\(?:x?cancel|sout|st)\{[^{}\n]{0,400}\}/gi;

/** The text with a space in place of each struck part. */
export function withoutStruckText(text: string): string {
  return text.includes('~~') || text.includes('</') || text.includes('\\') ? text.replace(struck, ' ') : text;
}
