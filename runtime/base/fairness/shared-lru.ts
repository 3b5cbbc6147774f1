interface Entry<T> {
  readonly share: string;
  readonly value: T;
}

/**
 * A least recently used cache whose room is shared out, such as by namespace. Where it is full, an entry of the share
 * with the most entries goes, so that no share evicts the entries of smaller ones. Keys are those of the whole cache.
 */
export class SharedLru<T> {
  readonly #max: number;
  readonly #entries = new Map<string, Entry<T>>();
  /** Keys by share; within one, the least recently used key comes first. */
  readonly #shares = new Map<string, Set<string>>();

  /** `max`: entries of all shares together. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Entries of all shares. */
  get size(): number {
    return this.#entries.size;
  }

  /** The value; counts as a use. */
  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    const keys = entry && this.#shares.get(entry.share);
    if (keys?.delete(key)) keys.add(key);
    return entry?.value;
  }

  /** Stores a value as the most recently used one of its share. */
  set(key: string, value: T, share: string): void {
    this.delete(key);
    if (this.#entries.size >= this.#max) this.#evict(share);
    this.#entries.set(key, { share, value });
    this.#shares.set(share, (this.#shares.get(share) ?? new Set()).add(key));
  }

  /** Whether there was such an entry. */
  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#entries.delete(key);
    const keys = this.#shares.get(entry.share);
    keys?.delete(key);
    if (keys?.size === 0) this.#shares.delete(entry.share);
    return true;
  }

  /** Among shares of equal size the one that stores makes room. */
  #evict(storing: string): void {
    let largest = storing;
    let most = this.#shares.get(storing)?.size ?? 0;
    for (const [share, { size }] of this.#shares) if (size > most) [largest, most] = [share, size];
    const [oldest] = this.#shares.get(largest) ?? [];
    if (oldest !== undefined) this.delete(oldest);
  }
}
