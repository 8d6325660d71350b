// The sample explorer: filters, list and detail, with the state in the address so that a link shows the same sample.
import { visibleText } from '../../components/visible-text.ts';
import type { ExplorerData, ExplorerItem } from '../../explorer-data.ts';
import { formatDuration } from '../../format-values.ts';
import { element } from './element.ts';
import { filterItems, type SampleFilter } from './filter-items.ts';
import { sampleDetail } from './sample-detail.ts';
import { questionText } from './shown-questions.ts';
import { virtualList } from './virtual-list.ts';

const rowPx = 52;
const names = ['text', 'task', 'model', 'verdict', 'category', 'order', 'flipped'] as const;
const prefix = '#samples?';

function readForm(form: HTMLFormElement): SampleFilter {
  const values = new FormData(form);
  const text = (name: string): string => String(values.get(name) ?? '');
  return {
    text: text('text'),
    task: text('task'),
    model: text('model'),
    verdict: text('verdict'),
    category: text('category'),
    order: text('order'),
    flipped: text('flipped') !== '',
  };
}

function fillForm(form: HTMLFormElement, wanted: URLSearchParams): void {
  for (const name of names) {
    const control = form.elements.namedItem(name);
    const value = wanted.get(name) ?? '';
    if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = value !== '';
    else if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) control.value = value;
  }
}

function drawRow(item: ExplorerItem, data: ExplorerData, shownText: (item: ExplorerItem) => string): Node[] {
  const dots = item.answers.map(({ verdict }) => element('span', { class: `dot ${verdict}` }));
  const verdicts = item.answers.map(({ verdict }) => verdict).join(', ');
  const slowest = Math.max(0, ...item.answers.map(({ latencyMs }) => latencyMs ?? 0));
  const facts = [
    data.tasks[item.task] ?? '',
    item.category,
    item.gold === null ? null : `gold ${item.gold}`,
    slowest > 0 ? formatDuration(slowest) : null,
  ];
  return [
    element('span', { class: 'dots', 'aria-hidden': 'true' }, ...dots),
    element('span', { class: 'question' }, element('bdi', {}, visibleText(shownText(item)))),
    element(
      'span',
      { class: 'facts' },
      visibleText(
        facts
          .filter((fact) => fact !== null)
          .join(' · ')
          .replace(/\s+/g, ' ')
          .slice(0, 200),
      ),
    ),
    element('span', { class: 'visually-hidden' }, verdicts),
  ];
}

export function startSampleExplorer(data: ExplorerData): void {
  const root = document.getElementById('explorer');
  const form = root?.querySelector('form');
  const box = root?.querySelector<HTMLElement>('.list');
  const detail = root?.querySelector<HTMLElement>('.detail');
  const count = root?.querySelector<HTMLElement>('.count');
  if (root == null || form == null || box == null || detail == null || count == null) return;
  root.hidden = false;
  const shownText = questionText(data);
  let shown: ExplorerItem[] = [];
  let id = '';
  const remember = (): void => {
    const values = Object.entries(readForm(form)).filter(([, value]) => value !== '' && value !== false);
    const state = new URLSearchParams(values.map(([name, value]) => [name, value === true ? '1' : String(value)]));
    if (id !== '') state.set('id', id);
    history.replaceState(null, '', state.size === 0 ? location.pathname + location.search : prefix + state);
  };
  const list = virtualList<ExplorerItem>({
    box,
    rowPx,
    draw: (item) => drawRow(item, data, shownText),
    selected: (item) => {
      id = item.id;
      detail.replaceChildren(...sampleDetail(item, data));
      detail.scrollTop = 0;
      remember();
    },
  });
  const update = (): void => {
    shown = filterItems(data, readForm(form));
    count.textContent = `${shown.length.toLocaleString('en')} of ${data.items.length.toLocaleString('en')} questions`;
    detail.replaceChildren(
      element(
        'p',
        { class: 'note' },
        shown.length === 0 ? 'No sample matches these filters.' : 'Choose a sample to see its prompt and answers.',
      ),
    );
    list.show(shown);
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => {
    id = '';
    update();
    remember();
  });
  if (location.hash.startsWith(prefix)) {
    const wanted = new URLSearchParams(location.hash.slice(prefix.length));
    fillForm(form, wanted);
    update();
    const at = shown.findIndex((item) => item.id === wanted.get('id'));
    if (at >= 0) list.select(at);
    document.getElementById('samples')?.scrollIntoView();
  } else update();
}
