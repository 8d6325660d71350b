// What a list row shows of a question: the part that differs from the other questions of its task.
import type { ExplorerData, ExplorerItem } from '../../explorer-data.ts';

const looked = 60;
const shownLength = 220;

function commonPrefix(texts: readonly string[]): number {
  const [first = '', ...others] = texts;
  let length = others.length === 0 ? 0 : first.length;
  for (const text of others) {
    let at = 0;
    while (at < length && text.charCodeAt(at) === first.charCodeAt(at)) at++;
    length = at;
  }
  return length;
}

/** Cuts after the last white space or line end of the shared part, and only where enough is saved. */
export function questionText(data: ExplorerData): (item: ExplorerItem) => string {
  const starts = data.tasks.map((_, task) => {
    const texts = data.items
      .filter((item) => item.task === task)
      .slice(0, looked)
      .map(({ question }) => question);
    const shared = (texts[0] ?? '').slice(0, commonPrefix(texts));
    const cut = Math.max(shared.lastIndexOf(' '), shared.lastIndexOf('\n')) + 1;
    return cut > 24 ? cut : 0;
  });
  return ({ task, question }) => {
    const start = starts[task] ?? 0;
    return (
      (start > 0 ? '… ' : '') +
      question
        .slice(start, start + shownLength)
        .replace(/\s+/g, ' ')
        .trim()
    );
  };
}
