import { setImmediate as later } from 'node:timers';
import type { Behaviour } from '../model/resource.ts';
import type { Unstructured } from '../model/types.ts';
import { internalWrite } from '../model/write-request.ts';
import type { Objects } from '../storage/objects.ts';

/** The namespaces that the API server creates at start. */
export const systemNamespaces = ['default', 'kube-system', 'kube-public', 'kube-node-lease'];
/** The namespaces that cannot be deleted. */
export const undeletableNamespaces = ['default', 'kube-system', 'kube-public'];

/** Namespaces: phase, name label and the `kubernetes` finalizer of the spec. */
export const namespaceBehaviour: Behaviour = {
  nameRule: 'label',
  selectableFields: ['status.phase', 'name'],
  columns: [
    { name: 'Name', type: 'string', format: 'name', value: ({ metadata }) => metadata.name },
    { name: 'Status', type: 'string', value: ({ status }) => status?.phase },
    { name: 'Age', type: 'date', value: ({ metadata }) => metadata.creationTimestamp },
  ],
  prepare: (namespace, old) => {
    const { metadata } = namespace;
    metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
    // Only the finalize subresource may change spec.finalizers.
    namespace['spec'] = { ...namespace['spec'], finalizers: old?.['spec']?.finalizers ?? ['kubernetes'] };
    namespace['status'] = { ...namespace['status'], phase: metadata.deletionTimestamp ? 'Terminating' : 'Active' };
  },
};

/**
 * Gives every namespace its default service account and root certificate, and empties a namespace that is being
 * deleted before it lets it go.
 */
export class NamespaceController {
  readonly #objects: Objects;
  readonly #caPem: string;

  constructor(objects: Objects, caPem: string) {
    this.#objects = objects;
    this.#caPem = caPem;
    for (const [, namespace] of objects.store.entries('namespaces')) this.#observe(namespace);
    objects.store.subscribe(({ bucket, type, object }) => {
      if (bucket === 'namespaces') {
        if (type !== 'DELETED') this.#observe(object);
        return;
      }
      const { namespace } = object['metadata'];
      if (!namespace || type === 'ADDED') return;
      const parent = objects.store.get('namespaces', namespace);
      if (parent?.['metadata'].deletionTimestamp) this.#emptyLater(namespace);
      else if (type === 'DELETED' && parent && bucket === 'serviceaccounts') this.#furnish(namespace);
    });
  }

  #observe(namespace: Unstructured): void {
    const { name, deletionTimestamp } = namespace['metadata'];
    if (deletionTimestamp) this.#emptyLater(name);
    else this.#furnish(name);
  }

  /** In the same tick, so that a Pod can be created right after its namespace. */
  #furnish(namespace: string): void {
    const { registry, store } = this.#objects;
    const ensure = (plural: string, name: string, rest: Unstructured) => {
      const resource = registry.get('', 'v1', plural);
      if (!resource || store.get(plural, `${namespace}/${name}`)) return;
      this.#objects.create(resource, namespace, { metadata: { name }, ...rest }, internalWrite);
    };
    ensure('serviceaccounts', 'default', {});
    ensure('configmaps', 'kube-root-ca.crt', { data: { 'ca.crt': this.#caPem } });
  }

  #emptyLater(name: string): void {
    later(() => this.#empty(name));
  }

  #empty(name: string): void {
    const { store, registry } = this.#objects;
    const namespace = store.get('namespaces', name);
    if (!namespace?.['metadata'].deletionTimestamp) return;
    let left = 0;
    for (const bucket of store.buckets()) {
      const resource = registry.byBucket(bucket);
      if (!resource?.namespaced) continue;
      for (const [key, object] of store.entries(bucket)) {
        if (object['metadata'].namespace !== name) continue;
        if (!object['metadata'].deletionTimestamp)
          this.#objects.delete({ resource, namespace: name, name: object['metadata'].name }, { dryRun: false });
        if (store.get(bucket, key)) left += 1;
      }
    }
    if (left > 0) return;
    this.#objects.modify('namespaces', name, ({ spec }) => {
      spec.finalizers = spec.finalizers?.filter((one: string) => one !== 'kubernetes');
    });
  }
}
