import type { WatchedCache } from '../../kube/cache/types.ts';
import type { Pod } from '../objects.ts';
import { type Link, type LinkTable, readLinkTable, sameLink } from './link-table.ts';
import { addressesOf } from './pod-by-address.ts';

export interface ReversePathOptions {
  /** @default the kernel's routes */
  readonly read?: () => LinkTable;
}

interface Known {
  readonly uid: string | undefined;
  link: Link | undefined;
  /** Whether a connection came by another link: nobody is served until a record shows whose the address is. */
  reused: boolean;
  /** When the newest container of the pod was started, as the record said before that; milliseconds since the epoch. */
  startedAt: number;
}

/**
 * Remembers by which interface and neighbour a pod's address was reached when its record came. The network plugin may give an
 * address on before the API server tells that the old pod has ended: what comes from it then is not the old pod.
 */
export class ReversePathCheck {
  readonly #read: () => LinkTable;
  readonly #known = new Map<string, Known>();
  /** Addresses whose records came in this turn: the table is read once for all of them. */
  #fresh: Known[] = [];
  /** As read for the first connection of this turn: those that come together, as after a restart, share it. */
  #table: LinkTable | undefined;

  constructor(pods: WatchedCache<Pod>, { read = readLinkTable }: ReversePathOptions = {}) {
    this.#read = read;
    pods.onChange((change) => {
      const before = change.type === 'added' ? [] : addressesOf(change.old);
      const now = change.type === 'deleted' ? [] : addressesOf(change.object);
      const { uid } = (change.type === 'deleted' ? change.old : change.object).metadata;
      for (const address of before) {
        if (!now.includes(address) && this.#known.get(address)?.uid === uid) this.#known.delete(address);
      }
      if (change.type === 'deleted') return;
      for (const address of now) {
        if (!before.includes(address)) this.#learn(address, change.object);
        else this.#recordOf(address, change.object);
      }
    });
  }

  /**
   * Whether an address that a connection comes from is reached otherwise than its pod was: then it may be another pod's, whose
   * record has not come yet. For each new connection.
   */
  addressReused(address: string): boolean {
    const known = this.#known.get(address);
    const link = known && this.#now().of(address);
    if (!link) return known?.reused ?? false;
    if (!known.link || sameLink(known.link, link)) {
      // A neighbour is known from the first packet on.
      if (!known.link?.mac) known.link = link;
      known.reused = false;
      return false;
    }
    known.reused = true;
    return true;
  }

  /**
   * A new record of the pod that has the address. Kubelet starts all containers of a pod anew when it makes its network anew,
   * so the link is the pod's again when the record shows just that, and no end of the pod.
   */
  #recordOf(address: string, pod: Pod): void {
    const known = this.#known.get(address);
    if (!known) return;
    const starts = startsOf(pod);
    if (!known.reused) {
      known.startedAt = Math.max(known.startedAt, ...starts);
      return;
    }
    const anew = starts.length > 0 && starts.every((at) => at > known.startedAt);
    if (anew && pod.metadata.deletionTimestamp === undefined) this.#learn(address, pod);
  }

  #now(): LinkTable {
    if (this.#table) return this.#table;
    this.#table = this.#read();
    setImmediate(() => {
      this.#table = undefined;
    });
    return this.#table;
  }

  #learn(address: string, pod: Pod): void {
    const startedAt = Math.max(0, ...startsOf(pod));
    const known: Known = { uid: pod.metadata.uid, link: undefined, reused: false, startedAt };
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

/** When the running containers of a pod were started; an unknown time is the earliest. */
function startsOf({ status }: Pod): number[] {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return all.flatMap(({ state }) => (state?.running ? [Date.parse(state.running.startedAt ?? '') || 0] : []));
}
