import { grantAnnotation } from '../../api/pod-identity/availability.ts';
import { isNamespaced } from '../../api/pod-identity/matching.ts';
import type { FairWork } from '../../base/fairness/fair-work.ts';
import type { CacheChange } from '../../kube/cache/types.ts';
import { keyOf } from '../../kube/client/types.ts';
import { objectOf } from '../../kube/controller/mappers.ts';
import type { AttachmentIndex } from '../attachments/attachment-index.ts';
import type { AttachmentReference } from '../attachments/attachment-reference.ts';
import {
  type Binding,
  bindingsByIdentity,
  type Identity,
  labelKey,
  type Node,
  type Pod,
  podsByLabel,
  podsByNode,
  regionLabel,
} from '../objects.ts';
import { type DesiredCaches, type DesiredSources, desiredOf } from './compute-desired.ts';
import { type Desired, rolesOf } from './desired.ts';
import { DesiredTable } from './desired-table.ts';
import { sameExceptEmpty } from './same-except-empty.ts';

/** Dependencies of the desired assignments. */
export interface DesiredAssignmentsDeps extends DesiredSources {
  /** Computes the pods; namespaces share its time fairly. */
  readonly work: FairWork;
}

/** Receives a reference that no assignment needs any more, and the last assignment that needed it. */
export type ReleaseListener = (reference: AttachmentReference, last: Desired) => void;

/** Of the ids of pods among the pieces of work. */
const podPrefix = 'pod ';

/** Receives the keys of assignments that may have changed, and their machines. */
export type DesiredListener = (keys: ReadonlySet<string>, machines: ReadonlySet<string>) => void;

/**
 * Which pod needs which identity. A change of a pod, node, binding or identity enqueues the dependent pods, found
 * through indexes; namespaces share the computing time fairly. Until a pod is computed its former state counts.
 */
export class DesiredAssignments {
  readonly #caches: DesiredCaches;
  readonly #deps: DesiredAssignmentsDeps;
  readonly #byPod = new Map<string, readonly Desired[]>();
  readonly #table = new DesiredTable();
  readonly #listeners = new Set<DesiredListener>();
  readonly #releaseListeners = new Set<ReleaseListener>();
  /** Count of computed pods since the start, for tests. */
  computed = 0;

  constructor(caches: DesiredCaches, deps: DesiredAssignmentsDeps) {
    this.#caches = caches;
    this.#deps = deps;
    caches.pods.onChange((change) => this.#enqueue([objectOf(change)]));
    caches.nodes.onChange((change) => this.#nodeChanged(change));
    caches.bindings.onChange((change) => this.#bindingChanged(change));
    caches.identities.onChange((change) => this.#identityChanged(change));
  }

  /** The identities that the assignments need, by machine. */
  get index(): AttachmentIndex {
    return this.#table.index;
  }

  /** Resolves once the pods that changed so far are computed, however many changes follow. */
  async whenComputed(): Promise<void> {
    await this.#deps.work.whenDone((id) => id.startsWith(podPrefix));
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
    if (!desired.replaces || !this.#table.of(desired.key).includes(desired)) return;
    const podKey = keyOf(desired.pod);
    const after = { ...desired, replaces: undefined };
    this.#byPod.set(
      podKey,
      (this.#byPod.get(podKey) ?? []).map((each) => (each === desired ? after : each)),
    );
    this.#table.remove(desired);
    this.#table.add(after);
    for (const listener of this.#listeners) listener(new Set(), new Set([desired.replaces.machine]));
  }

  /** The assignment of an AzureAssignedIdentity by its `<namespace>/<name>`. */
  get(key: string): Desired | undefined {
    return this.#table.of(key)[0];
  }

  /** Assignments of the same name that lost it to another pod. */
  collisions(key: string): readonly Desired[] {
    return this.#table.of(key).slice(1);
  }

  /** Keys of all assignments. */
  keys(): IterableIterator<string> {
    return this.#table.keys();
  }

  /** Number of assignments. */
  get size(): number {
    return this.#table.size;
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
    const states = change.type === 'updated' ? [change.old, change.object] : [objectOf(change)];
    this.#updateSelected(states);
  }

  #identityChanged(change: CacheChange<Identity>): void {
    if (change.type === 'updated') {
      const { object, old } = change;
      if (sameExceptEmpty(object.spec, old.spec) && isNamespaced(object) === isNamespaced(old)) return;
    }
    this.#updateSelected(this.#caches.bindings.byIndex(bindingsByIdentity, keyOf(objectOf(change))));
  }

  #updateSelected(bindings: readonly Binding[]): void {
    const { forceNamespaced } = this.#deps;
    const selectors = bindings.flatMap(({ metadata, spec }) =>
      spec?.selector ? [labelKey(metadata, spec.selector, forceNamespaced)] : [],
    );
    this.#enqueue([...new Set(selectors)].flatMap((selector) => this.#caches.pods.byIndex(podsByLabel, selector)));
  }

  #enqueue(pods: readonly Pod[]): void {
    for (const pod of pods) {
      const { namespace = '', uid = '' } = pod.metadata;
      this.#deps.work.add(namespace, `${podPrefix}${keyOf(pod)} ${uid}`, () => this.#update(pod));
    }
  }

  #update(pod: Pod): void {
    const podKey = keyOf(pod);
    const current = this.#caches.pods.get(pod.metadata);
    // A deleted pod whose successor of the same name has its own entry in the queue.
    if (current && current.metadata.uid !== pod.metadata.uid) return;
    const before = this.#byPod.get(podKey) ?? [];
    const after = current ? this.#compute(current, before) : [];
    for (const each of before) this.#table.remove(each);
    for (const each of after) this.#table.add(each);
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
    return desiredOf(pod, before, this.#caches, this.#deps);
  }

  #reportRelease(former: Desired): void {
    for (const [reference] of rolesOf(former)) {
      if (this.index.of(reference.machine).has(reference.identity)) continue;
      for (const listener of this.#releaseListeners) listener(reference, former);
    }
  }
}
