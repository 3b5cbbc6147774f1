import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import { type Decision, Decisions } from '../decisions.ts';
import type { Pod } from '../objects.ts';
import { httpErrors } from '../protocol/http-error.ts';
import type { WaitingRequests } from '../waiting-requests.ts';

/** How pods are found by address. */
export interface PodByAddressOptions {
  /** Milliseconds to wait for a pod that the watch has not delivered yet. @default 1200 */
  readonly waitMs?: number;
  /** Addresses of the node itself, which never count as a pod's. @default none */
  readonly hostAddresses?: readonly string[];
}

/** A pod as a caller on the node names it; `uid` is '' where the caller sends none. */
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
  /** The pod of each address; valid until a pod with that address changes. */
  readonly #decisions = new Decisions<Pod>();
  readonly #cached = new Map<string, Decision<Pod>>();

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
        this.#decisions.invalidate(address);
        this.#cached.delete(address);
      }
    });
  }

  /** The namespace whose share of the limits the caller uses; '' where no pod has the address. */
  namespaceOf(address: string): string {
    return this.#pods.byIndex(byAddress, address)[0]?.metadata.namespace ?? '';
  }

  /**
   * The one pod that has this address now. Waits for the watch to deliver a pod that is not known yet. Throws an HTTP
   * error where there is none, or more than one.
   */
  async find(address: string, signal: AbortSignal): Promise<Decision<Pod>> {
    if (!this.#pods.synced) throw httpErrors.starting();
    if (this.#host.has(address)) throw httpErrors.podUnknown();
    const pod = this.#tryFind(address);
    if (pod) return pod;
    if (this.#pods.trouble() !== undefined)
      throw httpErrors.apiServerUnreachable(`the pod with the address ${address}`);
    const decision = await this.#waiting.until(
      `address ${address}`,
      () => this.#tryFind(address),
      this.#waitMs,
      signal,
    );
    if (!decision) throw httpErrors.podUnknown();
    return decision;
  }

  /** The pod of that name, for callers on the node itself. Throws an HTTP error where it is not on this node. */
  async findByName({ namespace, name, uid }: NamedPod, signal: AbortSignal): Promise<Pod> {
    if (!this.#pods.synced) throw httpErrors.starting();
    const check = () => {
      const pod = this.#pods.get({ namespace, name });
      const matches = pod && (uid === '' || pod.metadata.uid === uid);
      return matches && canSend(pod, this.#clock.now()) ? pod : undefined;
    };
    const checked = check();
    if (checked) return checked;
    if (this.#pods.trouble() !== undefined) throw httpErrors.apiServerUnreachable(`the pod ${namespace}/${name}`);
    const pod = await this.#waiting.until(namespace, check, this.#waitMs, signal);
    if (!pod) throw httpErrors.podNotHere(namespace, name);
    return pod;
  }

  /** The current object of the pod; undefined where the pod was deleted, or another pod has its name. */
  current({ metadata: { namespace = '', name, uid } }: Pod): Pod | undefined {
    const pod = this.#pods.get({ namespace, name });
    return pod?.metadata.uid === uid ? pod : undefined;
  }

  #tryFind(address: string): Decision<Pod> | undefined {
    const cached = this.#cached.get(address);
    if (cached) return cached;
    const senders = this.#sendersAt(address);
    // The network plugin reuses an address once it has removed the old pod's network; the status of the
    // old pod may lag behind.
    const staying = senders.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const candidates = staying.length > 0 ? staying : senders;
    if (candidates.length > 1) throw httpErrors.podAmbiguous(address, candidates.length);
    const [pod] = candidates;
    if (!pod) return undefined;
    // A grace period ends without a change of the object.
    if (senders.length > 1 || pod.metadata.deletionTimestamp !== undefined) return { value: pod, valid: false };
    const decision = this.#decisions.add(pod, [address]);
    this.#cached.set(address, decision);
    return decision;
  }

  #sendersAt(address: string): Pod[] {
    const now = this.#clock.now();
    return this.#pods.byIndex(byAddress, address).filter((pod) => canSend(pod, now));
  }
}

/** The addresses that identify a pod; none for a pod on the host network, which has the node's address. */
export function addressesOf(pod: Pod): string[] {
  if (pod.spec?.hostNetwork) return [];
  const { podIP, podIPs = [] } = pod.status ?? {};
  const all = [podIP, ...podIPs.map(({ ip }) => ip)].map((ip) => canonicalAddress(ip));
  return [...new Set(all.filter((ip) => ip !== ''))];
}

/**
 * The canonical spelling of an address: IPv4 mapped into IPv6 (RFC 4291 section 2.5.5.2) becomes IPv4; IPv6 is
 * compressed and has no zone. '' for anything that is no address.
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
function canSend(pod: Pod, now: number): boolean {
  const { phase, containerStatuses, initContainerStatuses, ephemeralContainerStatuses } = pod.status ?? {};
  if (phase !== 'Pending' && phase !== 'Running') return false;
  const { deletionTimestamp } = pod.metadata;
  if (deletionTimestamp === undefined) return true;
  const all = [...(containerStatuses ?? []), ...(initContainerStatuses ?? []), ...(ephemeralContainerStatuses ?? [])];
  // The timestamp is the end of the grace period.
  return now <= Date.parse(deletionTimestamp) && all.some(({ state }) => state?.running !== undefined);
}
