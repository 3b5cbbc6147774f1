import { randomUUID } from 'node:crypto';
import { systemClock } from '../../runtime/base/clock.ts';
import { type KubeObject, keyOf, type ObjectKey, type ResourceType } from '../../runtime/kube/client/types.ts';
import { Registry, type Resource } from '../../sandbox/kube/model/resource.ts';
import { Store } from '../../sandbox/kube/model/store.ts';
import type { CompiledSchema } from '../../sandbox/kube/model/types.ts';
import type { Target } from '../../sandbox/kube/model/write-request.ts';
import { Objects } from '../../sandbox/kube/storage/objects.ts';

/** `plural.group`, or `plural` for the core group. */
export const resourceName = ({ plural, group }: ResourceType): string => (group === '' ? plural : `${plural}.${group}`);

const schema: CompiledSchema = { source: {}, prune: () => [], applyDefaults: () => undefined, validate: () => [] };
const noJournal = { append: () => undefined, close: () => undefined };

/** The storage of the embedded Kubernetes for every type and namespace that a test names, without schemas. */
export class LocalStorage {
  #objects = objectsOn(new Store());

  get store(): Store {
    return this.#objects.store;
  }

  get objects(): Objects {
    return this.#objects;
  }

  /** The type without a schema and without subresources: its status is a member as any other. */
  resource(type: ResourceType): Resource {
    const { registry } = this.#objects;
    const existing = registry.get(type.group, type.version, type.plural);
    if (existing) return existing;
    const { group, version, plural, kind, namespaced } = type;
    const resource: Resource = {
      ...{ group, version, plural, kind, namespaced, schema },
      ...{ singular: kind.toLowerCase(), listKind: `${kind}List`, shortNames: [], categories: [], verbs: [] },
      ...{ subresources: [], custom: true, bucket: resourceName(type), behaviour: { generation: true } },
    };
    registry.set(resource);
    return resource;
  }

  target(type: ResourceType, { namespace = '', name }: ObjectKey, subresource = ''): Target {
    return { resource: this.resource(type), namespace: type.namespaced ? namespace : '', name, subresource };
  }

  ensureNamespace(name: string): void {
    if (this.store.get('namespaces', name)) return;
    this.store.put('namespaces', name, { apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: `uid-${name}` } });
  }

  /** Writes past the API server. */
  put(type: ResourceType, object: KubeObject): KubeObject {
    const { bucket } = this.resource(type);
    const key = keyOf(object);
    const { uid = randomUUID(), generation = 1 } = this.store.get(bucket, key)?.['metadata'] ?? {};
    const metadata = { uid, generation, creationTimestamp: this.#objects.now(), ...object.metadata };
    if (type.namespaced) this.ensureNamespace(object.metadata.namespace ?? '');
    return structuredClone(this.store.put(bucket, key, structuredClone({ ...object, metadata })) as KubeObject);
  }

  /** Copies of all objects of a type. */
  all(type: ResourceType): KubeObject[] {
    const entries = this.store.entries(this.resource(type).bucket);
    return structuredClone(entries.map(([, object]) => object as KubeObject));
  }

  /** What etcd has at this moment; the function puts it back, with the version of then. */
  snapshot(): () => void {
    const { revision } = this.store;
    const records = [...this.store.records()];
    return () => {
      const store = new Store();
      store.restore(revision, records, noJournal);
      this.#objects = objectsOn(store, this.#objects.registry);
    };
  }
}

const objectsOn = (store: Store, registry = new Registry()) => new Objects(store, registry, systemClock);
