// A list box that draws only the rows in view; one focus stop, arrow keys move the selection.

export interface VirtualList<Item> {
  readonly show: (items: readonly Item[]) => void;
  readonly select: (index: number) => void;
}

export interface VirtualListOptions<Item> {
  readonly box: HTMLElement;
  readonly rowPx: number;
  readonly draw: (item: Item) => readonly Node[];
  readonly selected: (item: Item) => void;
}

const spare = 6;
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

export function virtualList<Item>({ box, rowPx, draw, selected }: VirtualListOptions<Item>): VirtualList<Item> {
  let items: readonly Item[] = [];
  let current = -1;
  const spacer = document.createElement('div');
  spacer.setAttribute('role', 'presentation');
  box.append(spacer);

  const render = (): void => {
    const first = Math.max(0, Math.floor(box.scrollTop / rowPx) - spare);
    const last = Math.min(items.length, Math.ceil((box.scrollTop + box.clientHeight) / rowPx) + spare);
    const rows: HTMLElement[] = [];
    for (let index = first; index < last; index++) {
      const row = document.createElement('div');
      row.id = `sample-${index}`;
      row.className = 'option';
      row.setAttribute('role', 'option');
      row.setAttribute('aria-selected', String(index === current));
      row.setAttribute('aria-posinset', String(index + 1));
      row.setAttribute('aria-setsize', String(items.length));
      row.style.transform = `translateY(${index * rowPx}px)`;
      row.append(...draw(items[index]!));
      row.addEventListener('click', () => select(index));
      rows.push(row);
    }
    box.replaceChildren(spacer, ...rows);
    if (current >= first && current < last) box.setAttribute('aria-activedescendant', `sample-${current}`);
    else box.removeAttribute('aria-activedescendant');
  };

  const reveal = (index: number): void => {
    const top = index * rowPx;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + rowPx > box.scrollTop + box.clientHeight) box.scrollTop = top + rowPx - box.clientHeight;
  };

  const select = (index: number): void => {
    const item = items[index];
    if (item === undefined) return;
    current = index;
    reveal(index);
    render();
    selected(item);
  };

  box.addEventListener('scroll', render, { passive: true });
  box.addEventListener('keydown', (event) => {
    const step = steps[event.key];
    if (step === undefined || items.length === 0) return;
    event.preventDefault();
    select(Math.min(items.length - 1, Math.max(0, current + step)));
  });
  return {
    show: (next) => {
      items = next;
      current = -1;
      spacer.style.height = `${items.length * rowPx}px`;
      box.scrollTop = 0;
      render();
    },
    select,
  };
}
