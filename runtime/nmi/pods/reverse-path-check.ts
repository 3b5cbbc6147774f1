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
      const addressLink = this.#links.get(address);
      if (!addressLink) return false;
      if (addressLink.pending) await addressLink.pending;
      const link = await this.#lookup.of(address, addressLink.link?.device);
      // Another object may have arrived meanwhile.
      if (this.#links.get(address) === addressLink) return this.#differs(addressLink, link);
    }
  }

  #differs(addressLink: AddressLink, link: Link | undefined): boolean {
    if (!link) return addressLink.reused;
    addressLink.reused = addressLink.link !== undefined && !sameLink(addressLink.link, link);
    // The kernel knows a neighbour only after the first packet.
    if (!addressLink.reused && !addressLink.link?.mac) addressLink.link = link;
    return addressLink.reused;
  }

  /**
   * The pod's object changed. Kubelet restarts all containers of a pod when it recreates the pod's network, so the
   * new link is the pod's when all containers started later and the pod is not being deleted.
   */
  #updated(address: string, pod: Pod): void {
    const addressLink = this.#links.get(address);
    if (!addressLink) return;
    const starts = startsOf(pod);
    if (!addressLink.reused) {
      addressLink.startedAt = Math.max(addressLink.startedAt, ...starts);
      return;
    }
    const restarted = starts.length > 0 && starts.every((at) => at > addressLink.startedAt);
    if (restarted && pod.metadata.deletionTimestamp === undefined) this.#remember(address, pod);
  }

  #remember(address: string, pod: Pod): void {
    const startedAt = Math.max(0, ...startsOf(pod));
    const addressLink: AddressLink = {
      uid: pod.metadata.uid,
      link: undefined,
      pending: undefined,
      reused: false,
      startedAt,
    };
    this.#links.set(address, addressLink);
    addressLink.pending = this.#lookup.of(address).then((link) => {
      addressLink.link = link;
      addressLink.pending = undefined;
    });
  }
}

/** Start times of the running containers, milliseconds since the epoch; 0 where unknown. */
function startsOf({ status }: Pod): number[] {
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  return all.flatMap(({ state }) => (state?.running ? [Date.parse(state.running.startedAt ?? '') || 0] : []));
}
