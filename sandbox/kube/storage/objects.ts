import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../runtime/base/clock.ts';
import { equal } from '../../json.ts';
import { hasStatus, keyFor, present, type Registry, type Resource } from '../model/resource.ts';
import { alreadyExists, badRequest, conflict, internal, invalid, invalidValue, notFound } from '../model/status.ts';
import type { Store } from '../model/store.ts';
import type { PatchKind, Unstructured } from '../model/types.ts';
import type { DeleteRequest, Target, WriteContext } from '../model/write-request.ts';
import { applyPatch } from '../schema/patch/apply-patch.ts';
import { checkAddress, checkNamespace, freeName, wrongNamespace } from './addresses.ts';
import type { Admission } from './admission.ts';
import { checkVersion, contentChanged, resetsManagedFields, sameButForTimes } from './change.ts';
import { checkPreconditions, isFinal, mark, withPolicy } from './deletion.ts';
import { carryOver, normalize, rfc3339 } from './metadata.ts';
import { applied, patched } from './patches.ts';
import { prune, shape, track, validate } from './write-steps.ts';

/** Reads and writes of single objects with the semantics of the API server. Synchronous: each call is a transaction. */
export class Objects {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly #admit: Admission;

  constructor(store: Store, registry: Registry, clock: Clock, admit: Admission = () => undefined) {
    this.store = store;
    this.registry = registry;
    this.clock = clock;
    this.#admit = admit;
  }

  now(): string {
    return rfc3339(this.clock.now());
  }

  /** Throws 404. */
  get({ resource, namespace, name }: Omit<Target, 'subresource'>): Unstructured {
    const stored = this.store.get(resource.bucket, keyFor(resource, namespace, name));
    if (!stored) throw notFound(resource, name);
    return present(resource, stored);
  }

  create(resource: Resource, namespace: string, body: Unstructured, context: WriteContext): Unstructured {
    const { apiVersion, kind, metadata, ...rest } = structuredClone(body);
    return this.#create(resource, namespace, { apiVersion, kind, metadata, ...rest }, context, undefined);
  }

  #create(
    resource: Resource,
    namespace: string,
    object: Unstructured,
    context: WriteContext,
    managedFields: unknown,
  ): Unstructured {
    const unknown = normalize(resource, object);
    const metadata = object['metadata'];
    if (resource.namespaced) {
      if ((metadata.namespace ?? namespace) !== namespace) throw wrongNamespace();
      metadata.namespace = namespace;
      checkNamespace(this.store, resource, namespace, metadata.name ?? '');
    } else delete metadata.namespace;
    if (metadata.resourceVersion && metadata.resourceVersion !== '0')
      throw internal('resourceVersion should not be set on objects to be created');
    const generated = !metadata.name && metadata.generateName;
    if (generated) metadata.name = freeName(this.store, resource, namespace, metadata.generateName);
    for (const member of [
      'resourceVersion',
      'deletionTimestamp',
      'deletionGracePeriodSeconds',
      'generation',
      'managedFields',
    ])
      delete metadata[member];
    metadata.uid = randomUUID();
    metadata.creationTimestamp = this.now();
    if (resource.behaviour.generation) metadata.generation = 1;
    if (hasStatus(resource)) delete object['status'];
    shape(resource, object, undefined, context, unknown);
    validate(resource, object, undefined);
    this.#admit(resource, object, undefined, context.user);
    const key = keyFor(resource, namespace, metadata.name);
    if (this.store.get(resource.bucket, key)) throw alreadyExists(resource, metadata.name);
    metadata.managedFields = managedFields ?? track(resource, undefined, object, '', context.manager, this.now());
    if (context.dryRun) return object;
    return this.#put(resource, key, object);
  }

  /** PUT. `created`: answer 201 instead of 200. */
  update(target: Target, body: Unstructured, context: WriteContext): { object: Unstructured; created: boolean } {
    const { resource, namespace, name } = target;
    const object = structuredClone(body);
    const stored = this.store.get(resource.bucket, keyFor(resource, namespace, name));
    const unknown = normalize(resource, object);
    if (!object['metadata'].name)
      throw badRequest('the name of the object ( based on URL) was undeterminable: name must be provided');
    checkAddress(target, object);
    if (!stored) {
      if (!resource.behaviour.createOnUpdate || target.subresource) throw notFound(resource, name);
      return { object: this.create(resource, namespace, object, context), created: true };
    }
    const { uid, resourceVersion } = object['metadata'];
    const old = present(resource, stored);
    if (uid && uid !== old['metadata'].uid)
      throw conflict(
        resource,
        name,
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${old['metadata'].uid}`,
      );
    if (resourceVersion === undefined && resource.behaviour.unconditionalUpdate === false)
      throw invalid(
        resource,
        name,
        [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: 0x0: must be specified for an update',
            field: 'metadata.resourceVersion',
          },
        ],
        resource.plural,
      );
    return { object: this.#replace(target, old, object, context, unknown, undefined), created: false };
  }

  /** JSON patch, merge patch and strategic merge patch. */
  patch(target: Target, kind: PatchKind, body: unknown, context: WriteContext): Unstructured {
    const { resource, name } = target;
    const old = this.get(target);
    const object = patched(() => applyPatch(kind, old, body, resource.schema.source));
    const unknown = normalize(resource, object);
    checkAddress(target, object);
    checkVersion(resource, object, old);
    const { uid } = object['metadata'];
    if (uid !== old['metadata'].uid)
      throw invalid(resource, name, [invalidValue('metadata.uid', uid ?? '', 'field is immutable')]);
    return this.#replace(target, old, object, context, unknown, undefined);
  }

  /** A patch of something that is not stored, such as a Scale. */
  patchPlain(kind: PatchKind, current: Unstructured, body: unknown): Unstructured {
    return patched(() => applyPatch(kind, current, body, undefined));
  }

  /** Server-side apply. `created`: answer 201 instead of 200. */
  apply(
    target: Target,
    body: Unstructured,
    force: boolean,
    context: WriteContext,
  ): { object: Unstructured; created: boolean } {
    const { resource, namespace, name, subresource } = target;
    const stored = this.store.get(resource.bucket, keyFor(resource, namespace, name));
    if (!stored && subresource) throw notFound(resource, name);
    const live = stored && present(resource, stored);
    const object = applied(target, body, live, force, context, this.now());
    const managedFields = object['metadata'].managedFields;
    if (!live) return { object: this.#create(resource, namespace, object, context, managedFields), created: true };
    normalize(resource, object);
    return { object: this.#replace(target, live, object, context, [], managedFields), created: false };
  }

  /** The one way an existing object changes on request. `object` is modified and stored. */
  #replace(
    target: Target,
    old: Unstructured,
    sent: Unstructured,
    context: WriteContext,
    unknown: string[],
    managedFields: unknown,
  ): Unstructured {
    const { resource, namespace, name, subresource } = target;
    checkVersion(resource, sent, old);
    const reset = resetsManagedFields(sent['metadata'].managedFields) && managedFields === undefined;
    let object = sent;
    if (subresource === 'status') {
      unknown = [...unknown, ...prune(resource, sent)];
      object = { ...structuredClone(old), status: sent['status'] };
    } else if (hasStatus(resource)) {
      object['status'] = structuredClone(old['status']);
    }
    if (object['status'] === undefined) delete object['status'];
    carryOver(object['metadata'], old['metadata']);
    if (resource.namespaced) object['metadata'].namespace = namespace;
    else delete object['metadata'].namespace;
    delete object['metadata'].managedFields;
    shape(resource, object, old, context, unknown);
    validate(resource, object, old);
    this.#admit(resource, object, old, context.user);
    if (resource.behaviour.generation && subresource === '' && contentChanged(object, old))
      object['metadata'].generation = (old['metadata'].generation ?? 0) + 1;
    object['metadata'].managedFields =
      managedFields ?? (reset ? undefined : track(resource, old, object, subresource, context.manager, this.now()));
    if (object['metadata'].managedFields === undefined) delete object['metadata'].managedFields;
    if (sameButForTimes(object, old)) return old;
    if (context.dryRun) return object;
    const key = keyFor(resource, namespace, name);
    if (object['metadata'].deletionTimestamp && isFinal(object)) {
      this.store.delete(resource.bucket, key);
      return object;
    }
    return this.#put(resource, key, object);
  }

  /**
   * DELETE. The object stays, marked, while finalizers hold it (`gone` false); otherwise it is removed. The last state
   * is returned either way.
   */
  delete(target: Omit<Target, 'subresource'>, request: DeleteRequest): { object: Unstructured; gone: boolean } {
    const { resource, namespace, name } = target;
    const old = this.get(target);
    checkPreconditions(resource, old, request);
    const object = withPolicy(old, request);
    const key = keyFor(resource, namespace, name);
    if (isFinal(object)) {
      if (!request.dryRun) this.store.delete(resource.bucket, key);
      return { object, gone: true };
    }
    mark(object, this.now());
    resource.behaviour.prepare?.(object, old);
    if (request.dryRun || equal(object, old)) return { object, gone: false };
    return { object: this.#put(resource, key, object), gone: false };
  }

  /** A controller's write: `change` edits a copy of the current object. Undefined when the object is gone. */
  modify(bucket: string, key: string, change: (object: Unstructured) => void): Unstructured | undefined {
    const stored = this.store.get(bucket, key);
    if (!stored) return undefined;
    const object = structuredClone(stored);
    change(object);
    if (equal(object, stored)) return stored;
    if (object['metadata'].finalizers?.length === 0) delete object['metadata'].finalizers;
    if (object['metadata'].deletionTimestamp && isFinal(object)) return this.store.delete(bucket, key);
    return this.store.put(bucket, key, object);
  }

  #put(resource: Resource, key: string, object: Unstructured): Unstructured {
    const stored = this.store.put(resource.bucket, key, resource.behaviour.toStorage?.(object) ?? object);
    return present(resource, stored);
  }
}
