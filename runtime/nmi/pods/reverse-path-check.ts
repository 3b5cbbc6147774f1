import type { Clock } from '../../base/clock.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import type { Pod } from '../objects.ts';
import { type Link, type LinkTable, readLinkTable, sameLink } from './link-table.ts';
import { addressesOf } from './pod-by-address.ts';

export interface ReversePathOptions {
  /** @default the kernel's routes */
  readonly read?: () => LinkTable;
  /**
   * Milliseconds for the API server to tell of a pod's end, or of the new pod; afterwards the pod's record is believed, as its
   * sandbox may have been made anew with the same address. @default 30000
   */
  readonly holdMs?: number;
}

interface Known {
  readonly uid: string | undefined;
  link: Link | undefined;
  /** Since when it differs, in monotonic milliseconds; the API server was heard from all that time. */
  since: number | undefined;
}

/**
 * Remembers by which interface and neighbour a pod's address was reached when its record came. The network plugin may give an
 * address on before the API server tells that the old pod has ended: what comes from it then is not the old pod.
 */
export class ReversePathCheck {
  readonly #pods: WatchedCache<Pod>;
  readonly #clock: Clock;
  readonly #read: () => LinkTable;
  readonly #holdMs: number;
  readonly #known = new Map<string, Known>();
  /** Addresses whose records came in this turn: the table is read once for all of them. */
  #fresh: Known[] = [];
  /** As read for the first connection of this turn: those that come together, as after a restart, share it. */
  #table: LinkTable | undefined;

  constructor(
    pods: WatchedCache<Pod>,
    clock: Clock,
    { read = readLinkTable, holdMs = 30_000 }: ReversePathOptions = {},
  ) {
    this.#pods = pods;
    this.#clock = clock;
    this.#read = read;
    this.#holdMs = holdMs;
    pods.onChange((change) => {
      const before = change.type === 'added' ? [] : addressesOf(change.old);
      const now = change.type === 'deleted' ? [] : addressesOf(change.object);
      const { uid } = (change.type === 'deleted' ? change.old : change.object).metadata;
      for (const address of before) {
        if (!now.includes(address) && this.#known.get(address)?.uid === uid) this.#known.delete(address);
      }
      for (const address of now) if (!before.includes(address)) this.#learn(address, uid);
    });
  }

  /** Whether an address that a connection comes from is reached otherwise than its pod was. For each new connection. */
  addressReused(address: string): boolean {
    const known = this.#known.get(address);
    const link = known && this.#now().of(address);
    if (!link) return false;
    if (!known.link || sameLink(known.link, link)) {
      // A neighbour is known from the first packet on.
      if (!known.link?.mac) known.link = link;
      known.since = undefined;
      return false;
    }
    const now = this.#clock.monotonic();
    if (known.since === undefined || this.#pods.trouble() !== undefined) known.since = now;
    if (now - known.since < this.#holdMs) return true;
    known.link = link;
    known.since = undefined;
    return false;
  }

  #now(): LinkTable {
    if (this.#table) return this.#table;
    this.#table = this.#read();
    setImmediate(() => {
      this.#table = undefined;
    });
    return this.#table;
  }

  #learn(address: string, uid: string | undefined): void {
    const known: Known = { uid, link: undefined, since: undefined };
    this.#known.set(address, known);
    if (this.#fresh.push(known) > 1) return;
    queueMicrotask(() => {
      const table = this.#read();
      const fresh = new Set(this.#fresh);
      this.#fresh = [];
      for (const [at, each] of this.#known) if (fresh.has(each)) each.link = table.of(at);
    });
  }
}
