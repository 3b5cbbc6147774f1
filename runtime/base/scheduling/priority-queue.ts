/** A binary heap: returns its items in the order of a comparison, whatever the order in which they came. */
export class PriorityQueue<T> {
  readonly #before: (a: T, b: T) => boolean;
  #items: T[] = [];

  /** `before(a, b)` says whether `a` is returned before `b`. */
  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  /** The next item, which stays; undefined for none. */
  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.push(item) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = items[parent] as T;
      if (!this.#before(item, above)) break;
      items[index] = above;
      index = parent;
    }
    items[index] = item;
  }

  /** Removes the next item; undefined for none. */
  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (last === undefined || items.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#before(items[child + 1] as T, items[child] as T)) child++;
      if (!this.#before(items[child] as T, last)) break;
      items[index] = items[child] as T;
      index = child;
    }
    items[index] = last;
    return first;
  }

  /** Replaces all items. */
  reset(items: Iterable<T> = []): void {
    this.#items = [];
    for (const item of items) this.push(item);
  }
}
