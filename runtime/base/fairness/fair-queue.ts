/**
 * A queue that is shared out by key, such as a namespace: keys are served in rotation, and within a key the oldest item
 * goes first. An item waits once however often it is added. Every operation takes constant time, except `before` and
 * `take` with a condition, which take the keys one by one.
 */
export class FairQueue<T> {
  /** In the order of rotation: the key that was served goes to the end. */
  readonly #items = new Map<string, Set<T>>();
  #size = 0;

  /** Items waiting. */
  get size(): number {
    return this.#size;
  }

  /** The keys of waiting items, in the order of rotation. */
  keys(): MapIterator<string> {
    return this.#items.keys();
  }

  /** Items of the key that wait. */
  sizeOf(key: string): number {
    return this.#items.get(key)?.size ?? 0;
  }

  /** Items that are taken before a new one of the key, if no further ones come. */
  before(key: string): number {
    const namespaceSize = this.sizeOf(key);
    let sum = namespaceSize;
    for (const [other, { size }] of this.#items) if (other !== key) sum += Math.min(size, namespaceSize + 1);
    return sum;
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

  /**
   * The oldest item of the first key in the rotation; undefined where there is none. `accepts` decides about the oldest
   * item of each key in this order until it accepts one. @default accepts the first
   */
  take(accepts: (key: string, item: T) => boolean = () => true): T | undefined {
    for (const [key, items] of this.#items) {
      const [item] = items as Set<T> & [T];
      if (!accepts(key, item)) continue;
      this.#items.delete(key);
      items.delete(item);
      if (items.size > 0) this.#items.set(key, items);
      this.#size--;
      return item;
    }
    return undefined;
  }
}
