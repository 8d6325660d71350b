// Which samples a reader asked for, and in which order.
import { categoriesOf, type ExplorerAnswer, type ExplorerData, type ExplorerItem } from '../../explorer-data.ts';

export interface SampleFilter {
  readonly text: string;
  /** Indices as text, '' for all. */
  readonly task: string;
  readonly model: string;
  readonly verdict: string;
  readonly category: string;
  readonly order: string;
  readonly flipped: boolean;
}

const searchTexts = new WeakMap<ExplorerItem, string>();

/** Lower-case text of all that can be searched, made once per item. */
function searchText(item: ExplorerItem): string {
  let text = searchTexts.get(item);
  if (text === undefined) {
    const answers = item.answers.flatMap(({ prediction, raw, reason }) => [prediction, raw, reason]);
    text = [item.id, item.question, item.gold, item.category, ...answers]
      .filter((part) => part !== null)
      .join('\n')
      .toLowerCase();
    searchTexts.set(item, text);
  }
  return text;
}

function isFlipped(answers: readonly ExplorerAnswer[]): boolean {
  return answers.some(({ verdict }) => verdict === 'right') && answers.some(({ verdict }) => verdict !== 'right');
}

function hasVerdict(answer: ExplorerAnswer, wanted: string): boolean {
  return wanted === 'truncated' ? answer.finish === 'length' : answer.verdict === wanted;
}

function orderValue(item: ExplorerItem, order: string, isOfModel: (answer: ExplorerAnswer) => boolean): number {
  const values = item.answers.filter(isOfModel).map((answer) => (order === 'slowest' ? answer.latencyMs : answer.outputTokens) ?? -1);
  return Math.max(-1, ...values);
}

export function filterItems({ items }: ExplorerData, filter: SampleFilter): ExplorerItem[] {
  const category = filter.category === '' ? null : (categoriesOf({ items })[Number(filter.category)] ?? '');
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const isOfModel = (answer: ExplorerAnswer): boolean => filter.model === '' || answer.model === Number(filter.model);
  const found = items.filter(
    (item) =>
      (filter.task === '' || item.task === Number(filter.task)) &&
      (category === null || item.category === category) &&
      (filter.model === '' || item.answers.some(isOfModel)) &&
      (filter.verdict === '' || item.answers.some((answer) => isOfModel(answer) && hasVerdict(answer, filter.verdict))) &&
      (!filter.flipped || isFlipped(item.answers)) &&
      words.every((word) => searchText(item).includes(word)),
  );
  if (filter.order === '') return found;
  const values = new Map(found.map((item) => [item, orderValue(item, filter.order, isOfModel)]));
  return found.sort((a, b) => values.get(b)! - values.get(a)!);
}
