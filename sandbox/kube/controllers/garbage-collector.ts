import { setImmediate as later } from 'node:timers';
import { keyFor, objectKey } from '../model/resource.ts';
import type { Change } from '../model/store.ts';
import type { Unstructured } from '../model/types.ts';
import type { Objects } from '../storage/objects.ts';

interface Location {
  readonly bucket: string;
  readonly key: string;
}

const ownersOf = (object: Unstructured): Unstructured[] => object['metadata'].ownerReferences ?? [];

/**
 * The garbage collector: removes objects whose owners are all gone, and serves the `foregroundDeletion` and `orphan`
 * finalizers. Owners are identified by uid; one in another namespace does not count. Runs after the write has been answered.
 */
export class GarbageCollector {
  readonly #objects: Objects;
  readonly #byUid = new Map<string, Location>();
  /** Owner's uid to its dependents' uids. */
  readonly #dependents = new Map<string, Set<string>>();
  readonly #queue = new Set<string>();
  #scheduled = false;

  constructor(objects: Objects) {
    this.#objects = objects;
    const { store } = objects;
    for (const bucket of store.buckets()) {
      for (const [key, object] of store.entries(bucket)) this.#index(bucket, key, object);
    }
    store.subscribe((change) => this.#observe(change));
  }

  #index(bucket: string, key: string, object: Unstructured): void {
    const { uid, deletionTimestamp } = object['metadata'];
    this.#byUid.set(uid, { bucket, key });
    for (const { uid: owner } of ownersOf(object)) {
      this.#dependents.set(owner, (this.#dependents.get(owner) ?? new Set()).add(uid));
    }
    if (ownersOf(object).length > 0 || deletionTimestamp) this.#enqueue(uid);
  }

  #observe({ type, bucket, key, object, previous }: Change): void {
    const { uid } = object['metadata'];
    for (const owner of previous ? ownersOf(previous) : []) this.#dependents.get(owner['uid'])?.delete(uid);
    if (type !== 'DELETED') {
      this.#index(bucket, key, object);
      return;
    }
    this.#byUid.delete(uid);
    for (const dependent of this.#dependents.get(uid) ?? []) this.#enqueue(dependent);
    for (const owner of ownersOf(object)) this.#enqueue(owner['uid']);
  }

  #enqueue(uid: string): void {
    this.#queue.add(uid);
    if (this.#scheduled) return;
    this.#scheduled = true;
    later(() => {
      this.#scheduled = false;
      const uids = [...this.#queue];
      this.#queue.clear();
      for (const one of uids) this.#process(one);
    });
  }

  #process(uid: string): void {
    const at = this.#byUid.get(uid);
    const object = at && this.#objects.store.get(at.bucket, at.key);
    if (!at || !object || object['metadata'].uid !== uid) return;
    const { deletionTimestamp, finalizers = [] } = object['metadata'];
    if (deletionTimestamp && finalizers.includes('orphan')) this.#orphan(at, uid);
    else if (deletionTimestamp && finalizers.includes('foregroundDeletion')) this.#foreground(at, uid);
    else if (ownersOf(object).length > 0) this.#checkOwners(at, object);
  }

  #orphan(at: Location, uid: string): void {
    for (const dependent of this.#locations(uid)) {
      this.#objects.modify(dependent.bucket, dependent.key, ({ metadata }) => {
        metadata.ownerReferences = metadata.ownerReferences?.filter((owner: Unstructured) => owner['uid'] !== uid);
        if (metadata.ownerReferences?.length === 0) delete metadata.ownerReferences;
      });
    }
    this.#dropFinalizer(at, 'orphan');
  }

  #foreground(at: Location, uid: string): void {
    let blocking = false;
    for (const dependent of this.#locations(uid)) {
      const object = this.#objects.store.get(dependent.bucket, dependent.key);
      const others = object
        ? ownersOf(object).filter((owner) => owner['uid'] !== uid && this.#present(owner, object))
        : [];
      if (!object || others.length > 0) continue;
      if (!object['metadata'].deletionTimestamp) this.#delete(dependent, object, 'Foreground');
      const left = this.#objects.store.get(dependent.bucket, dependent.key);
      if (left && ownersOf(left).some((owner) => owner['uid'] === uid && owner['blockOwnerDeletion'])) blocking = true;
    }
    if (!blocking) this.#dropFinalizer(at, 'foregroundDeletion');
  }

  #checkOwners(at: Location, object: Unstructured): void {
    const owners = ownersOf(object);
    const present = owners.filter((owner) => this.#present(owner, object));
    if (present.length === owners.length) return;
    if (present.length === 0) {
      if (!object['metadata'].deletionTimestamp) this.#delete(at, object);
      return;
    }
    this.#objects.modify(at.bucket, at.key, ({ metadata }) => {
      metadata.ownerReferences = present;
    });
  }

  #present(owner: Unstructured, dependent: Unstructured): boolean {
    // As long as nobody serves the owner's kind, nobody can know that it is gone.
    if (!this.#objects.registry.byKind(owner['apiVersion'], owner['kind'])) return true;
    const at = this.#byUid.get(owner['uid']);
    if (!at) return false;
    const namespace = this.#objects.store.get(at.bucket, at.key)?.['metadata'].namespace;
    return namespace === undefined || namespace === dependent['metadata'].namespace;
  }

  #locations(owner: string): Location[] {
    return [...(this.#dependents.get(owner) ?? [])].flatMap((uid) => this.#byUid.get(uid) ?? []);
  }

  #delete(at: Location, object: Unstructured, propagationPolicy?: 'Foreground'): void {
    const resource = this.#objects.registry.byBucket(at.bucket);
    if (!resource) return;
    const { namespace = '', name } = object['metadata'];
    const policy = propagationPolicy && this.#dependents.get(object['metadata'].uid)?.size ? { propagationPolicy } : {};
    if (keyFor(resource, namespace, name) !== objectKey(object)) return;
    this.#objects.delete({ resource, namespace, name }, { ...policy, dryRun: false });
  }

  #dropFinalizer(at: Location, finalizer: string): void {
    this.#objects.modify(at.bucket, at.key, ({ metadata }) => {
      metadata.finalizers = metadata.finalizers?.filter((one: string) => one !== finalizer);
    });
  }
}
