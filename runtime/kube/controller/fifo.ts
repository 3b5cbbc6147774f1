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

/** One line for each share: shares rotate, and within one the oldest entry comes first. */
export class FairFifo<T extends { readonly share: string }> {
  readonly #isCurrent: (entry: T) => boolean;
  /** In the order of rotation. */
  readonly #shares = new Map<string, Fifo<T>>();

  constructor(isCurrent: (entry: T) => boolean) {
    this.#isCurrent = isCurrent;
  }

  push(entry: T): void {
    const share = this.#shares.get(entry.share) ?? new Fifo<T>(this.#isCurrent);
    this.#shares.set(entry.share, share);
    share.push(entry);
  }

  /** The oldest current entry of the next share that `accepts` takes, left in place. */
  peek(accepts: (share: string) => boolean): T | undefined {
    for (const [name, share] of this.#shares) {
      const entry = share.peek();
      if (entry === undefined) this.#shares.delete(name);
      else if (accepts(name)) return entry;
    }
    return undefined;
  }

  /** The share was served: the others come before its next entry. */
  served(name: string): void {
    const share = this.#shares.get(name);
    if (!share) return;
    this.#shares.delete(name);
    this.#shares.set(name, share);
  }
}
