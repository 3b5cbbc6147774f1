import type { Row } from '../../view/model/row.ts';
import type { StreamMessage } from '../messages.ts';

/** Rows, or ids, of one message. */
const batch = 500;

/**
 * The rows that a page has to get: the newest state of each. A page takes so many rows. Where there are more, namespaces
 * share them: a namespace with fewer rows takes the place of one with most.
 */
export class PendingRows {
  readonly #most: number;
  /** Namespace of each row of the page, by id. */
  readonly #known = new Map<string, string>();
  readonly #byNamespace = new Map<string, Set<string>>();
  readonly #changed = new Map<string, Row | undefined>();
  /** The rows of the namespace that had most when the class last compared them. */
  #largest: ReadonlySet<string> = new Set();
  /** Whether no namespace has more. */
  #isExact = true;
  #limit = false;
  onChange: () => void = () => undefined;

  constructor(most: number) {
    this.#most = most;
  }

  put(row: Row): void {
    if (!this.#known.has(row.id)) {
      if (this.#known.size >= this.#most && !this.#makeRoom(row.namespace)) return;
      this.#add(row);
    }
    this.#changed.set(row.id, row);
    this.onChange();
  }

  remove(id: string): void {
    const namespace = this.#known.get(id);
    if (namespace === undefined) return;
    this.#known.delete(id);
    const rows = this.#byNamespace.get(namespace);
    rows?.delete(id);
    if (rows?.size === 0) this.#byNamespace.delete(namespace);
    this.#isExact = false;
    this.#changed.set(id, undefined);
    this.onChange();
  }

  take(): StreamMessage[] {
    const rows = [...this.#changed.values()].filter((row) => row !== undefined);
    const ids = [...this.#changed].filter(([, row]) => row === undefined).map(([id]) => id);
    this.#changed.clear();
    const limit = this.#limit;
    this.#limit = false;
    return [
      ...slices(ids).map((part): StreamMessage => ({ type: 'gone', ids: part })),
      ...slices(rows).map((part): StreamMessage => ({ type: 'rows', rows: part })),
      ...(limit ? [{ type: 'limit', rows: this.#most } as const] : []),
    ];
  }

  #add({ id, namespace }: Row): void {
    this.#known.set(id, namespace);
    const rows = this.#byNamespace.get(namespace) ?? new Set();
    this.#byNamespace.set(namespace, rows.add(id));
    if (rows.size > this.#largest.size) this.#largest = rows;
  }

  /** Removes a row of the namespace with most, for one with fewer. Returns whether there is room then. */
  #makeRoom(namespace: string): boolean {
    this.#limit = true;
    const own = this.#byNamespace.get(namespace)?.size ?? 0;
    if (own + 1 >= this.#largest.size && !this.#isExact) this.#findLargest();
    if (own + 1 >= this.#largest.size) return false;
    const [last = ''] = this.#largest;
    this.remove(last);
    return true;
  }

  #findLargest(): void {
    this.#largest = new Set();
    for (const rows of this.#byNamespace.values()) if (rows.size > this.#largest.size) this.#largest = rows;
    this.#isExact = true;
  }
}

function slices<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / batch) }, (_, index) =>
    items.slice(index * batch, (index + 1) * batch),
  );
}
