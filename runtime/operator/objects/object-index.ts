import { armResource } from '../../api/arm/arm-resource.ts';
import { armKindsOfType } from '../../api/kinds.ts';
import { filledPath } from '../../arm-kinds/body/filled-path.ts';
import { annotations, credentialFinalizer } from '../../arm-kinds/names.ts';
import { normalizeResourceId, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { ownedBy, ownerIndex, ownerUids } from '../../kube/cache/indexes.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import type { KubeObject, ObjectKey, ResourceType } from '../../kube/client/types.ts';
import { hasFinalizer } from '../../kube/controller/finalizers.ts';
import type { KindCaches } from './kind-caches.ts';
import type { ObjectRecords } from './object-records.ts';
import { writtenResource } from './unfinished-write.ts';

/** Index by the ARM id in an object's annotation; only an authenticated object proves it. */
const resourceIdIndex = 'resource-id';
/** Characters. No ARM id is longer, so a longer text is not indexed. */
const longestId = 2048;
/** Index by the Secret of the credential that created an object, as `namespace/name`. */
const credentialIndex = 'credential';

/** Index by the resource that an object with an unfinished write has a turn to write to. */
const writingIndex = 'writing';

/** The indexes of the caches of custom resources. */
export const objectIndexes = {
  [ownerIndex]: ownerUids,
  [resourceIdIndex]: (object: KubeObject): readonly string[] => {
    const id = object.metadata.annotations?.[annotations.resourceId];
    return id === undefined || id.length > longestId ? [] : [normalizeResourceId(id)];
  },
  [writingIndex]: (object: KubeObject): readonly string[] => {
    const resource = writtenResource(object);
    return resource === undefined ? [] : [resource];
  },
  [credentialIndex]: (object: KubeObject): readonly string[] => {
    const { namespace = '', annotations: objectAnnotations } = object.metadata;
    const source = objectAnnotations?.[annotations.credential];
    // A credential of another namespace is ignored, because anybody can write this annotation.
    return source?.startsWith(`${namespace}/`) ? [source] : [];
  },
};

/** Other annotations may be large: kubectl and GitOps tools keep whole objects in theirs. */
const ourAnnotation = /^(azimuth\.dev|serviceoperator\.azure\.com)\//;

/**
 * The projection of Secrets and ConfigMaps in a cache: name, version and owners. Most belong to others, and the
 * annotation in which kubectl keeps the applied object has a Secret's values.
 */
export function projectMetadata(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, uid, resourceVersion, ownerReferences } = metadata;
  const kept = { ...(namespace !== undefined && { namespace }), name, uid, resourceVersion };
  const held = hasFinalizer(object, credentialFinalizer) && { finalizers: [credentialFinalizer] };
  return { apiVersion, kind, metadata: { ...kept, ...(ownerReferences && { ownerReferences }), ...held } };
}

/**
 * The projection of custom resources in a cache: identity, conditions and ARM id. Specs and Azure's answers are nearly
 * all of an object; a run reads them from the API server.
 */
export function projectResource(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, status } = object;
  const { managedFields: _, ...rest } = metadata;
  const annotationsKept = Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).filter(([name]) => ourAnnotation.test(name)),
  );
  return {
    apiVersion,
    kind,
    metadata: { ...rest, annotations: annotationsKept },
    status: { id: status?.id, conditions: status?.conditions },
  };
}

/** Like `projectResource`, with the path below which children of such a resource lie (`childScope` of its kind). */
export function projectWithChildScope(childScope: string): (object: KubeObject) => KubeObject {
  return (object) => {
    const projected = projectResource(object);
    return { ...projected, status: { ...projected['status'], childScope: filledPath(childScope, object['status']) } };
  };
}

/** The caches of all kinds, by group and kind. Every object that it returns is authenticated. */
export class ObjectIndex {
  readonly #caches: KindCaches;
  readonly #records: Pick<ObjectRecords, 'authenticated'>;

  constructor(caches: KindCaches, records: Pick<ObjectRecords, 'authenticated'>) {
    this.#records = records;
    this.#caches = caches;
  }

  has(group: string, kind: string): boolean {
    return this.#caches.of(group, kind) !== undefined;
  }

  typeOf(group: string, kind: string): ResourceType | undefined {
    return this.#caches.of(group, kind)?.type;
  }

  get(group: string, kind: string, key: ObjectKey): KubeObject | undefined {
    const object = this.#caches.get(group, kind, key);
    return object && this.#records.authenticated(object);
  }

  /** The objects that name this object as owner. */
  ownedBy(uid: string): KubeObject[] {
    return this.#authenticated((cache) => ownedBy(cache, uid));
  }

  /**
   * Whether an object other than the one with this uid was created with the credential in the Secret `namespace/name`.
   */
  usesCredential(source: string, except?: string): boolean {
    const uses = (object: KubeObject) =>
      object.metadata.uid !== except &&
      this.#records.authenticated(object).metadata.annotations?.[annotations.credential] === source;
    return [...this.#caches].some((cache) => {
      // One of the first two objects nearly always decides; only forged references need a longer search.
      for (let most = 2; ; most *= 16) {
        const objects = cache.byIndex(credentialIndex, source, most);
        if (objects.some(uses)) return true;
        if (objects.length < most) return false;
      }
    });
  }

  /** Objects with this ARM id in their record. */
  withResourceId(resourceId: string): KubeObject[] {
    const id = normalizeResourceId(resourceId);
    const has = ({ metadata }: KubeObject) =>
      normalizeResourceId(metadata.annotations?.[annotations.resourceId] ?? '') === id;
    return this.#authenticated((cache) => cache.byIndex(resourceIdIndex, id)).filter(has);
  }

  /** The objects whose journal has an unfinished write to this resource or to a child of it (`serializedResource`). */
  writingTo(resource: string): KubeObject[] {
    const writers = this.#authenticated((cache) => cache.byIndex(writingIndex, resource));
    return writers.filter((object) => writtenResource(object) === resource);
  }

  /** The cache of the definitions that bring the kinds; none where settings name the kinds. */
  get definitions(): WatchedCache[] {
    return this.#caches.definitions ? [this.#caches.definitions] : [];
  }

  /** The caches of the kinds whose objects may have this ARM id; all of them for an id of no known form. */
  cachesFor(resourceId: string): WatchedCache[] {
    const type = tryParseResourceId(resourceId)?.type;
    if (type === undefined) return [...this.#caches];
    const kinds = [armResource, ...armKindsOfType(type)];
    return kinds.flatMap(({ group, kind }) => this.#caches.of(group, kind) ?? []);
  }

  #authenticated(select: (cache: WatchedCache) => readonly KubeObject[]): KubeObject[] {
    const selected = [...this.#caches].flatMap((cache) => select(cache));
    return selected.map((object) => this.#records.authenticated(object));
  }
}
