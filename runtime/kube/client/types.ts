/** The vocabulary of the Kubernetes client: objects, resource types and watch events. */

/** An entry of metadata.ownerReferences (meta/v1). */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** Metadata of an object (meta/v1). */
export interface ObjectMeta {
  name: string;
  namespace?: string | undefined;
  generateName?: string | undefined;
  uid?: string | undefined;
  resourceVersion?: string | undefined;
  generation?: number | undefined;
  creationTimestamp?: string | undefined;
  deletionTimestamp?: string | undefined;
  deletionGracePeriodSeconds?: number | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
  finalizers?: string[] | undefined;
  ownerReferences?: OwnerReference[] | undefined;
  managedFields?: unknown[] | undefined;
}

/** Any Kubernetes object. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  // biome-ignore lint/suspicious/noExplicitAny: an object of a kind unknown at compile time
  [member: string]: any;
}

/** A resource type as discovery names it. `group` is '' for the core group. */
export interface ResourceType {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** Namespace and name of an object; cluster-scoped objects have no namespace. */
export interface ObjectKey {
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** Options of a LIST. */
export interface ListOptions {
  /** All namespaces when absent. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Page size; 0 asks for everything in one answer. @default 500 */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  /** '0' accepts any state that the server has cached. */
  readonly resourceVersion?: string | undefined;
  /** Asks for PartialObjectMetadata: apiVersion and kind stay those of the type, everything but `metadata` is absent. */
  readonly metadataOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** One answer to a LIST. */
export interface ListPage<T extends KubeObject = KubeObject> {
  readonly items: T[];
  readonly resourceVersion: string;
  readonly continue: string | undefined;
}

/** An event of a watch. */
export type WatchEvent<T extends KubeObject = KubeObject> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string };

/** Options of a watch. */
export interface WatchOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly resourceVersion: string;
  /** Asks the server to end the watch after this many seconds. */
  readonly timeoutSeconds?: number | undefined;
  /** Milliseconds without a byte after which the connection counts as dead; 0 = never. @default 90000 */
  readonly idleTimeoutMs?: number | undefined;
  /** As in `ListOptions`. */
  readonly metadataOnly?: boolean | undefined;
  /** Called when the server has accepted the watch, which may bring nothing for long. */
  readonly onOpen?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options that all writes share. */
export interface WriteOptions {
  readonly fieldManager?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A patch: JSON Patch (RFC 6902), JSON Merge Patch (RFC 7386) or a strategic merge patch. */
export type Patch =
  | { readonly type: 'json'; readonly operations: readonly JsonPatchOperation[] }
  | { readonly type: 'merge'; readonly body: object }
  | { readonly type: 'strategic'; readonly body: object };

/** An operation of a JSON Patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'test' | 'move' | 'copy';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** Options of a DELETE (meta/v1). */
export interface DeleteOptions {
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly signal?: AbortSignal;
}

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Takes fields that another manager owns. @default false */
  readonly force?: boolean;
}

/**
 * The verbs of the API server. Every refusal throws `KubeStatusError`; no answer throws `AzimuthError`
 * AZ_KUBE_UNREACHABLE, an answer that is no Kubernetes API's AZ_KUBE_ANSWER, an aborted signal its own reason. Nothing
 * retries by itself, but for one retry of a 401 with a fresh credential: the controller loop does.
 */
export interface KubeClient {
  get<T extends KubeObject = KubeObject>(type: ResourceType, key: ObjectKey, signal?: AbortSignal): Promise<T>;
  /** Like `get`, undefined for a 404 that the API server itself explains with the reason NotFound. */
  tryGet<T extends KubeObject = KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    signal?: AbortSignal,
  ): Promise<T | undefined>;
  /** One page. */
  list<T extends KubeObject = KubeObject>(type: ResourceType, options?: ListOptions): Promise<ListPage<T>>;
  create<T extends KubeObject = KubeObject>(type: ResourceType, object: T, options?: WriteOptions): Promise<T>;
  /** PUT; conflicts when `metadata.resourceVersion` is stale. */
  replace<T extends KubeObject = KubeObject>(
    type: ResourceType,
    object: T,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<T>;
  patch<T extends KubeObject = KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions & { readonly subresource?: string },
  ): Promise<T>;
  /** Server-side apply of a partial object. */
  apply<T extends KubeObject = KubeObject>(
    type: ResourceType,
    object: T,
    options: ApplyOptions & { readonly subresource?: string },
  ): Promise<T>;
  delete(type: ResourceType, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  /** POST to a subresource such as `token` or `eviction`. */
  createSubresource<R = unknown>(
    type: ResourceType,
    key: ObjectKey,
    subresource: string,
    body: object,
    signal?: AbortSignal,
  ): Promise<R>;
  /**
   * One watch request, ended by the server, an error or the signal; leaving the loop frees its socket. An ERROR event
   * throws `KubeStatusError`, with code AZ_WATCH_EXPIRED for 410.
   */
  watch<T extends KubeObject = KubeObject>(type: ResourceType, options: WatchOptions): AsyncIterable<WatchEvent<T>>;
  /** GET of any path, for `/version`, `/apis`, `/openapi/v3`. */
  raw<R = unknown>(path: string, signal?: AbortSignal): Promise<R>;
  close(): Promise<void>;
}

/** `group/version` or `version` for the core group. */
export function apiVersionOf(type: ResourceType): string {
  return type.group === '' ? type.version : `${type.group}/${type.version}`;
}

/** `namespace/name`, or `name` for cluster-scoped objects. */
export function keyOf(object: { metadata: { namespace?: string | undefined; name: string } }): string {
  const { namespace, name } = object.metadata;
  return namespace ? `${namespace}/${name}` : name;
}

/** The key of a namespaced object from its text `namespace/name`. */
export function objectKeyFrom(key: string): ObjectKey {
  const [namespace = '', name = ''] = key.split('/');
  return { namespace, name };
}
