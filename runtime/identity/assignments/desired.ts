import { grantAnnotation } from '../../api/pod-identity/availability.ts';
import { identityType } from '../../api/pod-identity/azure-identity.ts';
import { bindingLabelOf, type IdentityMatch, isNamespaced, matchIdentities } from '../../api/pod-identity/matching.ts';
import type { FairWork } from '../../base/fairness/fair-work.ts';
import type { CacheChange, WatchedCache } from '../../kube/cache/types.ts';
import { keyOf } from '../../kube/client/types.ts';
import { bindingProblem } from '../conditions/validity.ts';
import { AttachmentIndex, type AttachmentRole } from '../machines/attachment-index.ts';
import { type AttachmentReference, attachmentReference, sameReference } from '../machines/attachment-reference.ts';
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
import type { Verification } from '../verification/identity-verifier.ts';
import type { WindowUse } from './availability-windows.ts';
import { sameExceptEmpty } from './same-except-empty.ts';

/** One identity that one pod needs. */
export interface Desired {
  /** Namespace and name of the AzureAssignedIdentity. */
  readonly key: string;
  readonly pod: Pod;
  readonly binding: Binding;
  readonly identity: Identity;
  readonly node: string;
  /** Type 0 only: the machine to attach the identity to; undefined while the node names none. */
  readonly machine: Machine | undefined;
  readonly reference: AttachmentReference | undefined;
  readonly region: string;
  /** Whether an identity has to be attached to a machine (type 0). */
  readonly attachable: boolean;
  /** Never refused: no pod may have such an identity. */
  readonly verification: Exclude<Verification, { state: 'refused' }>;
  /** What the windows of its bindings require. */
  readonly windows: WindowUse;
  /** The former identity of the pod in this process, which stays attached until this one is. */
  readonly replaces: AttachmentReference | undefined;
}

/** The caches that the desired assignments follow from. */
export interface DesiredCaches {
  readonly pods: WatchedCache<Pod>;
  readonly nodes: WatchedCache<Node>;
  readonly bindings: WatchedCache<Binding>;
  readonly identities: WatchedCache<Identity>;
}

/** Parts of the desired assignments. */
export interface DesiredParts {
  readonly forceNamespaced: boolean;
  /** For nodes without a providerID. */
  readonly fallback?: () => MachineFallback | undefined;
  readonly work: FairWork;
  readonly verification: (identity: Identity) => Verification;
  readonly windows: (binding: Binding) => WindowUse;
}

/** Receives a reference that no assignment needs any more, and the last assignment that needed it. */
export type ReleaseListener = (reference: AttachmentReference, last: Desired) => void;

/** Receives the keys of assignments that may have changed, and their machines. */
export type DesiredListener = (keys: ReadonlySet<string>, machines: ReadonlySet<string>) => void;

/**
 * Which pod needs which identity. A change of a pod, node, binding or identity enqueues the dependent pods, found
 * through indexes; namespaces share the computing time fairly. Until a pod is computed its former state counts.
 */
export class DesiredAssignments {
  readonly #caches: DesiredCaches;
  readonly #parts: DesiredParts;
  readonly #byPod = new Map<string, readonly Desired[]>();
  /**
   * Several pods may need the same name, because it joins its parts by '-': the first pod by namespace and name gets
   * it.
   */
  readonly #byKey = new Map<string, Desired[]>();
  readonly #listeners = new Set<DesiredListener>();
  readonly #releaseListeners = new Set<ReleaseListener>();
  /** The identities that the assignments need, by machine. */
  readonly index = new AttachmentIndex();
  /** Count of computed pods since the start, for tests. */
  computed = 0;

  constructor(caches: DesiredCaches, parts: DesiredParts) {
    this.#caches = caches;
    this.#parts = parts;
    caches.pods.onChange((change) => this.#enqueue([last(change)]));
    caches.nodes.onChange((change) => this.#nodeChanged(change));
    caches.bindings.onChange((change) => this.#bindingChanged(change));
    caches.identities.onChange((change) => this.#identityChanged(change));
  }

  /** Resolves once every change so far is computed. */
  async whenIdle(): Promise<void> {
    await this.#parts.work.whenIdle();
  }

  /** Recomputes the pods of bindings whose windows changed. */
  windowsChanged(bindings: readonly Binding[]): void {
    this.#updateSelected(bindings);
  }

  /** Recomputes the pods of AzureIdentities whose verification changed. */
  identitiesChanged(keys: Iterable<string>): void {
    for (const key of keys) this.#updateSelected(this.#caches.bindings.byIndex(bindingsByIdentity, key));
  }

  /** The pod's new identity is assigned: releases the former one. */
  replaced(desired: Desired): void {
    if (!desired.replaces || !this.#byKey.get(desired.key)?.includes(desired)) return;
    const podKey = keyOf(desired.pod);
    const after = { ...desired, replaces: undefined };
    this.#byPod.set(
      podKey,
      (this.#byPod.get(podKey) ?? []).map((each) => (each === desired ? after : each)),
    );
    this.#remove(desired);
    this.#add(after);
    for (const listener of this.#listeners) listener(new Set(), new Set([desired.replaces.machine]));
  }

  /** The assignment of an AzureAssignedIdentity by its `<namespace>/<name>`. */
  get(key: string): Desired | undefined {
    return this.#byKey.get(key)?.[0];
  }

  /** Assignments of the same name that lost it to another pod. */
  collisions(key: string): readonly Desired[] {
    return this.#byKey.get(key)?.slice(1) ?? [];
  }

  /** Keys of all assignments. */
  keys(): IterableIterator<string> {
    return this.#byKey.keys();
  }

  /** Number of assignments. */
  get size(): number {
    return this.#byKey.size;
  }

  /** Adds a listener for released references. */
  onRelease(listener: ReleaseListener): void {
    this.#releaseListeners.add(listener);
  }

  /** Adds a listener for changes; the returned function removes it. */
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
    this.#enqueue(this.#caches.pods.byIndex(podsByNode, name));
  }

  #bindingChanged(change: CacheChange<Binding>): void {
    if (change.type === 'updated') {
      const { object, old } = change;
      const grant = ({ metadata }: Binding) => metadata.annotations?.[grantAnnotation];
      if (sameExceptEmpty(object.spec, old.spec) && grant(object) === grant(old)) return;
    }
    const states = change.type === 'updated' ? [change.old, change.object] : [last(change)];
    this.#updateSelected(states);
  }

  #identityChanged(change: CacheChange<Identity>): void {
    if (change.type === 'updated') {
      const { object, old } = change;
      if (sameExceptEmpty(object.spec, old.spec) && isNamespaced(object) === isNamespaced(old)) return;
    }
    this.#updateSelected(this.#caches.bindings.byIndex(bindingsByIdentity, keyOf(last(change))));
  }

  #updateSelected(bindings: readonly Binding[]): void {
    const selectors = new Set(bindings.flatMap(({ spec }) => (spec?.selector ? [spec.selector] : [])));
    this.#enqueue([...selectors].flatMap((selector) => this.#caches.pods.byIndex(podsByLabel, selector)));
  }

  #enqueue(pods: readonly Pod[]): void {
    for (const pod of pods) {
      const { namespace = '', uid = '' } = pod.metadata;
      this.#parts.work.add(namespace, `pod ${keyOf(pod)} ${uid}`, () => this.#update(pod));
    }
  }

  #update(pod: Pod): void {
    const podKey = keyOf(pod);
    const current = this.#caches.pods.get(pod.metadata);
    // A deleted pod whose successor of the same name has its own entry in the queue.
    if (current && current.metadata.uid !== pod.metadata.uid) return;
    const before = this.#byPod.get(podKey) ?? [];
    const after = current ? this.#compute(current, before) : [];
    for (const each of before) this.#remove(each);
    for (const each of after) this.#add(each);
    for (const each of before) this.#reportRelease(each);
    if (after.length === 0) this.#byPod.delete(podKey);
    else this.#byPod.set(podKey, after);
    const keys = new Set<string>();
    const machines = new Set<string>();
    for (const { key, reference, replaces } of [...before, ...after]) {
      keys.add(key);
      if (reference) machines.add(reference.machine);
      if (replaces) machines.add(replaces.machine);
    }
    if (keys.size === 0) return;
    for (const listener of this.#listeners) listener(keys, machines);
  }

  #compute(pod: Pod, before: readonly Desired[]): Desired[] {
    this.computed++;
    const { bindings, identities } = this.#caches;
    const label = bindingLabelOf(pod);
    if (label === undefined || !isCandidate(pod)) return [];
    const verified = new Map<Identity, Desired['verification']>();
    const usable = (key: { readonly namespace: string; readonly name: string }) => {
      const identity = identities.get(key);
      if (!identity) return undefined;
      const verification = this.#parts.verification(identity);
      if (verification.state === 'refused') return undefined;
      verified.set(identity, verification);
      return identity;
    };
    const candidates = bindings.byIndex(bindingsBySelector, label).filter(({ spec }) => !bindingProblem(spec));
    const matches = matchIdentities(pod, candidates, usable, this.#parts.forceNamespaced);
    return matches.flatMap((match) => {
      const verification = verified.get(match.identity);
      return verification ? [this.#desired(pod, match, verification, before)] : [];
    });
  }

  #desired(
    pod: Pod,
    { binding, further, identity, assigned }: IdentityMatch<Binding, Identity>,
    verification: Desired['verification'],
    before: readonly Desired[],
  ): Desired {
    const node = pod.spec?.nodeName ?? '';
    const key = `${assigned.namespace}/${assigned.name}`;
    const attachable = (identity.spec?.type ?? 0) === identityType.userAssigned;
    const known = attachable ? this.#caches.nodes.get({ name: node }) : undefined;
    const machine = known && machineOfNode(known, this.#parts.fallback?.());
    const reference = machine && attachmentReference(machine.id, identity.spec?.resourceID ?? '');
    const uses = new Set([binding, ...further].map((each) => this.#parts.windows(each)));
    const windows = uses.has('attach') ? 'attach' : uses.has('keep') ? 'keep' : 'none';
    const former = before.find((each) => each.key === key);
    const same = former && former.pod.metadata.uid === pod.metadata.uid && former.node === node;
    const replaced = same && reference ? (former.replaces ?? former.reference) : undefined;
    return {
      key,
      pod,
      binding,
      identity,
      node,
      machine,
      reference,
      region: known?.metadata.labels?.[regionLabel] ?? '',
      attachable,
      verification,
      windows,
      replaces: sameReference(replaced, reference) ? undefined : replaced,
    };
  }

  #reportRelease(former: Desired): void {
    for (const [reference] of rolesOf(former)) {
      if (this.index.of(reference.machine).has(reference.identity)) continue;
      for (const listener of this.#releaseListeners) listener(reference, former);
    }
  }

  #add(desired: Desired): void {
    const list = [...(this.#byKey.get(desired.key) ?? []), desired];
    this.#byKey.set(
      desired.key,
      list.sort((a, b) => (keyOf(a.pod) < keyOf(b.pod) ? -1 : 1)),
    );
    for (const [reference, role] of rolesOf(desired)) this.index.add(reference, role, desired.key);
  }

  #remove(desired: Desired): void {
    const left = (this.#byKey.get(desired.key) ?? []).filter((each) => each !== desired);
    if (left.length === 0) this.#byKey.delete(desired.key);
    else this.#byKey.set(desired.key, left);
    for (const [reference, role] of rolesOf(desired)) this.index.remove(reference, role, desired.key);
    // Another pod with the same assignment name may need the same reference.
    for (const other of left) {
      for (const [reference, role] of rolesOf(other)) this.index.add(reference, role, other.key);
    }
  }
}

/** The references of an assignment. Its identity is not attached before the verification has its client id. */
function rolesOf({ reference, replaces, windows, verification }: Desired): [AttachmentReference, AttachmentRole][] {
  const role = windows === 'attach' && verification.state === 'verified' ? 'attach' : 'keep';
  return [
    ...(reference && windows !== 'none' ? [[reference, role] satisfies [AttachmentReference, AttachmentRole]] : []),
    ...(replaces ? [[replaces, 'keep'] satisfies [AttachmentReference, AttachmentRole]] : []),
  ];
}

function last<T extends Pod | Binding | Identity>(change: CacheChange<T>): T {
  return change.type === 'deleted' ? change.old : change.object;
}
