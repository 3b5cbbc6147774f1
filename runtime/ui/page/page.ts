import { compareRows, type Forest, forestOf } from '../../view/model/forest.ts';
import type { Row } from '../../view/model/row.ts';
import type { Detail, StreamMessage } from '../messages.ts';
import { detailElements } from './detail.ts';
import { byId, element } from './dom.ts';
import { FilterBar } from './filter-bar.ts';
import { type Filters, filtersFrom, searchOf, visibleRows } from './filters.ts';
import { GraphView } from './graph/graph.ts';
import { drawnFirst, graphOf, rowsAround } from './graph/graph-model.ts';
import { type EmptyList, List } from './list/list.ts';
import { chosenSort, sortFrom, sortRows, sortText } from './list/sort.ts';
import { Model } from './model.ts';
import { readDetail } from './stream.ts';

/** Connects the model with the views: each change is drawn with the next frame. */
export class Page {
  filters: Filters = filtersFrom(location.search);
  /** Called when another scope was chosen. */
  onScope: () => void = () => undefined;
  /** The token for further requests. */
  token: () => string = () => '';
  readonly #model = new Model();
  readonly #bar = new FilterBar((changed) => this.#change(changed));
  readonly #list = new List(byId('list'), {
    open: (row) => this.#change({ selected: row.id }),
    sort: (column) => this.#change({ sort: sortText(chosenSort(sortFrom(this.filters.sort), column)) }),
  });
  readonly #graph = new GraphView(byId('graph'), (id) => this.#change({ selected: id }));
  #problem = 'Connecting.';
  #frame = 0;
  /** The detail of the selected row, and the row as it was at the read. */
  #detail: { readonly row: Row; readonly content: Detail | string } | undefined;
  #reading = new AbortController();

  constructor() {
    addEventListener('popstate', () => this.#apply(filtersFrom(location.search)));
    addEventListener('keydown', (event) => this.#onKey(event));
    byId('detail').addEventListener('click', (event) => {
      const id = (event.target as Element).closest<HTMLElement>('a[data-id]')?.dataset['id'];
      if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.#change({ selected: id });
    });
    this.#schedule();
  }

  take(message: StreamMessage): void {
    this.#problem = '';
    this.#model.take(message);
    this.#schedule();
  }

  /** The stream ended; the shown rows stay until it is open again. */
  interrupted(problem: string): void {
    this.#problem = problem;
    this.#schedule();
  }

  #change(changed: Partial<Filters>): void {
    const next = { ...this.filters, ...changed };
    const search = searchOf(next);
    // Typing does not fill the history.
    if ('q' in changed) history.replaceState(null, '', location.pathname + search);
    else if (search !== location.search) history.pushState(null, '', location.pathname + search);
    const opens = changed.selected !== undefined && changed.selected !== '';
    this.#apply(next);
    if (opens) requestAnimationFrame(() => byId('detail').querySelector<HTMLElement>('h2')?.focus());
  }

  #apply(filters: Filters): void {
    const scope = this.filters.scope;
    this.filters = filters;
    this.#schedule();
    if (filters.scope !== scope) this.onScope();
  }

  #onKey(event: KeyboardEvent): void {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    if (event.key === '/' && !typing) {
      event.preventDefault();
      this.#bar.focusSearch();
    } else if (event.key === 'Escape' && this.filters.selected !== '' && !byId<HTMLDialogElement>('sign-in').open) {
      this.#close();
    }
  }

  #close(): void {
    this.#change({ selected: '' });
    if (this.filters.view === 'list') this.#list.focus();
    else byId('graph').querySelector<SVGElement>('.node[tabindex="0"]')?.focus();
  }

  #schedule(): void {
    if (this.#frame !== 0) return;
    // A page in the background gets no frames.
    const draw = () => {
      cancelAnimationFrame(this.#frame);
      clearTimeout(timer);
      this.#frame = 0;
      this.#draw();
    };
    const timer = setTimeout(draw, 500);
    this.#frame = requestAnimationFrame(draw);
  }

  #draw(): void {
    const { filters } = this;
    const model = this.#model;
    const rows = visibleRows(model.rows.values(), filters);
    this.#bar.show(filters, model);
    this.#showStatus(rows.length);
    this.#showKinds();
    const isGraph = filters.view === 'graph';
    byId('list').hidden = isGraph;
    byId('graph').hidden = !isGraph;
    const selected = model.find(filters.selected);
    const forest = isGraph || selected ? forestOf([...model.rows.values()], model.find) : undefined;
    if (isGraph && forest) {
      const centre = model.find(filters.around);
      // By names: a changed state must not move the nodes.
      const all = centre ? rowsAround(centre, model, forest) : drawnFirst(rows.sort(compareRows));
      this.#graph.show(graphOf(all, model), filters.selected);
    } else {
      const sort = sortFrom(filters.sort);
      const { selected } = filters;
      const { portal } = model;
      this.#list.show({ rows: sortRows(rows, sort), sort, selected, portal, empty: this.#whyEmpty() });
    }
    this.#showDetail(selected, forest);
  }

  #whyEmpty(): EmptyList {
    const { rows, listing } = this.#model;
    if (rows.size > 0) {
      const clear = () => this.#change({ q: '', namespace: '', kind: '', state: '', location: '' });
      return { text: 'No object passes the filters.', clear };
    }
    if (this.#problem !== '') return { text: '' };
    if (listing) return { text: 'Reading the cluster.' };
    return { text: 'There is no Azure resource, identity or volume here that you may read.' };
  }

  #showStatus(visible: number): void {
    const { rows, listing, limit, limitOf, source } = this.#model;
    const others = limitOf === 'memory' ? ', or close other pages: yours have all the memory of one reader' : '';
    const count = visible === rows.size ? `${rows.size} objects` : `${visible} of ${rows.size} objects`;
    const parts = [
      this.#problem === '' ? (listing ? 'Reading' : 'Live') : this.#problem,
      count,
      ...(limit > 0 ? [`only the first ${limit}: choose a namespace${others}`] : []),
      ...(source === '' ? [] : [source]),
    ];
    const status = byId('status');
    status.textContent = parts.join(' · ');
    status.title = parts.join(' · ');
    status.classList.toggle('attention', this.#problem !== '' || limit > 0);
  }

  #showKinds(): void {
    const { kinds, problems } = this.#model;
    const hidden = kinds.filter(({ state }) => state === 'forbidden' || state === 'failed');
    const texts = [
      ...hidden.map(({ kind, state, message }) =>
        state === 'forbidden' ? `${kind}: you may not list it` : `${kind}: ${message}`,
      ),
      ...problems,
    ];
    const box = byId<HTMLDetailsElement>('hidden-kinds');
    box.hidden = texts.length === 0;
    const [summary, list] = box.children as unknown as [HTMLElement, HTMLElement];
    const scope = this.filters.scope === '' ? ' Name a namespace that you may read beside the filters.' : '';
    summary.textContent = `${texts.length} kinds are not or not fully in the list.${scope}`;
    if (list.childElementCount !== texts.length || list.textContent !== texts.join('')) {
      list.replaceChildren(...texts.map((text) => element('li', {}, text)));
    }
  }

  #showDetail(row: Row | undefined, forest: Forest | undefined): void {
    const aside = byId('detail');
    aside.hidden = !row;
    if (!row || !forest) return;
    // The stream sends a new row for each change of the object.
    if (this.#detail?.row !== row) this.#read(row);
    const actions = {
      href: (id: string) => location.pathname + searchOf({ ...this.filters, selected: id }),
      showGraph: ({ id }: Row) => this.#change({ view: 'graph', around: id }),
      close: () => this.#close(),
    };
    const content = this.#detail?.content ?? '';
    const elements = detailElements(row, { model: this.#model, forest, actions, detail: content });
    // Selected text in an unchanged detail stays selected.
    const same =
      elements.length === aside.children.length &&
      elements.every((each, index) => each.isEqualNode(aside.children[index] ?? null));
    if (same) return;
    const { activeElement } = document;
    const focused = aside.contains(activeElement)
      ? [...aside.querySelectorAll(focusable)].indexOf(activeElement as Element)
      : -1;
    const top = aside.scrollTop;
    aside.replaceChildren(...elements);
    aside.scrollTop = top;
    if (focused >= 0) aside.querySelectorAll<HTMLElement>(focusable)[focused]?.focus();
  }

  #read(row: Row): void {
    this.#reading.abort();
    this.#reading = new AbortController();
    const { signal } = this.#reading;
    const former = this.#detail?.row.id === row.id ? this.#detail.content : 'Reading conditions and events.';
    this.#detail = { row, content: former };
    const show = (content: Detail | string) => {
      if (signal.aborted) return;
      this.#detail = { row, content };
      this.#schedule();
    };
    readDetail(row, this.token(), signal).then(show, (error: unknown) => show(String(error)));
  }
}

/** Elements of a detail that can have the focus. */
const focusable = 'h2, a, button';
