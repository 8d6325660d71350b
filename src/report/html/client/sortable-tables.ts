// Makes the marked columns of all tables sortable by click and keyboard.

type Key = number | string | null;

function keyOf(cell: HTMLTableCellElement | undefined): Key {
  const value = cell?.dataset['sort'];
  if (value === undefined || value === '') return null;
  const number = Number(value);
  return Number.isNaN(number) ? value : number;
}

/** Unknown values stay last in both directions. */
function compare(a: Key, b: Key, direction: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return (a - b) * direction;
  return String(a).localeCompare(String(b), 'en', { numeric: true }) * direction;
}

function sortBy(table: HTMLTableElement, header: HTMLTableCellElement): void {
  const column = header.cellIndex;
  const body = table.tBodies[0]!;
  const rows = [...body.rows];
  const isText = rows.some((row) => typeof keyOf(row.cells[column]) === 'string');
  const was = header.getAttribute('aria-sort');
  const isAscending = was === null ? isText : was === 'descending';
  for (const other of table.tHead!.rows[0]!.cells) other.removeAttribute('aria-sort');
  header.setAttribute('aria-sort', isAscending ? 'ascending' : 'descending');
  rows.sort((a, b) => compare(keyOf(a.cells[column]), keyOf(b.cells[column]), isAscending ? 1 : -1));
  body.append(...rows);
}

export function makeTablesSortable(): void {
  for (const header of document.querySelectorAll<HTMLTableCellElement>('th[data-sortable]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...header.childNodes);
    header.append(button);
    button.addEventListener('click', () => sortBy(header.closest('table')!, header));
  }
}
