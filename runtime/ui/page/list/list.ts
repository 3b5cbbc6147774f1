import { age } from '../../../view/age.ts';
import type { Row } from '../../../view/model/row.ts';
import { element, setAttributes } from '../dom.ts';
import { portalAddress } from '../portal.ts';
import { portalLink } from '../portal-link.ts';
import { stateElement } from '../symbols.ts';
import { fittedText } from './fitted-text.ts';
import { ListHeader } from './list-header.ts';
import { type Column, columns, type Sort } from './sort.ts';

/** Rows above and below those in sight. */
const margin = 10;
/** Milliseconds after which the shown ages are computed again. */
const ageMs = 10_000;

/** What a list shows. */
export interface ListContent {
  /** In the order of `sort`. */
  readonly rows: readonly Row[];
  readonly sort: Sort;
  /** Id of the row in the detail. */
  readonly selected: string;
  /** Address of the Azure portal; '' for no links. */
  readonly portal: string;
  /** In place of rows. */
  readonly empty: EmptyList;
}

/** What a list calls. */
export interface ListActions {
  open(row: Row): void;
  sort(column: Column): void;
}

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
  readonly #header: ListHeader;
  readonly #actions: ListActions;
  #rows: readonly Row[] = [];
  #active = '';
  #selected = '';
  #portal = '';

  constructor(parent: HTMLElement, actions: ListActions) {
    this.#actions = actions;
    this.#header = new ListHeader((column) => actions.sort(column));
    this.#scroll = element('div', {
      class: 'scroll',
      role: 'grid',
      tabindex: 0,
      'aria-label': 'Objects',
      'aria-colcount': columns.length + 1,
    });
    parent.append(this.#scroll, this.#empty);
    this.#clear.addEventListener('click', () => this.#onClear());
    this.#scroll.append(this.#header.element, this.#space);
    this.#scroll.addEventListener('scroll', () => this.#draw());
    this.#scroll.addEventListener('keydown', (event) => this.#onKey(event));
    this.#space.addEventListener('click', (event) => {
      if ((event.target as Element).closest('a')) return;
      const index = (event.target as Element).closest<HTMLElement>('.row')?.dataset['index'];
      const row = this.#rows[Number(index)];
      if (row) this.#choose(row);
    });
    new ResizeObserver(() => this.#draw()).observe(this.#scroll);
    setInterval(() => this.#writeAges(), ageMs);
  }

  show({ rows, sort, selected, portal, empty: { text, clear } }: ListContent): void {
    this.#rows = rows;
    this.#selected = selected;
    this.#portal = portal;
    this.#header.show(sort);
    this.#note.textContent = text;
    this.#clear.hidden = clear === undefined;
    this.#onClear = clear ?? (() => undefined);
    this.#empty.hidden = rows.length > 0;
    this.#scroll.hidden = rows.length === 0;
    setAttributes(this.#scroll, { 'aria-rowcount': rows.length + 1 });
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
    this.#actions.open(row);
  }

  /** Pixels of a row, which the style decides by the width of the list. */
  get #rowHeight(): number {
    return Number.parseInt(getComputedStyle(this.#scroll).getPropertyValue('--row-height'), 10) || 28;
  }

  #onKey(event: KeyboardEvent): void {
    // The buttons of the header have keys of their own.
    if (event.target !== this.#scroll) return;
    if (event.key === 'o') {
      this.#space.querySelector<HTMLAnchorElement>('.active a')?.click();
      return;
    }
    const page = Math.max(1, Math.floor(this.#scroll.clientHeight / this.#rowHeight) - 2);
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
    const rowHeight = this.#rowHeight;
    const top = index * rowHeight;
    const { scrollTop, clientHeight } = this.#scroll;
    const room = clientHeight - this.#header.element.offsetHeight;
    if (top < scrollTop) this.#scroll.scrollTop = top;
    else if (top + rowHeight > scrollTop + room) this.#scroll.scrollTop = top + rowHeight - room;
  }

  #draw(): void {
    const rowHeight = this.#rowHeight;
    this.#space.style.height = `${this.#rows.length * rowHeight}px`;
    const { scrollTop, clientHeight } = this.#scroll;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
    const shown = this.#rows.slice(first, first + Math.ceil(clientHeight / rowHeight) + 2 * margin);
    const now = Date.now();
    const elements = shown.map((row, offset) => {
      const made = this.#element(row, first + offset, now);
      made.style.top = `${(first + offset) * rowHeight}px`;
      return made;
    });
    this.#space.replaceChildren(...elements);
    const active = this.#space.querySelector('.active');
    setAttributes(this.#scroll, { 'aria-activedescendant': active?.id });
  }

  /** Only what changes, so that a selected text stays selected. */
  #writeAges(): void {
    const now = Date.now();
    for (const cell of this.#space.querySelectorAll<HTMLElement>('.age')) {
      const text = age(cell.title, now);
      if (cell.textContent !== text) cell.textContent = text;
    }
  }

  #element(row: Row, index: number, now: number): HTMLElement {
    const isSelected = row.id === this.#selected;
    const address = portalAddress(this.#portal, row.armId);
    // Not in the order of the Tab key, which would stop at each row.
    const portal = address === undefined ? '' : portalLink(address, '↗', `Open ${row.name} in the Azure portal`, -1);
    const cell = (name: Column, ...children: (Node | string)[]) =>
      element('span', { role: 'gridcell', class: name }, ...children);
    const state = stateElement(row.state);
    state.setAttribute('role', 'gridcell');
    return element(
      'div',
      {
        class: `row ${row.state}${row.id === this.#active ? ' active' : ''}`,
        id: `row-${index}`,
        role: 'row',
        'aria-rowindex': index + 2,
        'aria-selected': isSelected ? 'true' : undefined,
        'data-index': index,
      },
      state,
      cell('namespace', fittedText(row.namespace)),
      cell('kind', fittedText(row.kind)),
      cell('name', fittedText(row.name)),
      cell('location', fittedText(row.location)),
      element('span', { role: 'gridcell', class: 'age', title: row.created }, age(row.created, now)),
      reasonCell(row, isSelected),
      element('span', { role: 'gridcell', class: 'portal' }, portal),
    );
  }
}

/** Why an object has its state. The message of the selected row is in its detail, and is not repeated beside it. */
function reasonCell({ state, reason, message }: Row, isSelected: boolean): HTMLElement {
  const word = reason === state ? '' : reason;
  const why = isSelected || message === reason ? '' : message;
  const title = [word, why].filter((text) => text !== '').join(' ');
  const between = word !== '' && why !== '' ? ' ' : '';
  return element('span', { role: 'gridcell', class: 'reason', title }, element('strong', {}, word), between, why);
}
