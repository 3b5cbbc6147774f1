import type { State } from '../../../view/model/row.ts';
import { element, setAttributes, svg } from '../dom.ts';
import { stateText } from '../symbols.ts';
import type { GraphContent, GraphNode } from './graph-model.ts';
import { type LayoutAnswer, startLayoutWorker } from './layout.ts';
import { fittedLine, type NodeLine } from './node-text.ts';

/** Pixels of nodes, and between their columns. On a phone two columns fit beside each other. */
const sizes = {
  wide: { width: 232, height: 62, between: 60 },
  narrow: { width: 164, height: 62, between: 28 },
} as const;
/** Pixels between the sides of a node and its text. */
const inset = 10;

/** The graph as SVG. Arrow keys go to the nearest node of a direction, Enter opens its detail. */
export class GraphView {
  readonly #note = element('p', { class: 'note', role: 'status' });
  readonly #scroll = element('div', { class: 'scroll' });
  readonly #open: (id: string) => void;
  readonly #isNarrow = matchMedia('(max-width: 760px)');
  #worker: Worker | undefined;
  #content: GraphContent = { nodes: [], edges: [], left: 0 };
  #layout: LayoutAnswer | undefined;
  /** Nodes and edges of the layout; states may change without a new one. */
  #structure = '';
  #number = 0;
  #active = '';
  #selected = '';
  /** Whether the selected node still has to be brought into sight. */
  #reveals = false;

  constructor(parent: HTMLElement, open: (id: string) => void) {
    this.#open = open;
    parent.append(this.#note, this.#scroll);
    this.#isNarrow.addEventListener('change', () => this.show(this.#content, this.#selected));
    this.#scroll.addEventListener('focusin', (event) => {
      this.#active = (event.target as SVGElement).dataset['id'] ?? this.#active;
    });
    this.#scroll.addEventListener('keydown', (event) => this.#onKey(event));
    this.#scroll.addEventListener('click', (event) => {
      const id = (event.target as Element).closest<SVGElement>('.node')?.dataset['id'];
      if (id !== undefined) this.#choose(id);
    });
  }

  /** Draws the graph; asks for a new layout only if nodes or edges are others than before. */
  show(content: GraphContent, selected: string): void {
    this.#content = content;
    this.#reveals = selected !== this.#selected;
    this.#selected = selected;
    const { nodes, edges, left } = content;
    const counted = `Objects: ${nodes.length}. Connections: ${edges.length}.`;
    this.#note.textContent = left > 0 ? `${counted} ${left} more are not drawn: filter the list.` : counted;
    const size = this.#size;
    const structure = JSON.stringify([nodes.map(({ id }) => id), edges, size]);
    if (structure === this.#structure) {
      this.#draw();
      return;
    }
    this.#structure = structure;
    this.#worker ??= this.#start();
    this.#worker.postMessage({ number: ++this.#number, ...size, nodes: nodes.map(({ id }) => id), edges });
  }

  get #size() {
    return this.#isNarrow.matches ? sizes.narrow : sizes.wide;
  }

  #start(): Worker {
    const worker = startLayoutWorker();
    worker.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
      if (data.number !== this.#number) return;
      this.#layout = data;
      this.#draw();
    });
    return worker;
  }

  #draw(): void {
    const layout = this.#layout;
    if (!layout || layout.number !== this.#number) return;
    const focused = this.#scroll.contains(document.activeElement);
    const nodes = new Map(this.#content.nodes.map((node) => [node.id, node]));
    const types = new Map(this.#content.edges.map(({ from, to, type }) => [`${from}\n${to}`, type]));
    const places = new Map(layout.nodes.map((place) => [place.id, place]));
    if (!nodes.has(this.#active)) this.#active = layout.nodes[0]?.id ?? '';
    const picture = svg('svg', { width: layout.width, height: layout.height, role: 'group', 'aria-label': 'Graph' });
    for (const { from, to, points } of layout.edges) {
      const type = types.get(`${from}\n${to}`) === 'owner' ? 'owner' : 'reference';
      const [start, end] = [places.get(from), places.get(to)];
      if (!start || !end) continue;
      // From the right side of the one to the left side of the other, so that no line is below its own nodes.
      const half = this.#size.width / 2;
      const line = [{ x: start.x + half, y: start.y }, ...points, { x: end.x - half, y: end.y }];
      const d = line.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join(' ');
      picture.append(svg('path', { class: `edge ${type}`, d }));
    }
    for (const { id, x, y } of layout.nodes) {
      const node = nodes.get(id);
      if (node) picture.append(this.#node(node, x, y));
    }
    this.#scroll.replaceChildren(picture);
    if (focused) this.#focusActive();
    if (this.#reveals) picture.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.#reveals = false;
  }

  #node({ id, row, text }: GraphNode, x: number, y: number): SVGElement {
    const [kind = '', ...name] = text.split('/');
    const state: State | undefined = row?.state;
    const word = state ? stateText(state) : 'not in the list';
    const size = this.#size;
    const line = (y: number, content: string, name: NodeLine) =>
      svg('text', { x: inset, y, class: name }, fittedLine(content, name, size.width - 2 * inset));
    return svg(
      'g',
      {
        class: `node ${state ?? 'absent'}`,
        transform: `translate(${x - size.width / 2} ${y - size.height / 2})`,
        role: 'button',
        tabindex: id === this.#active ? 0 : -1,
        'aria-label': `${kind} ${name.join('/')}, ${state ?? 'not in the list'}`,
        'aria-current': id === this.#selected ? 'true' : undefined,
        'data-id': id,
      },
      svg('title', {}, text),
      svg('rect', { width: size.width, height: size.height, rx: 7 }),
      line(18, kind, 'kind'),
      line(36, name.join('/'), 'name'),
      line(54, word, 'state'),
    );
  }

  #choose(id: string): void {
    this.#activate(id);
    if (this.#content.nodes.find((node) => node.id === id)?.row) this.#open(id);
  }

  #activate(id: string): void {
    for (const node of this.#scroll.querySelectorAll<SVGElement>('.node')) {
      setAttributes(node, { tabindex: node.dataset['id'] === id ? 0 : -1 });
    }
    this.#active = id;
    this.#focusActive();
  }

  #focusActive(): void {
    const nodes = [...this.#scroll.querySelectorAll<SVGElement>('.node')];
    nodes.find(({ dataset }) => dataset['id'] === this.#active)?.focus();
  }

  #onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#choose(this.#active);
      return;
    }
    const directions: Record<string, readonly [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const direction = directions[event.key];
    const next = direction && this.#nearest(direction);
    if (!next) return;
    event.preventDefault();
    this.#activate(next);
  }

  /** The nearest node in a direction; the distance aside counts three times. */
  #nearest([dx, dy]: readonly [number, number]): string | undefined {
    const nodes = this.#layout?.nodes ?? [];
    const from = nodes.find(({ id }) => id === this.#active);
    if (!from) return undefined;
    const ways = nodes.flatMap(({ id, x, y }) => {
      const ahead = (x - from.x) * dx + (y - from.y) * dy;
      const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
      return ahead > 1 ? [{ id, cost: ahead + 3 * aside }] : [];
    });
    return ways.sort((a, b) => a.cost - b.cost)[0]?.id;
  }
}
