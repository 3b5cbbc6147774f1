/** First in, first out, without moving elements; entries that are no longer `current` are skipped. */
export class Fifo<T> {
  readonly #isCurrent: (entry: T) => boolean;
  #entries: T[] = [];
  #head = 0;

  constructor(isCurrent: (entry: T) => boolean) {
    this.#isCurrent = isCurrent;
  }

  push(entry: T): void {
    this.#entries.push(entry);
  }

  /** The oldest current entry, left in place; it is skipped once it stops being current. */
  peek(): T | undefined {
    for (; this.#head < this.#entries.length; this.#head++) {
      const entry = this.#entries[this.#head] as T;
      if (this.#isCurrent(entry)) {
        if (this.#head > 1000 && this.#head * 2 > this.#entries.length) this.#compact();
        return entry;
      }
    }
    this.#entries = [];
    this.#head = 0;
    return undefined;
  }

  #compact(): void {
    this.#entries = this.#entries.slice(this.#head);
    this.#head = 0;
  }
}
