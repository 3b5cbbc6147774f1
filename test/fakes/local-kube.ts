import { isNotFound } from '../../runtime/kube/client/status-error.ts';
import {
  type ApplyOptions,
  apiVersionOf,
  type DeleteOptions,
  type KubeClient,
  type KubeObject,
  type ListOptions,
  type ListPage,
  type ObjectKey,
  type Patch,
  type ResourceType,
  type WatchEvent,
  type WatchOptions,
  type WriteOptions,
} from '../../runtime/kube/client/types.ts';
import { StatusError } from '../../sandbox/kube/model/status.ts';
import type { WriteContext } from '../../sandbox/kube/model/write-request.ts';
import { list } from '../../sandbox/kube/storage/lists.ts';
import { selection } from '../../sandbox/kube/storage/selection.ts';
import { refusal, unreachable } from './kube-failures.ts';
import { LocalStorage, resourceName } from './local-storage.ts';
import { LocalWatch } from './local-watch.ts';

/** A request that the client got. */
export interface LocalRequest {
  readonly verb: string;
  readonly resource: string;
  readonly name?: string;
  readonly options?: ListOptions | WatchOptions | WriteOptions;
}

/** May wait before it decides, as a server that hangs does. */
type Fault = (signal: AbortSignal | undefined) => Error | undefined | Promise<Error | undefined>;
type Subresource = { readonly subresource?: string };

/**
 * The embedded Kubernetes in the test's own process, behind the client's interface: its storage, with versions,
 * conflicts, finalizers, patches, pages and watches, but without a socket, schemas and authorization. It answers a
 * request in the next turn of the event loop, so that a manual clock decides what comes first, and fails on demand.
 */
export class LocalKube implements KubeClient {
  readonly requests: LocalRequest[] = [];
  readonly #storage = new LocalStorage();
  readonly #watches = new Set<LocalWatch>();
  readonly #faults: { readonly verb: string; readonly fault: Fault }[] = [];
  /** So many lists from now on have no items, whatever the store holds. */
  emptyLists = 0;

  get version(): string {
    return String(this.#storage.store.revision);
  }

  /** Lets the next request with this verb fail; `fault` may decide by itself and return undefined. */
  failNext(verb: string, fault: Error | Fault, times = 1): void {
    for (let i = 0; i < times; i++)
      this.#faults.push({ verb, fault: typeof fault === 'function' ? fault : () => fault });
  }

  /** Forgets the faults that are left. */
  restore(): void {
    this.#faults.length = 0;
  }

  /** Forgets the history: older positions are answered with 410 from now on. */
  compact(): void {
    this.#storage.store.compact();
  }

  /** Ends all watches, without an error or with this one. */
  endWatches(error?: Error): void {
    for (const watch of [...this.#watches]) watch.end(error);
  }

  get watches(): number {
    return this.#watches.size;
  }

  /** Lists of whole collections: those that only read the server's version have the limit 1. */
  get lists(): number {
    return this.requests.filter(({ verb, options }) => verb === 'list' && (options as ListOptions)?.limit !== 1).length;
  }

  /** What etcd has at this moment; the function puts it back, and breaks all watches. */
  snapshot(): () => void {
    const restore = this.#storage.snapshot();
    return () => {
      restore();
      this.endWatches(unreachable());
    };
  }

  count(verb: string, resource?: string): number {
    return this.requests.filter((each) => each.verb === verb && (!resource || each.resource === resource)).length;
  }

  /** What the store holds, as a reader with all rights would see it. */
  all(type: ResourceType): KubeObject[] {
    return this.#storage.all(type);
  }

  /** Stores the object as it is, whatever was there, with the uid and the time of deletion that it names. */
  async put(type: ResourceType, object: Partial<KubeObject> & { metadata: { name: string } }): Promise<KubeObject> {
    await new Promise((resolve) => setImmediate(resolve));
    return this.#storage.put(type, { ...object, apiVersion: apiVersionOf(type), kind: type.kind } as KubeObject);
  }

  get<T extends KubeObject>(type: ResourceType, key: ObjectKey, signal?: AbortSignal): Promise<T> {
    return this.#answer('get', type, key, { signal }, () => this.#storage.objects.get(this.#storage.target(type, key)));
  }

  async tryGet<T extends KubeObject>(type: ResourceType, key: ObjectKey, signal?: AbortSignal): Promise<T | undefined> {
    return this.get<T>(type, key, signal).catch((error) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  }

  list<T extends KubeObject>(type: ResourceType, options: ListOptions = {}): Promise<ListPage<T>> {
    const { limit = 500, continue: token = '' } = options;
    return this.#answer('list', type, undefined, options, () => {
      // A server's cache is never behind here.
      const query = { limit, continue: token, resourceVersion: '', resourceVersionMatch: '' };
      const { items, metadata } = list(this.#storage.store, this.#selected(type, options), query);
      const isEmpty = this.emptyLists > 0 && this.emptyLists-- > 0;
      return {
        items: isEmpty ? [] : items.map((object) => view(object as KubeObject, options.metadataOnly)),
        resourceVersion: metadata.resourceVersion,
        continue: isEmpty ? undefined : metadata.continue,
      };
    });
  }

  create<T extends KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
    const { namespace = '' } = object.metadata;
    return this.#answer('create', type, object.metadata, options, () => {
      if (type.namespaced) this.#storage.ensureNamespace(namespace);
      const whole = { ...object, apiVersion: apiVersionOf(type), kind: type.kind };
      return this.#storage.objects.create(this.#storage.resource(type), namespace, whole, contextOf(options));
    });
  }

  replace<T extends KubeObject>(type: ResourceType, object: T, options: WriteOptions & Subresource = {}): Promise<T> {
    return this.#answer('replace', type, object.metadata, options, () => {
      const target = this.#storage.target(type, object.metadata, options.subresource);
      return this.#storage.objects.update(target, object, contextOf(options)).object;
    });
  }

  patch<T extends KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions & Subresource = {},
  ): Promise<T> {
    return this.#answer('patch', type, key, options, () => {
      const body = patch.type === 'json' ? patch.operations : patch.body;
      const target = this.#storage.target(type, key, options.subresource);
      return this.#storage.objects.patch(target, patch.type, body, contextOf(options));
    });
  }

  apply<T extends KubeObject>(type: ResourceType, object: T, options: ApplyOptions & Subresource): Promise<T> {
    return this.#answer('apply', type, object.metadata, options, () => {
      if (type.namespaced) this.#storage.ensureNamespace(object.metadata.namespace ?? '');
      const target = this.#storage.target(type, object.metadata, options.subresource);
      return this.#storage.objects.apply(target, object, options.force ?? false, contextOf(options)).object;
    });
  }

  async delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const { signal, ...rest } = options;
    await this.#answer('delete', type, key, { signal }, () =>
      this.#storage.objects.delete(this.#storage.target(type, key), { ...rest, dryRun: false }),
    );
  }

  async createSubresource<R>(): Promise<R> {
    throw new Error('LocalKube has no subresources of its own');
  }

  async raw<R>(_path: string): Promise<R> {
    throw new Error('LocalKube has no paths but those of its objects');
  }

  async close(): Promise<void> {
    this.endWatches();
  }

  async *watch<T extends KubeObject>(type: ResourceType, options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    const { signal, resourceVersion, metadataOnly } = options;
    const watch = await this.#answer<LocalWatch>('watch', type, undefined, options, () => {
      const started = new LocalWatch(this.#storage.store, this.#selected(type, options), resourceVersion);
      if (started.refused) throw refusal('watch', type, undefined, started.refused);
      return started;
    });
    this.#watches.add(watch);
    options.onOpen?.();
    try {
      yield* watch.events<T>(signal, (object) => view(object, metadataOnly));
    } finally {
      this.#watches.delete(watch);
    }
  }

  #selected(type: ResourceType, options: ListOptions | WatchOptions) {
    const { namespace, labelSelector = '', fieldSelector = '' } = options;
    // Without a kind's own rules, no field but those of its metadata selects.
    const selector = /^(metadata\.|$)/.test(fieldSelector) ? fieldSelector : '';
    return selection(this.#storage.resource(type), namespace || undefined, labelSelector, selector);
  }

  /** Takes the request down, fails it if a fault is set, and answers it as the embedded server does. */
  async #answer<R>(
    verb: string,
    type: ResourceType,
    key: ObjectKey | undefined,
    options: NonNullable<LocalRequest['options']> | { readonly signal: AbortSignal | undefined },
    act: () => unknown,
  ): Promise<R> {
    const { signal } = options;
    const read = verb === 'get' || verb === 'delete';
    this.requests.push({
      ...{ verb, resource: resourceName(type) },
      ...(key && { name: key.name }),
      ...(!read && { options: options as NonNullable<LocalRequest['options']> }),
    });
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    const index = this.#faults.findIndex((each) => each.verb === verb);
    const [taken] = index < 0 ? [] : this.#faults.splice(index, 1);
    const error = await taken?.fault(signal);
    if (error) throw error;
    try {
      const answer = act();
      return (answer instanceof LocalWatch ? answer : structuredClone(answer)) as R;
    } catch (refused) {
      throw refused instanceof StatusError ? refusal(verb, type, key, refused.status) : refused;
    }
  }
}

const contextOf = ({ fieldManager = 'test', dryRun = false }: WriteOptions): WriteContext => ({
  manager: fieldManager,
  dryRun,
  fieldValidation: 'Ignore',
  warnings: [],
});

function view(object: KubeObject, metadataOnly = false): KubeObject {
  const { apiVersion, kind, metadata } = object;
  return structuredClone(metadataOnly ? { apiVersion, kind, metadata } : object);
}
