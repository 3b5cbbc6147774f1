/**
 * A queue that is shared out by key, such as a namespace: keys take turns, and within a key the oldest item goes first.
 * An item waits once however often it is added. Every operation takes constant time, but `take` with keys to skip.
 */
export class FairQueue<T> {
  /** In the order of their turns: the key that was served goes to the end. */
  readonly #items = new Map<string, Set<T>>();
  #size = 0;

  /** Items waiting. */
  get size(): number {
    return this.#size;
  }

  /** Whether the item was not waiting already. */
  add(key: string, item: T): boolean {
    const items = this.#items.get(key) ?? new Set();
    if (items.has(item)) return false;
    this.#items.set(key, items.add(item));
    this.#size++;
    return true;
  }

  /** Whether the item was waiting. */
  delete(key: string, item: T): boolean {
    const items = this.#items.get(key);
    if (!items?.delete(item)) return false;
    if (items.size === 0) this.#items.delete(key);
    this.#size--;
    return true;
  }

  /** The next item of the key whose turn it is, passing over keys in `skip`; undefined where there is none. */
  take(skip?: ReadonlySet<string>): T | undefined {
    for (const [key, items] of this.#items) {
      if (skip?.has(key)) continue;
      const [item] = items as Set<T> & Iterable<T>;
      this.#items.delete(key);
      items.delete(item as T);
      if (items.size > 0) this.#items.set(key, items);
      this.#size--;
      return item;
    }
    return undefined;
  }
}
