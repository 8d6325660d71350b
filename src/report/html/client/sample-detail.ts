// One sample in full: prompt, gold, and every model's answer with how it was read.
import { visibleText } from '../../components/visible-text.ts';
import type { ExplorerAnswer, ExplorerData, ExplorerItem } from '../../explorer-data.ts';
import { formatDuration, formatFixed } from '../../format-values.ts';
import { element } from './element.ts';

function field(name: string, value: string | null): HTMLElement[] {
  return value === null || value === '' ? [] : [element('dt', {}, name), element('dd', {}, element('bdi', {}, visibleText(value)))];
}

function block(title: string, text: string | null): HTMLElement[] {
  return text === null ? [] : [element('h3', {}, title), element('pre', { tabindex: '0' }, visibleText(text))];
}

function choiceTable(answer: ExplorerAnswer): HTMLElement[] {
  if (answer.choices === null) return [];
  const best = Math.max(...answer.choices.map(([, logprob]) => logprob));
  const rows = answer.choices.map(([text, logprob]) =>
    element(
      'tr',
      logprob === best ? { class: 'best' } : {},
      element('th', { scope: 'row' }, element('bdi', {}, visibleText(text))),
      element('td', { class: 'number' }, formatFixed(logprob, 3)),
    ),
  );
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col' }, 'Choice'),
    element('th', { scope: 'col', class: 'number' }, 'log P, nats'),
  );
  return [element('table', { class: 'choices' }, element('thead', {}, head), element('tbody', {}, ...rows))];
}

function answerBlock(answer: ExplorerAnswer, model: string): HTMLElement {
  const tokens = answer.promptTokens === null ? null : `${answer.promptTokens} in, ${answer.outputTokens ?? 0} out`;
  const fields = [
    ...field('Answer', answer.prediction),
    ...field('Why', answer.reason),
    ...field('Read by rule', answer.rule),
    ...field('Score', answer.score === null ? null : formatFixed(answer.score, 4)),
    ...field('Ended by', answer.finish),
    ...field('Latency', answer.latencyMs === null ? null : formatDuration(answer.latencyMs) + (answer.isFresh ? '' : ' (not fresh)')),
    ...field('Tokens', tokens),
    ...answer.warnings.flatMap((warning) => field('Warning', warning)),
  ];
  const title = element(
    'p',
    {},
    element('span', { class: `verdict ${answer.verdict}` }, answer.verdict),
    ' ',
    element('bdi', {}, visibleText(model)),
  );
  return element(
    'div',
    { class: 'answer' },
    title,
    element('dl', { class: 'fields' }, ...fields),
    ...block('Reasoning', answer.reasoning),
    ...block('Raw output', answer.raw),
    ...choiceTable(answer),
  );
}

export function sampleDetail(item: ExplorerItem, data: ExplorerData): Node[] {
  const facts = [`task ${data.tasks[item.task] ?? ''}`, `id ${item.id}`, ...(item.category === null ? [] : [`category ${item.category}`])];
  return [
    element('p', { class: 'note' }, visibleText(facts.join(', '))),
    ...block('Prompt', item.question),
    ...block('Gold', item.references.length > 1 ? item.references.join('\n') : item.gold),
    element('h3', {}, item.answers.length === 1 ? 'Answer' : 'Answers'),
    ...item.answers.map((answer) => answerBlock(answer, data.models[answer.model] ?? '')),
  ];
}
