import type { WatchedCache } from '../../kube/cache/types.ts';
import type { Pod } from '../objects.ts';
import { type Link, type LinkTable, readLinkTable, sameLink } from './link-table.ts';
import { addressesOf } from './pod-by-address.ts';

/** How the check reads the kernel's routes. */
export interface ReversePathOptions {
  /** @default the kernel's routes */
  readonly read?: () => LinkTable;
}

/** The link of a pod's address. */
interface AddressLink {
  readonly uid: string | undefined;
  /** How the node reached the address when the pod's object arrived. */
  link: Link | undefined;
  /** Whether a connection arrived by another link: the daemon refuses it until its pod changes. */
  reused: boolean;
  /** Latest start of a container of the pod before that, milliseconds since the epoch. */
  startedAt: number;
}

/**
 * Remembers the interface and neighbour of a pod's address from when the pod's object arrived. The network plugin may
 * reuse an address before the API server reports the old pod's end: a connection from it then is not the old pod's.
 */
export class ReversePathCheck {
  readonly #read: () => LinkTable;
  readonly #links = new Map<string, AddressLink>();
  /** Addresses whose objects arrived in this iteration of the event loop: one read of the table serves all of them. */
  #unread: AddressLink[] = [];
  /** The table as read for the first connection of this iteration; its other connections share it. */
  #table: LinkTable | undefined;

  constructor(pods: WatchedCache<Pod>, { read = readLinkTable }: ReversePathOptions = {}) {
    this.#read = read;
    pods.onChange((change) => {
      const before = change.type === 'added' ? [] : addressesOf(change.old);
      const now = change.type === 'deleted' ? [] : addressesOf(change.object);
      const { uid } = (change.type === 'deleted' ? change.old : change.object).metadata;
      for (const address of before) {
        if (!now.includes(address) && this.#links.get(address)?.uid === uid) this.#links.delete(address);
      }
      if (change.type === 'deleted') return;
      for (const address of now) {
        if (!before.includes(address)) this.#remember(address, change.object);
        else this.#updated(address, change.object);
      }
    });
  }

  /**
   * Whether the node reaches the address of a new connection by another link than its pod's: then the address may
   * belong to another pod, whose object has not arrived yet. Call it for each new connection.
   */
  addressReused(address: string): boolean {
    const known = this.#links.get(address);
    const link = known && this.#currentTable().of(address);
    if (!link) return known?.reused ?? false;
    if (!known.link || sameLink(known.link, link)) {
      // The kernel knows a neighbour only after the first packet.
      if (!known.link?.mac) known.link = link;
      known.reused = false;
      return false;
    }
    known.reused = true;
    return true;
  }

  /**
   * The pod's object changed. Kubelet restarts all containers of a pod when it recreates the pod's network, so the
   * new link is the pod's when all containers started later and the pod is not being deleted.
   */
  #updated(address: string, pod: Pod): void {
    const known = this.#links.get(address);
    if (!known) return;
    const starts = startsOf(pod);
    if (!known.reused) {
      known.startedAt = Math.max(known.startedAt, ...starts);
      return;
    }
    const restarted = starts.length > 0 && starts.every((at) => at > known.startedAt);
    if (restarted && pod.metadata.deletionTimestamp === undefined) this.#remember(address, pod);
  }

  #currentTable(): LinkTable {
    if (this.#table) return this.#table;
    this.#table = this.#read();
    setImmediate(() => {
      this.#table = undefined;
    });
    return this.#table;
  }

  #remember(address: string, pod: Pod): void {
    const startedAt = Math.max(0, ...startsOf(pod));
    const known: AddressLink = { uid: pod.metadata.uid, link: undefined, reused: false, startedAt };
    this.#links.set(address, known);
    if (this.#unread.push(known) > 1) return;
    queueMicrotask(() => {
      const table = this.#read();
      const unread = new Set(this.#unread);
      this.#unread = [];
      for (const [at, each] of this.#links) if (unread.has(each)) each.link = table.of(at);
    });
  }
}

/** Start times of the running containers, milliseconds since the epoch; 0 where unknown. */
function startsOf({ status }: Pod): number[] {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return all.flatMap(({ state }) => (state?.running ? [Date.parse(state.running.startedAt ?? '') || 0] : []));
}
