import { AzimuthError } from '../../runtime/base/errors.ts';
import { isNotFound, KubeStatusError } from '../../runtime/kube/client/status-error.ts';
import {
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
import { mergePatch } from '../../sandbox/json.ts';

interface LogEntry {
  readonly version: number;
  readonly resource: string;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubeObject;
}

export interface FakeRequest {
  readonly verb: string;
  readonly resource: string;
  readonly name?: string;
  readonly options?: ListOptions | WatchOptions | WriteOptions;
}

interface Watcher {
  wake: () => void;
  fail: Error | undefined;
  readonly resource: string;
}

/** May wait before it decides, as a server that hangs does. */
type Fault = (signal: AbortSignal | undefined) => Error | undefined | Promise<Error | undefined>;

/**
 * A Kubernetes API in memory behind the client's interface: versions, conflicts, finalizers, paged LIST, WATCH from a
 * position, 410 after `compact`, and faults on demand. It knows no schemas, no authorization and no apply semantics.
 */
export class FakeKube implements KubeClient {
  readonly requests: FakeRequest[] = [];
  readonly #objects = new Map<string, Map<string, KubeObject>>();
  #log: LogEntry[] = [];
  readonly #watchers = new Set<Watcher>();
  readonly #faults: { readonly verb: string; readonly fault: Fault }[] = [];
  /** So many lists from now on have no items, whatever the store holds. */
  emptyLists = 0;
  #version = 100;
  #compacted = 100;
  #uids = 0;

  get version(): string {
    return String(this.#version);
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
    this.#compacted = this.#version;
    this.#log = [];
  }

  /** Ends all watches, without an error or with this one. */
  endWatches(error?: Error): void {
    for (const watcher of [...this.#watchers]) {
      watcher.fail = error ?? new Ended();
      watcher.wake();
    }
  }

  get watches(): number {
    return this.#watchers.size;
  }

  /** Lists of whole collections: those that only read the server's version have the limit 1. */
  get lists(): number {
    return this.requests.filter(({ verb, options }) => verb === 'list' && (options as ListOptions)?.limit !== 1).length;
  }

  /** What etcd has at this moment; the function puts it back, and breaks all watches. */
  snapshot(): () => void {
    const [version, objects] = [this.#version, structuredClone([...this.#objects])];
    return () => {
      this.#objects.clear();
      for (const [resource, stored] of objects) this.#objects.set(resource, structuredClone(stored));
      this.#version = version;
      this.#compacted = Math.min(this.#compacted, version);
      this.#log = [];
      this.endWatches(unreachable());
    };
  }

  count(verb: string, resource?: string): number {
    return this.requests.filter((each) => each.verb === verb && (!resource || each.resource === resource)).length;
  }

  /** What the store holds, as a reader with all rights would see it. */
  all(type: ResourceType): KubeObject[] {
    return structuredClone([...this.#of(type).values()]);
  }

  async get<T extends KubeObject>(type: ResourceType, key: ObjectKey, signal?: AbortSignal): Promise<T> {
    await this.#enter('get', type, key.name, undefined, signal);
    const object = this.#of(type).get(idOf(key));
    if (!object) throw status('get', type, 404, 'NotFound', key);
    return structuredClone(object) as T;
  }

  async tryGet<T extends KubeObject>(type: ResourceType, key: ObjectKey, signal?: AbortSignal): Promise<T | undefined> {
    return this.get<T>(type, key, signal).catch((error) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  }

  async list<T extends KubeObject>(type: ResourceType, options: ListOptions = {}): Promise<ListPage<T>> {
    await this.#enter('list', type, undefined, options, options.signal);
    const { limit = 500, continue: token } = options;
    // Unlike a real server, later pages show the newest state; the position of each page says so.
    const [from, start] = token === undefined ? [this.#version, ''] : (JSON.parse(token) as [number, string]);
    if (from < this.#compacted) throw status('list', type, 410, 'Expired');
    const isEmpty = this.emptyLists > 0 && this.emptyLists-- > 0;
    const all = isEmpty ? [] : [...this.#of(type).entries()].sort(([a], [b]) => (a < b ? -1 : 1));
    const rest = all.filter(([id, object]) => id > start && selected(object, options));
    const page = limit === 0 ? rest : rest.slice(0, limit);
    const more = page.length < rest.length;
    return {
      items: page.map(([, object]) => view(object, options.metadataOnly) as T),
      resourceVersion: String(this.#version),
      continue: more ? JSON.stringify([from, page.at(-1)?.[0]]) : undefined,
    };
  }

  async create<T extends KubeObject>(type: ResourceType, object: T, options: WriteOptions = {}): Promise<T> {
    await this.#enter('create', type, object.metadata.name, options, options.signal);
    const created = structuredClone(object);
    created.apiVersion = apiVersionOf(type);
    created.kind = type.kind;
    if (this.#of(type).has(idOf(created.metadata))) throw status('create', type, 409, 'AlreadyExists', object.metadata);
    created.metadata.uid = `uid-${++this.#uids}`;
    created.metadata.generation = 1;
    created.metadata.creationTimestamp = new Date(0).toISOString();
    return this.#store(type, 'ADDED', created);
  }

  async replace<T extends KubeObject>(
    type: ResourceType,
    object: T,
    options: WriteOptions & { readonly subresource?: string } = {},
  ): Promise<T> {
    await this.#enter('replace', type, object.metadata.name, options, options.signal);
    const old = this.#existing(type, 'replace', object.metadata);
    return this.#change(type, 'replace', old, structuredClone(object));
  }

  async patch<T extends KubeObject>(
    type: ResourceType,
    key: ObjectKey,
    patch: Patch,
    options: WriteOptions & { readonly subresource?: string } = {},
  ): Promise<T> {
    await this.#enter('patch', type, key.name, options, options.signal);
    const old = this.#existing(type, 'patch', key);
    if (patch.type === 'json') throw new Error('FakeKube has no JSON patch');
    return this.#change(type, 'patch', old, mergePatch(old, patch.body) as T);
  }

  async apply<T extends KubeObject>(type: ResourceType, object: T): Promise<T> {
    const old = this.#of(type).get(idOf(object.metadata));
    return old ? this.#change(type, 'apply', old, mergePatch(old, object) as T) : this.create(type, object);
  }

  async delete(type: ResourceType, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    await this.#enter('delete', type, key.name, undefined, options.signal);
    const old = structuredClone(this.#existing(type, 'delete', key));
    if ((old.metadata.finalizers ?? []).length === 0) this.#store(type, 'DELETED', old);
    else if (!old.metadata.deletionTimestamp) {
      old.metadata.deletionTimestamp = new Date(0).toISOString();
      this.#store(type, 'MODIFIED', old);
    }
  }

  async createSubresource<R>(): Promise<R> {
    throw new Error('FakeKube has no subresources');
  }

  async raw<R>(_path: string): Promise<R> {
    throw new Error('FakeKube has no raw paths');
  }

  async close(): Promise<void> {
    this.endWatches();
  }

  async *watch<T extends KubeObject>(type: ResourceType, options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
    const { signal } = options;
    await this.#enter('watch', type, undefined, options, signal);
    let position = Number(options.resourceVersion);
    if (position < this.#compacted) throw status('watch', type, 410, 'Expired');
    const watcher: Watcher = { wake: () => {}, fail: undefined, resource: resourceOf(type) };
    this.#watchers.add(watcher);
    options.onOpen?.();
    const abort = () => watcher.wake();
    signal?.addEventListener('abort', abort);
    try {
      for (;;) {
        const fresh = this.#log.filter(({ version, resource }) => version > position && resource === watcher.resource);
        for (const entry of fresh) {
          if (watcher.fail instanceof Ended) return;
          if (watcher.fail) throw watcher.fail;
          signal?.throwIfAborted();
          position = entry.version;
          if (!selected(entry.object, options)) continue;
          yield { type: entry.type, object: view(entry.object, options.metadataOnly) as T };
        }
        if (watcher.fail instanceof Ended) return;
        if (watcher.fail) throw watcher.fail;
        signal?.throwIfAborted();
        if (fresh.length > 0) {
          yield { type: 'BOOKMARK', resourceVersion: String(position) };
          continue;
        }
        await new Promise<void>((resolve) => {
          watcher.wake = resolve;
        });
      }
    } finally {
      this.#watchers.delete(watcher);
      signal?.removeEventListener('abort', abort);
    }
  }

  async #enter(
    verb: string,
    type: ResourceType,
    name: string | undefined,
    options: FakeRequest['options'],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    this.requests.push({ verb, resource: resourceOf(type), ...(name && { name }), ...(options && { options }) });
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    const index = this.#faults.findIndex((each) => each.verb === verb);
    if (index < 0) return;
    const [taken] = this.#faults.splice(index, 1);
    const error = await taken?.fault(signal);
    if (error) throw error;
  }

  #change<T extends KubeObject>(type: ResourceType, verb: string, old: KubeObject, changed: T): T {
    const sent = changed.metadata;
    const stale = sent.resourceVersion !== undefined && sent.resourceVersion !== old.metadata.resourceVersion;
    if (stale || (sent.uid !== undefined && sent.uid !== old.metadata.uid)) {
      throw status(verb, type, 409, 'Conflict', old.metadata);
    }
    changed.metadata = { ...sent, uid: old.metadata.uid };
    if (JSON.stringify(changed['spec']) !== JSON.stringify(old['spec'])) {
      changed.metadata.generation = (old.metadata.generation ?? 0) + 1;
    }
    const gone = changed.metadata.deletionTimestamp && (changed.metadata.finalizers ?? []).length === 0;
    return this.#store(type, gone ? 'DELETED' : 'MODIFIED', changed);
  }

  #store<T extends KubeObject>(type: ResourceType, event: LogEntry['type'], object: T): T {
    const version = ++this.#version;
    object.metadata.resourceVersion = String(version);
    const id = idOf(object.metadata);
    if (event === 'DELETED') this.#of(type).delete(id);
    else this.#of(type).set(id, object);
    const resource = resourceOf(type);
    this.#log.push({ version, resource, type: event, object: structuredClone(object) });
    for (const watcher of this.#watchers) watcher.wake();
    return structuredClone(object);
  }

  #existing(type: ResourceType, verb: string, key: ObjectKey): KubeObject {
    const object = this.#of(type).get(idOf(key));
    if (!object) throw status(verb, type, 404, 'NotFound', key);
    return object;
  }

  #of(type: ResourceType): Map<string, KubeObject> {
    const resource = resourceOf(type);
    const existing = this.#objects.get(resource) ?? new Map<string, KubeObject>();
    this.#objects.set(resource, existing);
    return existing;
  }
}

class Ended extends Error {}

/** Never answers; ends with the request's own signal. */
export function hanging(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

/** The refusal of an API server. */
export function status(
  verb: string,
  type: ResourceType,
  code: number,
  reason: string,
  key?: { readonly namespace?: string | undefined; readonly name: string },
): KubeStatusError {
  return new KubeStatusError({ verb, resource: resourceOf(type), ...(key && { object: idOf(key) }) }, code, { reason });
}

export function unreachable(): AzimuthError {
  return new AzimuthError('AZ_KUBE_UNREACHABLE', 'connection reset');
}

/** What the client throws for a line that was cut in its middle. */
export function garbled(): AzimuthError {
  return new AzimuthError('AZ_KUBE_ANSWER', 'the stream carries 17 characters that are not JSON');
}

function resourceOf({ plural, group }: ResourceType): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function idOf({ namespace, name }: ObjectKey): string {
  return `${namespace ?? ''}/${name}`;
}

function selected(
  object: KubeObject,
  options: { readonly namespace?: string | undefined; readonly labelSelector?: string | undefined },
) {
  if (options.namespace && object.metadata.namespace !== options.namespace) return false;
  const pairs = options.labelSelector?.split(',').map((pair) => pair.split('=')) ?? [];
  return pairs.every(([name, value]) => object.metadata.labels?.[name ?? ''] === value);
}

function view(object: KubeObject, metadataOnly = false): KubeObject {
  const { apiVersion, kind, metadata } = object;
  return structuredClone(metadataOnly ? { apiVersion, kind, metadata } : object);
}
