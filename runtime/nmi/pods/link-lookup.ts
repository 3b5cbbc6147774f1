import { isIPv4 } from 'node:net';
import { IpQueries } from './ip-queries.ts';
import { interfaceIndex, type Link, type LinkTable, readLinkTable } from './link-table.ts';

/** Looks up how the node reaches an address, from the kernel's state after the call. */
export interface LinkLookup {
  /**
   * The link of an address; undefined where only the default route leads there. `device`: the interface that the
   * address had before. Never rejects.
   */
  of(address: string, device?: string): Promise<Link | undefined>;
  /** The same from the whole table, at a cost that grows with it, for a caller that cannot wait. */
  now(address: string): Link | undefined;
  close(): void;
}

/** Parts of the look-up that tests replace. */
export interface KernelLinksOptions {
  readonly queries?: Pick<IpQueries, 'route' | 'neighbour' | 'close'>;
  readonly readTable?: () => LinkTable;
  readonly indexOf?: (device: string) => number;
}

/** Asks the kernel about the one address; reads the whole table where iproute2 gives no answer. */
export class KernelLinks implements LinkLookup {
  readonly #queries: Pick<IpQueries, 'route' | 'neighbour' | 'close'>;
  readonly #readTable: () => LinkTable;
  readonly #indexOf: (device: string) => number;
  /** The table as read in this iteration of the event loop. */
  #table: LinkTable | undefined;

  constructor({
    queries = new IpQueries(),
    readTable = readLinkTable,
    indexOf = interfaceIndex,
  }: KernelLinksOptions = {}) {
    this.#queries = queries;
    this.#readTable = readTable;
    this.#indexOf = indexOf;
  }

  async of(address: string, device?: string): Promise<Link | undefined> {
    try {
      return await this.#ask(address, device);
    } catch {
      return this.now(address);
    }
  }

  now(address: string): Link | undefined {
    if (!this.#table) {
      this.#table = this.#readTable();
      setImmediate(() => {
        this.#table = undefined;
      });
    }
    return this.#table.of(address);
  }

  close(): void {
    this.#queries.close();
  }

  async #ask(address: string, expected: string | undefined): Promise<Link | undefined> {
    const macOn = (device: string | undefined) =>
      device !== undefined && isIPv4(address) ? this.#queries.neighbour(address, device) : undefined;
    // Together, so that both leave with one write.
    const [{ device, pod }, expectedMac] = await Promise.all([this.#queries.route(address), macOn(expected)]);
    if (!pod) return undefined;
    const mac = device === expected ? expectedMac : await macOn(device);
    const index = this.#indexOf(device);
    if (!(index > 0)) throw new Error(`no interface ${device}`);
    return { index, mac, device };
  }
}
