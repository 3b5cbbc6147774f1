import { element, setAttributes } from '../dom.ts';
import { type Column, columns, type Sort } from './sort.ts';

/** The row of column headers; each is a button that sorts. It scrolls with the rows, so that both have one width. */
export class ListHeader {
  readonly element: HTMLElement;
  readonly #headers = new Map<Column, HTMLElement>();

  constructor(choose: (column: Column) => void) {
    for (const column of columns) {
      const title = `${column.charAt(0).toUpperCase()}${column.slice(1)}`;
      const button = element('button', { type: 'button' }, title);
      button.addEventListener('click', () => choose(column));
      this.#headers.set(column, element('div', { role: 'columnheader', class: column }, button));
    }
    const portal = element('div', { role: 'columnheader', class: 'portal', 'aria-label': 'Azure portal' });
    const headers = [...this.#headers.values(), portal];
    this.element = element('div', { class: 'columns', role: 'row', 'aria-rowindex': 1 }, ...headers);
  }

  /** Marks the column of the order, and its direction. */
  show({ column, descending }: Sort): void {
    for (const [name, header] of this.#headers) {
      const direction = descending ? 'descending' : 'ascending';
      setAttributes(header, { 'aria-sort': name === column ? direction : undefined });
    }
  }
}
