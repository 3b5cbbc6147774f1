import type { Row } from '../../view/model/row.ts';
import { element, setAttributes } from './dom.ts';
import { stateElement } from './symbols.ts';

/** Pixels of a row, as the style has it. */
const rowHeight = 28;
/** Rows above and below those in sight. */
const margin = 10;
const titles = ['State', 'Namespace', 'Kind', 'Name', 'Location', 'Reason'] as const;

/** The text in place of rows; `clear` removes the filters where they are the reason. */
export interface EmptyList {
  readonly text: string;
  readonly clear?: () => void;
}

/** A list of which only the rows in sight are elements. The keyboard moves an active row; Enter opens it. */
export class List {
  readonly #scroll: HTMLElement;
  readonly #space = element('div', { class: 'space', role: 'presentation' });
  readonly #note = element('p');
  readonly #clear = element('button', { type: 'button' }, 'Clear the filters');
  readonly #empty = element('div', { class: 'empty' }, this.#note, this.#clear);
  #onClear: () => void = () => undefined;
  readonly #open: (row: Row) => void;
  #rows: readonly Row[] = [];
  #active = '';
  #selected = '';

  constructor(parent: HTMLElement, open: (row: Row) => void) {
    this.#open = open;
    this.#scroll = element('div', {
      class: 'scroll',
      role: 'grid',
      tabindex: 0,
      'aria-label': 'Objects',
      'aria-colcount': titles.length,
    });
    const columns = titles.map((title) => element('span', { class: title.toLowerCase() }, title));
    parent.append(element('div', { class: 'columns', 'aria-hidden': 'true' }, ...columns), this.#empty, this.#scroll);
    this.#clear.addEventListener('click', () => this.#onClear());
    this.#scroll.append(this.#space);
    this.#scroll.addEventListener('scroll', () => this.#draw());
    this.#scroll.addEventListener('keydown', (event) => this.#onKey(event));
    this.#space.addEventListener('click', (event) => {
      const index = (event.target as Element).closest<HTMLElement>('.row')?.dataset['index'];
      const row = this.#rows[Number(index)];
      if (row) this.#choose(row);
    });
    new ResizeObserver(() => this.#draw()).observe(this.#scroll);
  }

  /** Shows rows; `empty` where there are none. */
  show(rows: readonly Row[], selected: string, { text, clear }: EmptyList): void {
    this.#rows = rows;
    this.#selected = selected;
    this.#note.textContent = text;
    this.#clear.hidden = clear === undefined;
    this.#onClear = clear ?? (() => undefined);
    this.#empty.hidden = rows.length > 0;
    this.#space.style.height = `${rows.length * rowHeight}px`;
    setAttributes(this.#scroll, { 'aria-rowcount': rows.length });
    this.#draw();
  }

  focus(): void {
    this.#scroll.focus();
  }

  get #activeIndex(): number {
    return Math.max(
      0,
      this.#rows.findIndex(({ id }) => id === this.#active),
    );
  }

  #choose(row: Row): void {
    this.#active = row.id;
    this.#draw();
    this.#open(row);
  }

  #onKey(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.#scroll.clientHeight / rowHeight) - 1);
    const now = this.#activeIndex;
    const last = this.#rows.length - 1;
    const targets: Record<string, number> = {
      ArrowDown: this.#active === '' ? 0 : now + 1,
      ArrowUp: now - 1,
      PageDown: now + page,
      PageUp: now - page,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    const row = this.#rows[target === undefined ? now : Math.min(last, Math.max(0, target))];
    if (!row || (target === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    if (event.key === 'Enter') {
      this.#choose(row);
      return;
    }
    this.#active = row.id;
    this.#reveal(this.#rows.indexOf(row));
    this.#draw();
  }

  #reveal(index: number): void {
    const top = index * rowHeight;
    const { scrollTop, clientHeight } = this.#scroll;
    if (top < scrollTop) this.#scroll.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight) this.#scroll.scrollTop = top + rowHeight - clientHeight;
  }

  #draw(): void {
    const { scrollTop, clientHeight } = this.#scroll;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
    const shown = this.#rows.slice(first, first + Math.ceil(clientHeight / rowHeight) + 2 * margin);
    this.#space.replaceChildren(...shown.map((row, offset) => this.#element(row, first + offset)));
    const active = this.#space.querySelector('.active');
    setAttributes(this.#scroll, { 'aria-activedescendant': active?.id });
  }

  #element(row: Row, index: number): HTMLElement {
    const cells = (['namespace', 'kind', 'name', 'location'] as const).map((name) =>
      element('span', { role: 'gridcell', class: name, title: row[name] }, row[name]),
    );
    const { reason, message } = row;
    const why = message === '' || message === reason ? '' : ` ${message}`;
    const title = `${reason}${why}`;
    cells.push(element('span', { role: 'gridcell', class: 'reason', title }, element('strong', {}, reason), why));
    const state = stateElement(row.state);
    state.setAttribute('role', 'gridcell');
    const made = element(
      'div',
      {
        class: `row ${row.state}${row.id === this.#active ? ' active' : ''}`,
        id: `row-${index}`,
        role: 'row',
        'aria-rowindex': index + 1,
        'aria-selected': row.id === this.#selected ? 'true' : undefined,
        'data-index': index,
      },
      state,
      ...cells,
    );
    made.style.top = `${index * rowHeight}px`;
    return made;
  }
}
