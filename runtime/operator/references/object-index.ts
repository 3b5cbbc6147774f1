import { annotations, credentialFinalizer } from '../../arm-kinds/names.ts';
import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';
import { ownedBy, ownerIndex, ownerUids } from '../../kube/cache/indexes.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import type { KubeObject, ObjectKey, ResourceType } from '../../kube/client/types.ts';
import { hasFinalizer } from '../../kube/controller/finalizers.ts';
import { claimKey } from '../lifecycle/resource-id.ts';

/** Index by claimed ARM id. */
const resourceIdIndex = 'resource-id';
/** Index by the Secret that holds the credential an object was made with, as `namespace/name`. */
const credentialIndex = 'credential';

export const storeIndexes = {
  [ownerIndex]: ownerUids,
  [resourceIdIndex]: (object: KubeObject): readonly string[] => {
    const id = claimKey(object);
    return id === undefined ? [] : [id];
  },
  [credentialIndex]: (object: KubeObject): readonly string[] => {
    const source = object.metadata.annotations?.[annotations.credential];
    return source?.includes('/') ? [source] : [];
  },
};

/** Others may be large: kubectl and GitOps tools keep whole objects in theirs. */
const ourAnnotation = /^(azimuth\.dev|serviceoperator\.azure\.com)\//;

/**
 * What a cache of Secrets or ConfigMaps keeps: which there are, in which version, and whose they are. Most are foreign, and
 * the annotation in which kubectl keeps what was applied holds a Secret's values.
 */
export function forNames(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, uid, resourceVersion, ownerReferences } = metadata;
  const kept = { ...(namespace !== undefined && { namespace }), name, uid, resourceVersion };
  const held = hasFinalizer(object, credentialFinalizer) && { finalizers: [credentialFinalizer] };
  return { apiVersion, kind, metadata: { ...kept, ...(ownerReferences && { ownerReferences }), ...held } };
}

/**
 * What a cache of custom resources keeps: identity, conditions and ARM id. Specs and Azure's answers, which are nearly
 * all of an object, are read from the API server when an object is worked on.
 */
export function forStore(object: KubeObject): KubeObject {
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

/** The caches of all kinds, by group and kind. */
export class Stores {
  readonly #byKind: ReadonlyMap<string, WatchedCache>;

  constructor(caches: readonly WatchedCache[]) {
    this.#byKind = new Map(caches.map((cache) => [`${cache.type.group}/${cache.type.kind}`, cache]));
  }

  has(group: string, kind: string): boolean {
    return this.#byKind.has(`${group}/${kind}`);
  }

  typeOf(group: string, kind: string): ResourceType | undefined {
    return this.#byKind.get(`${group}/${kind}`)?.type;
  }

  get(group: string, kind: string, key: ObjectKey): KubeObject | undefined {
    return this.#byKind.get(`${group}/${kind}`)?.get(key);
  }

  /** Objects that name this one as owner. */
  ownedBy(uid: string): KubeObject[] {
    return [...this.#byKind.values()].flatMap((cache) => ownedBy(cache, uid));
  }

  /** Whether an object was made with the credential in the Secret `namespace/name`, other than the one with this uid. */
  usesCredential(source: string, except?: string): boolean {
    const users = (cache: WatchedCache) => cache.byIndex(credentialIndex, source, 2);
    return [...this.#byKind.values()].some((cache) => users(cache).some(({ metadata }) => metadata.uid !== except));
  }

  /** Objects that claimed this ARM id. */
  claimants(resourceId: string): KubeObject[] {
    const id = normalizeResourceId(resourceId);
    return [...this.#byKind.values()].flatMap((cache) => cache.byIndex(resourceIdIndex, id));
  }
}
