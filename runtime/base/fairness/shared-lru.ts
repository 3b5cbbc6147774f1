interface Entry<T> {
  readonly share: string;
  readonly value: T;
  readonly weight: number;
}

interface Share {
  /** The least recently used key comes first. */
  readonly keys: Set<string>;
  weight: number;
}

/**
 * A least recently used cache whose room is shared out, such as by namespace. Where it is full, an entry of the share
 * with the largest weight goes, so that no share evicts the entries of smaller ones. Keys are those of the whole cache.
 */
export class SharedLru<T> {
  readonly #max: number;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #shares = new Map<string, Share>();
  #weight = 0;

  /** `max`: weight of the entries of all shares together. */
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
    const keys = entry && this.#shares.get(entry.share)?.keys;
    if (keys?.delete(key)) keys.add(key);
    return entry?.value;
  }

  /** Whether there is such an entry; counts as no use. */
  has(key: string): boolean {
    return this.#entries.has(key);
  }

  /** Stores a value as the most recently used one of its share. One that is heavier than the whole cache stays alone. */
  set(key: string, value: T, share: string, weight = 1): void {
    this.delete(key);
    while (this.#entries.size > 0 && this.#weight + weight > this.#max) this.#evict(share);
    this.#entries.set(key, { share, value, weight });
    const shareEntry = this.#shares.get(share) ?? { keys: new Set(), weight: 0 };
    shareEntry.keys.add(key);
    shareEntry.weight += weight;
    this.#weight += weight;
    this.#shares.set(share, shareEntry);
  }

  /** Whether there was such an entry. */
  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (!entry) return false;
    this.#entries.delete(key);
    const share = this.#shares.get(entry.share);
    this.#weight -= entry.weight;
    if (share) share.weight -= entry.weight;
    share?.keys.delete(key);
    if (share?.keys.size === 0) this.#shares.delete(entry.share);
    return true;
  }

  /** Among shares of equal weight the one that stores makes room. */
  #evict(storing: string): void {
    let largest = this.#shares.get(storing);
    for (const share of this.#shares.values()) if (!largest || share.weight > largest.weight) largest = share;
    const [oldest] = largest?.keys ?? [];
    if (oldest !== undefined) this.delete(oldest);
  }
}
