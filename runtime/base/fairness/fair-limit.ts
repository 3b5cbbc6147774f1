/** Most concurrent holders for each address, or other caller, of each namespace, and in total. */
export interface FairLimits {
  readonly total: number;
  readonly perNamespace: number;
  readonly perAddress: number;
}

interface Holder {
  readonly address: string;
  /** Ends the holder's connection or request. */
  readonly evict: () => void;
}

/**
 * Counts holders by namespace and address. At the total limit, the namespace with most holders loses its oldest one
 * to a namespace with fewer, so that no namespace can take another's share.
 */
export class FairLimit<N extends string> {
  readonly #name: N;
  readonly #limits: FairLimits;
  /** Oldest first. */
  readonly #namespaces = new Map<string, Set<Holder>>();
  readonly #addresses = new Map<string, number>();
  #total = 0;

  constructor(name: N, limits: FairLimits) {
    this.#name = name;
    this.#limits = limits;
  }

  /**
   * Admits a holder and returns its release function, or returns the limit that is reached. `evict` ends the holder.
   */
  admit(
    namespace: string,
    address: string,
    evict: () => void,
  ): N | `${N}_per_namespace` | `${N}_per_address` | (() => void) {
    const { total, perNamespace, perAddress } = this.#limits;
    const usedByNamespace = this.#namespaces.get(namespace)?.size ?? 0;
    if ((this.#addresses.get(address) ?? 0) >= perAddress) return `${this.#name}_per_address`;
    if (usedByNamespace >= perNamespace) return `${this.#name}_per_namespace`;
    if (this.#total >= total && !this.#evictFor(usedByNamespace)) return this.#name;
    const holder: Holder = { address, evict };
    const holders = this.#namespaces.get(namespace) ?? new Set();
    this.#namespaces.set(namespace, holders.add(holder));
    this.#addresses.set(address, (this.#addresses.get(address) ?? 0) + 1);
    this.#total++;
    return () => this.#release(namespace, holder);
  }

  #evictFor(usedByNamespace: number): boolean {
    let most: [namespace: string, holders: Set<Holder>] | undefined;
    for (const entry of this.#namespaces) if (entry[1].size > (most?.[1].size ?? usedByNamespace + 1)) most = entry;
    const [oldest] = most?.[1] ?? [];
    if (!most || !oldest) return false;
    this.#release(most[0], oldest);
    oldest.evict();
    return true;
  }

  #release(namespace: string, holder: Holder): void {
    const holders = this.#namespaces.get(namespace);
    if (!holders?.delete(holder)) return;
    if (holders.size === 0) this.#namespaces.delete(namespace);
    const left = (this.#addresses.get(holder.address) ?? 1) - 1;
    if (left > 0) this.#addresses.set(holder.address, left);
    else this.#addresses.delete(holder.address);
    this.#total--;
  }
}
