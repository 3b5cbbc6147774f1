import { type State, states } from '../../view/model/row.ts';
import { byId, element, setAttributes } from './dom.ts';
import { choices, type Filters, valuesOf } from './filters.ts';
import type { Model } from './model.ts';
import { stateText } from './symbols.ts';

const labels = { namespace: 'Namespace', kind: 'Kind', state: 'State', location: 'Location' } as const;

/** The controls of the filters. Each change calls `change` with the new values. */
export class FilterBar {
  readonly #search = element('input', {
    type: 'search',
    'aria-label': 'Search',
    placeholder: 'Search',
    'aria-keyshortcuts': '/',
  });
  readonly #selects = new Map<(typeof choices)[number], HTMLSelectElement>();
  readonly #states = new Map<State, HTMLButtonElement>();
  readonly #views = new Map<Filters['view'], HTMLButtonElement>();
  /** Small screens show the choices on demand. */
  readonly #more = element('button', { type: 'button', class: 'more', 'aria-expanded': 'false' });
  readonly #scope = element('input', { 'aria-label': 'Only this namespace', placeholder: 'Only namespace', size: 14 });
  #filters: Filters | undefined;

  constructor(change: (filters: Partial<Filters>) => void) {
    this.#search.addEventListener('input', () => change({ q: this.#search.value }));
    for (const name of choices) {
      const select = element('select', { 'aria-label': labels[name] });
      select.addEventListener('change', () => change({ [name]: select.value }));
      this.#selects.set(name, select);
    }
    for (const [view, text] of [
      ['list', 'List'],
      ['graph', 'Graph'],
    ] as const) {
      const button = element('button', { type: 'button' }, text);
      button.addEventListener('click', () => change({ view, around: '' }));
      this.#views.set(view, button);
    }
    this.#scope.addEventListener('change', () => change({ scope: this.#scope.value.trim() }));
    const views = element('span', { class: 'views', role: 'group', 'aria-label': 'View' }, ...this.#views.values());
    this.#more.setAttribute('aria-controls', 'choices');
    this.#more.addEventListener('click', () => {
      const isOpen = this.#more.getAttribute('aria-expanded') === 'true';
      setAttributes(this.#more, { 'aria-expanded': String(!isOpen) });
    });
    const controls = element('span', { id: 'choices' }, ...this.#selects.values(), this.#scope);
    byId('filters').append(this.#search, this.#more, controls, views);
    for (const state of states) {
      const button = element('button', { type: 'button', class: `state ${state}` });
      button.addEventListener('click', () => change({ state: this.#filters?.state === state ? '' : state }));
      this.#states.set(state, button);
    }
    byId('states').append(...this.#states.values());
  }

  focusSearch(): void {
    this.#search.focus();
    this.#search.select();
  }

  show(filters: Filters, model: Model): void {
    this.#filters = filters;
    if (document.activeElement !== this.#search) this.#search.value = filters.q;
    if (document.activeElement !== this.#scope) this.#scope.value = filters.scope;
    for (const [view, button] of this.#views) setAttributes(button, { 'aria-pressed': String(filters.view === view) });
    const chosen = [...choices, 'scope' as const].filter((name) => filters[name] !== '').length;
    this.#more.textContent = chosen === 0 ? 'Filters' : `Filters (${chosen})`;
    const values = valuesOf(model.rows.values());
    for (const [name, select] of this.#selects) showOptions(select, labels[name], values[name], filters[name]);
    const counts = new Map<State, number>();
    for (const { state } of model.rows.values()) counts.set(state, (counts.get(state) ?? 0) + 1);
    for (const [state, button] of this.#states) {
      const count = counts.get(state) ?? 0;
      button.textContent = `${stateText(state)} ${count}`;
      button.hidden = count === 0 && filters.state !== state;
      setAttributes(button, { 'aria-pressed': String(filters.state === state) });
    }
  }
}

/** Replaces the options only where they are others: an open list would close. */
function showOptions(select: HTMLSelectElement, label: string, values: readonly string[], value: string): void {
  const wanted = value === '' || values.includes(value) ? values : [...values, value];
  const key = JSON.stringify(wanted);
  if (select.dataset['values'] !== key) {
    select.dataset['values'] = key;
    const every = element('option', { value: '' }, `${label}: all`);
    select.replaceChildren(every, ...wanted.map((each) => element('option', { value: each }, each)));
  }
  select.value = value;
}
