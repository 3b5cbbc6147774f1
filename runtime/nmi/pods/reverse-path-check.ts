import type { WatchedCache } from '../../kube/cache/types.ts';
import type { Pod } from '../objects.ts';
import { KernelLinks, type LinkLookup } from './link-lookup.ts';
import { type Link, sameLink } from './link-table.ts';
import { addressesOf } from './pod-by-address.ts';

/** How the check asks for the kernel's routes. */
export interface ReversePathOptions {
  /** @default the kernel's routes */
  readonly links?: LinkLookup;
}

/** The link of a pod's address. */
interface AddressLink {
  readonly uid: string | undefined;
  /** How the node reached the address when the pod's object arrived. */
  link: Link | undefined;
  /** Resolves once `link` is the one from when the object arrived; undefined from then on. */
  pending: Promise<void> | undefined;
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
  readonly #lookup: LinkLookup;
  readonly #links = new Map<string, AddressLink>();

  constructor(pods: WatchedCache<Pod>, { links = new KernelLinks() }: ReversePathOptions = {}) {
    this.#lookup = links;
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
   * belong to another pod, whose object has not arrived yet. Call it for each new connection, and read no request
   * before it resolves. False at once where no pod has the address.
   */
  addressReused(address: string): Promise<boolean> | false {
    return this.#links.has(address) && this.#check(address);
  }

  /** Ends the look-up. */
  close(): void {
    this.#lookup.close();
  }

  async #check(address: string): Promise<boolean> {
    for (;;) {
      const known = this.#links.get(address);
      if (!known) return false;
      if (known.pending) await known.pending;
      const link = await this.#lookup.of(address, known.link?.device);
      // Another object may have arrived meanwhile.
      if (this.#links.get(address) === known) return this.#differs(known, link);
    }
  }

  #differs(known: AddressLink, link: Link | undefined): boolean {
    if (!link) return known.reused;
    known.reused = known.link !== undefined && !sameLink(known.link, link);
    // The kernel knows a neighbour only after the first packet.
    if (!known.reused && !known.link?.mac) known.link = link;
    return known.reused;
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

  #remember(address: string, pod: Pod): void {
    const startedAt = Math.max(0, ...startsOf(pod));
    const known: AddressLink = {
      uid: pod.metadata.uid,
      link: undefined,
      pending: undefined,
      reused: false,
      startedAt,
    };
    this.#links.set(address, known);
    known.pending = this.#lookup.of(address).then((link) => {
      known.link = link;
      known.pending = undefined;
    });
  }
}

/** Start times of the running containers, milliseconds since the epoch; 0 where unknown. */
function startsOf({ status }: Pod): number[] {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return all.flatMap(({ state }) => (state?.running ? [Date.parse(state.running.startedAt ?? '') || 0] : []));
}
