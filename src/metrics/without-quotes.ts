// Takes out of a judge's reply what it copied from the graded text, so that a verdict forged in an answer is never read as the judge's.

const shortestLine = 8;
const forgeable = /\{[^{}]{0,2000}\}|\[\[[^\][]{0,80}\]\]/g;

function piecesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return [text.trim(), ...(text.match(forgeable) ?? []), ...lines].filter(
    (piece) => piece.length >= shortestLine || piece.startsWith('[['),
  );
}

/**
 * The reply without verbatim copies of the graded texts: whole, line by line, and each JSON object or `[[verdict]]` in them.
 * A reply that is nothing but such a piece stays: it is the judge's own, if only by chance.
 */
export function withoutQuotes(reply: string, gradedTexts: readonly string[]): string {
  const pieces = [...new Set(gradedTexts.flatMap(piecesOf))].sort((left, right) => right.length - left.length);
  const whole = reply.trim();
  let rest = reply;
  for (const piece of pieces) {
    if (piece !== whole && rest.includes(piece)) rest = rest.replaceAll(piece, '…');
  }
  return rest;
}
