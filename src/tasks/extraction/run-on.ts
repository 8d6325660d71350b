// Base models go on with a question of their own after the answer; what they write there is no part of the answer.

const nextQuestion =
  /\n\s{0,3}(?:#{1,4} |\*\*)?(?:question|q|problem|input|human|user|instruction|frage|pregunta|вопрос)\s?\d{0,4}(?:\*\*)?:/i;

/** The text up to the first question that follows something readable. */
export function cutAtNextQuestion(text: string): string {
  const start = text.search(/\S/);
  if (start < 0) return text;
  const match = nextQuestion.exec(text.slice(start));
  if (match === null) return text;
  const before = text.slice(0, start + match.index);
  return (/[\p{L}\p{N}]/u.test(before) && !/^[^\n]{0,60}[:!,.]?$/.test(before.trim().replace(/\d|\b[A-Z]\b/g, '#'))) ||
    /\d|\b[A-Z]\b/.test(before)
    ? before
    : text;
}
