import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import { type Decision, Decisions } from '../decisions.ts';
import { httpErrors } from '../http/http-error.ts';
import type { Pod } from '../objects.ts';
import type { WaitingRequests } from '../waiting-requests.ts';

export interface PodByAddressOptions {
  /** Milliseconds to wait for a pod that the watch does not show yet. @default 1200 */
  readonly waitMs?: number;
  /** Addresses of the node itself, which are never taken for a pod's. */
  readonly hostAddresses?: readonly string[];
}

/** A pod as callers on the node name it; '' where they do not tell its uid. */
export interface NamedPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

const byAddress = 'address';

/** Finds the pod behind a source address among the pods of this node. */
export class PodByAddress {
  readonly #pods: WatchedCache<Pod>;
  readonly #waiting: WaitingRequests;
  readonly #clock: Clock;
  readonly #waitMs: number;
  readonly #host: ReadonlySet<string>;
  /** Which pod has an address, for as long as only a change of a pod with that address can tell otherwise. */
  readonly #decisions = new Decisions<Pod>();
  readonly #known = new Map<string, Decision<Pod>>();

  constructor(pods: WatchedCache<Pod>, waiting: WaitingRequests, clock: Clock, options: PodByAddressOptions = {}) {
    this.#pods = pods;
    this.#waiting = waiting;
    this.#clock = clock;
    this.#waitMs = options.waitMs ?? 1200;
    this.#host = new Set((options.hostAddresses ?? []).map(canonicalAddress));
    pods.addIndex(byAddress, addressesOf);
    pods.onChange((change) => {
      const before = change.type === 'added' ? [] : addressesOf(change.old);
      const now = change.type === 'deleted' ? [] : addressesOf(change.object);
      for (const address of [...before, ...now]) {
        this.#decisions.end(address);
        this.#known.delete(address);
      }
    });
  }

  /** The namespace that a caller's use of the daemon counts for; '' where its address is no pod's. */
  namespaceOf(address: string): string {
    return this.#pods.byIndex(byAddress, address)[0]?.metadata.namespace ?? '';
  }

  /**
   * The one pod that has this address now. A pod that is not known yet is waited for on the watch. Throws an HTTP error
   * where there is none, or more than one.
   */
  async find(address: string, signal: AbortSignal): Promise<Decision<Pod>> {
    if (!this.#pods.synced) throw httpErrors.starting();
    if (this.#host.has(address)) throw httpErrors.podUnknown();
    const found = this.#now(address);
    if (found) return found;
    if (this.#pods.trouble() !== undefined) throw httpErrors.clusterAway(`the pod with the address ${address}`);
    const decision = await this.#waiting.until(`address ${address}`, () => this.#now(address), this.#waitMs, signal);
    if (!decision) throw httpErrors.podUnknown();
    return decision;
  }

  /** The pod of that name, for callers on the node itself. Throws an HTTP error where it is not on this node. */
  async named({ namespace, name, uid }: NamedPod, signal: AbortSignal): Promise<Pod> {
    if (!this.#pods.synced) throw httpErrors.starting();
    const look = () => {
      const pod = this.#pods.get({ namespace, name });
      const meant = pod && (uid === '' || pod.metadata.uid === uid);
      return meant && lives(pod, this.#clock.now()) ? pod : undefined;
    };
    const known = look();
    if (known) return known;
    if (this.#pods.trouble() !== undefined) throw httpErrors.clusterAway(`the pod ${namespace}/${name}`);
    const pod = await this.#waiting.until(namespace, look, this.#waitMs, signal);
    if (!pod) throw httpErrors.podNotHere(namespace, name);
    return pod;
  }

  /** The pod as it is now; undefined where it is gone, or another has its name. */
  current({ metadata: { namespace = '', name, uid } }: Pod): Pod | undefined {
    const pod = this.#pods.get({ namespace, name });
    return pod?.metadata.uid === uid ? pod : undefined;
  }

  #now(address: string): Decision<Pod> | undefined {
    const known = this.#known.get(address);
    if (known) return known;
    const living = this.#living(address);
    // An address is given to a new pod as soon as the old pod's network is gone, which its status may not show yet.
    const staying = living.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const candidates = staying.length > 0 ? staying : living;
    if (candidates.length > 1) throw httpErrors.podAmbiguous(address, candidates.length);
    const [pod] = candidates;
    if (!pod) return undefined;
    // The end of a grace period comes without a change.
    if (living.length > 1 || pod.metadata.deletionTimestamp !== undefined) return { value: pod, valid: false };
    const decision = this.#decisions.add(pod, [address]);
    this.#known.set(address, decision);
    return decision;
  }

  #living(address: string): Pod[] {
    const now = this.#clock.now();
    return this.#pods.byIndex(byAddress, address).filter((pod) => lives(pod, now));
  }
}

/** The addresses a pod is recognised by; none on the host network, whose address is the node's. */
export function addressesOf(pod: Pod): string[] {
  if (pod.spec?.hostNetwork) return [];
  const { podIP, podIPs = [] } = pod.status ?? {};
  const all = [podIP, ...podIPs.map(({ ip }) => ip)].map((ip) => canonicalAddress(ip));
  return [...new Set(all.filter((ip) => ip !== ''))];
}

/**
 * One spelling for each address: IPv4 also where it was mapped into IPv6 (RFC 4291 section 2.5.5.2), IPv6 compressed
 * and without zone. '' for anything that is no address.
 */
export function canonicalAddress(address: string | undefined): string {
  const text = address ?? '';
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return '';
  const [plain = ''] = text.split('%');
  const compressed = new SocketAddress({ address: plain, family: 'ipv6' }).address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(compressed)?.[1];
  return mapped ?? compressed.toLowerCase();
}

/** Whether the pod can still send: it has not finished, and if it is being deleted, something in it still runs. */
function lives(pod: Pod, now: number): boolean {
  const { phase, containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = pod.status ?? {};
  if (phase !== 'Pending' && phase !== 'Running') return false;
  const { deletionTimestamp } = pod.metadata;
  if (deletionTimestamp === undefined) return true;
  const all = [...(containerStatuses ?? []), ...(initContainerStatuses ?? []), ...(ephemeralContainerStatuses ?? [])];
  // The timestamp is the end of the grace period, not its begin.
  return now <= Date.parse(deletionTimestamp) && all.some(({ state }) => state?.running !== undefined);
}
