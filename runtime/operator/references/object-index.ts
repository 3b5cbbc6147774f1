import { annotations, credentialFinalizer } from '../../arm-kinds/names.ts';
import { normalizeResourceId } from '../../azure/arm/resource-ids.ts';
import { ownedBy, ownerIndex, ownerUids } from '../../kube/cache/indexes.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import type { KubeObject, ObjectKey, ResourceType } from '../../kube/client/types.ts';
import { hasFinalizer } from '../../kube/controller/finalizers.ts';
import type { ObjectRecords } from '../lifecycle/object-records.ts';

/** Index by the ARM id that an object is said to have: only an authenticated object tells whether it has it. */
const resourceIdIndex = 'resource-id';
/** Characters. No ARM id is longer; what is longer is no key of an index. */
const longestId = 2048;
/** Index by the Secret that holds the credential an object was made with, as `namespace/name`. */
const credentialIndex = 'credential';

export const objectIndexes = {
  [ownerIndex]: ownerUids,
  [resourceIdIndex]: (object: KubeObject): readonly string[] => {
    const id = object.metadata.annotations?.[annotations.resourceId];
    return id === undefined || id.length > longestId ? [] : [normalizeResourceId(id)];
  },
  [credentialIndex]: (object: KubeObject): readonly string[] => {
    const { namespace = '', annotations: own } = object.metadata;
    const source = own?.[annotations.credential];
    // A credential of another namespace is none, whoever wrote that.
    return source?.startsWith(`${namespace}/`) ? [source] : [];
  },
};

/** Others may be large: kubectl and GitOps tools keep whole objects in theirs. */
const ourAnnotation = /^(azimuth\.dev|serviceoperator\.azure\.com)\//;

/**
 * What a cache of Secrets or ConfigMaps keeps: which there are, in which version, and whose they are. Most are foreign, and
 * the annotation in which kubectl keeps what was applied holds a Secret's values.
 */
export function projectMetadata(object: KubeObject): KubeObject {
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

/** The caches of all kinds, by group and kind. Every object that leaves it is authenticated. */
export class ObjectIndex {
  readonly #byKind: ReadonlyMap<string, WatchedCache>;
  readonly #records: Pick<ObjectRecords, 'authenticated'>;

  constructor(caches: readonly WatchedCache[], records: Pick<ObjectRecords, 'authenticated'>) {
    this.#records = records;
    this.#byKind = new Map(caches.map((cache) => [`${cache.type.group}/${cache.type.kind}`, cache]));
  }

  has(group: string, kind: string): boolean {
    return this.#byKind.has(`${group}/${kind}`);
  }

  typeOf(group: string, kind: string): ResourceType | undefined {
    return this.#byKind.get(`${group}/${kind}`)?.type;
  }

  get(group: string, kind: string, key: ObjectKey): KubeObject | undefined {
    const found = this.#byKind.get(`${group}/${kind}`)?.get(key);
    return found && this.#records.authenticated(found);
  }

  /** Objects that name this one as owner. */
  ownedBy(uid: string): KubeObject[] {
    return this.#authenticated((cache) => ownedBy(cache, uid));
  }

  /** Whether an object was made with the credential in the Secret `namespace/name`, other than the one with this uid. */
  usesCredential(source: string, except?: string): boolean {
    const uses = (object: KubeObject) =>
      object.metadata.uid !== except &&
      this.#records.authenticated(object).metadata.annotations?.[annotations.credential] === source;
    return [...this.#byKind.values()].some((cache) => {
      // Nearly always one of the first two tells; only forged references make a longer look necessary.
      for (let most = 2; ; most *= 16) {
        const found = cache.byIndex(credentialIndex, source, most);
        if (found.some(uses)) return true;
        if (found.length < most) return false;
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

  #authenticated(select: (cache: WatchedCache) => readonly KubeObject[]): KubeObject[] {
    const found = [...this.#byKind.values()].flatMap((cache) => select(cache));
    return found.map((object) => this.#records.authenticated(object));
  }
}
