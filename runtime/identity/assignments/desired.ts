import { identityType } from '../../api/pod-identity/azure-identity.ts';
import { bindingLabelOf, type IdentityMatch, isNamespaced, matchIdentities } from '../../api/pod-identity/matching.ts';
import type { CacheChange, WatchedCache } from '../../kube/cache/types.ts';
import { keyOf } from '../../kube/client/types.ts';
import { bindingProblem, identityProblem } from '../conditions/validity.ts';
import { type Claim, claimOf } from '../machines/attachment-reference.ts';
import { type Machine, type MachineFallback, machineOfNode } from '../machines/machine.ts';
import {
  type Binding,
  bindingsByIdentity,
  bindingsBySelector,
  type Identity,
  isCandidate,
  type Node,
  type Pod,
  podsByLabel,
  podsByNode,
  regionLabel,
} from '../objects.ts';
import { sameJson } from './assigned-object.ts';

/** One identity that one pod shall have. */
export interface Desired {
  /** Namespace and name of the AzureAssignedIdentity. */
  readonly key: string;
  readonly pod: Pod;
  readonly binding: Binding;
  readonly identity: Identity;
  readonly node: string;
  /** Type 0 only: the machine to attach the identity to; undefined while none can be told from the node. */
  readonly machine: Machine | undefined;
  readonly claim: Claim | undefined;
  readonly region: string;
  /** Whether an identity has to be attached to a machine (type 0). */
  readonly attachable: boolean;
}

export interface DesiredCaches {
  readonly pods: WatchedCache<Pod>;
  readonly nodes: WatchedCache<Node>;
  readonly bindings: WatchedCache<Binding>;
  readonly identities: WatchedCache<Identity>;
}

export interface DesiredOptions {
  readonly forceNamespaced: boolean;
  /** For nodes without a providerID. */
  readonly fallback?: () => MachineFallback | undefined;
}

/** Hears which assignments may have changed, and which machines they concern. */
export type DesiredListener = (keys: ReadonlySet<string>, machines: ReadonlySet<string>) => void;

/**
 * Who shall have which identity, kept up with every change of a pod, node, binding or identity. A change is worked out
 * for the pods it concerns, found through indexes; nothing is ever gone through as a whole.
 */
export class DesiredAssignments {
  readonly #caches: DesiredCaches;
  readonly #options: DesiredOptions;
  readonly #byPod = new Map<string, readonly Desired[]>();
  /** Several pods may ask for one name, since parts are joined by '-' only: the first by pod namespace and name has it. */
  readonly #byKey = new Map<string, Desired[]>();
  /** How many pods want an identity on a machine. */
  readonly #wanted = new Map<string, number>();
  readonly #listeners = new Set<DesiredListener>();
  /** Pods worked out since the start, for tests and metrics. */
  computed = 0;

  constructor(caches: DesiredCaches, options: DesiredOptions) {
    this.#caches = caches;
    this.#options = options;
    caches.pods.onChange((change) => this.#update(change.type === 'deleted' ? [change.old] : [change.object]));
    caches.nodes.onChange((change) => this.#nodeChanged(change));
    caches.bindings.onChange((change) => this.#bindingChanged(change));
    caches.identities.onChange((change) => this.#identityChanged(change));
  }

  get(key: string): Desired | undefined {
    return this.#byKey.get(key)?.[0];
  }

  /** Those that lost the name to another pod. */
  collisions(key: string): readonly Desired[] {
    return this.#byKey.get(key)?.slice(1) ?? [];
  }

  keys(): IterableIterator<string> {
    return this.#byKey.keys();
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** Whether any pod wants the identity on the machine. */
  wants({ machine, identity }: Claim): boolean {
    return this.#wanted.has(`${machine} ${identity}`);
  }

  onChange(listener: DesiredListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #nodeChanged(change: CacheChange<Node>): void {
    const same = ({ spec, metadata }: Node, old: Node) =>
      spec?.providerID === old.spec?.providerID &&
      metadata.labels?.[regionLabel] === old.metadata.labels?.[regionLabel];
    if (change.type === 'updated' && same(change.object, change.old)) return;
    const { name } = change.type === 'deleted' ? change.old.metadata : change.object.metadata;
    this.#update(this.#caches.pods.byIndex(podsByNode, name));
  }

  #bindingChanged(change: CacheChange<Binding>): void {
    if (change.type === 'updated' && sameJson(change.object.spec, change.old.spec)) return;
    const states = change.type === 'updated' ? [change.old, change.object] : [last(change)];
    this.#updateSelected(states);
  }

  #identityChanged(change: CacheChange<Identity>): void {
    if (change.type === 'updated') {
      const { object, old } = change;
      if (sameJson(object.spec, old.spec) && isNamespaced(object) === isNamespaced(old)) return;
    }
    this.#updateSelected(this.#caches.bindings.byIndex(bindingsByIdentity, keyOf(last(change))));
  }

  #updateSelected(bindings: readonly Binding[]): void {
    const selectors = new Set(bindings.flatMap(({ spec }) => (spec?.selector ? [spec.selector] : [])));
    this.#update([...selectors].flatMap((selector) => this.#caches.pods.byIndex(podsByLabel, selector)));
  }

  #update(pods: readonly Pod[]): void {
    const keys = new Set<string>();
    const machines = new Set<string>();
    for (const pod of pods) {
      const podKey = keyOf(pod);
      const before = this.#byPod.get(podKey) ?? [];
      const after = this.#compute(pod);
      for (const each of before) this.#remove(each);
      for (const each of after) this.#add(each);
      if (after.length === 0) this.#byPod.delete(podKey);
      else this.#byPod.set(podKey, after);
      for (const { key, claim } of [...before, ...after]) {
        keys.add(key);
        if (claim) machines.add(claim.machine);
      }
    }
    if (keys.size === 0) return;
    for (const listener of this.#listeners) listener(keys, machines);
  }

  #compute(pod: Pod): Desired[] {
    this.computed++;
    const { pods, bindings, identities } = this.#caches;
    const label = bindingLabelOf(pod);
    // The cache knows best: the pod at hand may be the last state of one that is gone.
    const current = pods.get(pod.metadata);
    if (!current || current.metadata.uid !== pod.metadata.uid || label === undefined || !isCandidate(pod)) return [];
    const usable = (key: { readonly namespace: string; readonly name: string }) => {
      const identity = identities.get(key);
      // One of a type that nobody knows is given out too: the node daemon then tells its pods at once what is wrong.
      const attached = (identity?.spec?.type ?? 0) === identityType.userAssigned;
      return attached && identityProblem(identity?.spec) ? undefined : identity;
    };
    const candidates = bindings.byIndex(bindingsBySelector, label).filter(({ spec }) => !bindingProblem(spec));
    const matches = matchIdentities(pod, candidates, usable, this.#options.forceNamespaced);
    return matches.map((match) => this.#desired(pod, match));
  }

  #desired(pod: Pod, { binding, identity, assigned }: IdentityMatch<Binding, Identity>): Desired {
    const node = pod.spec?.nodeName ?? '';
    const key = `${assigned.namespace}/${assigned.name}`;
    const attachable = (identity.spec?.type ?? 0) === identityType.userAssigned;
    const known = attachable ? this.#caches.nodes.get({ name: node }) : undefined;
    const machine = known && machineOfNode(known, this.#options.fallback?.());
    const { resourceID = '', clientID } = identity.spec ?? {};
    const claim = machine && claimOf(machine.id, resourceID, clientID);
    const region = known?.metadata.labels?.[regionLabel] ?? '';
    return { key, pod, binding, identity, node, machine, claim, region, attachable };
  }

  #add(desired: Desired): void {
    const list = [...(this.#byKey.get(desired.key) ?? []), desired];
    this.#byKey.set(
      desired.key,
      list.sort((a, b) => (keyOf(a.pod) < keyOf(b.pod) ? -1 : 1)),
    );
    this.#count(desired.claim, 1);
  }

  #remove(desired: Desired): void {
    const left = (this.#byKey.get(desired.key) ?? []).filter((each) => each !== desired);
    if (left.length === 0) this.#byKey.delete(desired.key);
    else this.#byKey.set(desired.key, left);
    this.#count(desired.claim, -1);
  }

  #count(claim: Claim | undefined, by: 1 | -1): void {
    if (!claim) return;
    const id = `${claim.machine} ${claim.identity}`;
    const count = (this.#wanted.get(id) ?? 0) + by;
    if (count === 0) this.#wanted.delete(id);
    else this.#wanted.set(id, count);
  }
}

function last<T extends Binding | Identity>(change: CacheChange<T>): T {
  return change.type === 'deleted' ? change.old : change.object;
}
