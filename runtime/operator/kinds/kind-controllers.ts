import type { Graph } from '../../engine/index.ts';
import type { KubeObject, ObjectKey } from '../../kube/client/types.ts';
import type { Controller } from '../../kube/controller/controller.ts';
import { isReadyAsIs } from '../objects/conditions.ts';
import type { KindCaches } from '../objects/kind-caches.ts';
import type { Dependents } from '../predicates.ts';

/** The controllers of the kinds, each of which gets objects of its kind. A kind may come while the operator runs. */
export class KindControllers {
  readonly #graph: Graph;
  readonly #caches: KindCaches;
  readonly #byKind = new Map<string, Controller>();

  constructor(graph: Graph, caches: KindCaches) {
    this.#graph = graph;
    this.#caches = caches;
  }

  add({ group, kind }: { readonly group: string; readonly kind: string }, controller: Controller): void {
    this.#byKind.set(`${kind}.${group}`, controller);
  }

  /** Enqueues an object, unless its kind has no controller. */
  enqueue(group: string, kind: string, key: ObjectKey): void {
    this.#byKind.get(`${kind}.${group}`)?.enqueue(key);
  }

  /** Enqueues the objects that have an edge to this node of the graph. */
  enqueueDependents(node: string, which: Dependents = 'all'): void {
    for (const dependent of this.#graph.dependents(node)) {
      const [type = '', path = ''] = dependent.split(' ');
      const [namespace = '', name = ''] = path.split('/');
      const dot = type.indexOf('.');
      const [kind, group] = [type.slice(0, dot), type.slice(dot + 1)];
      const object = which === 'unready' ? this.#caches.get(group, kind, { namespace, name }) : undefined;
      if (!object || !isReadyAsIs(object)) this.enqueue(group, kind, { namespace, name });
    }
  }

  /** Enqueues the owners of an object. */
  enqueueOwners({ metadata: { namespace = '', ownerReferences = [] } }: KubeObject): void {
    for (const { apiVersion, kind, name } of ownerReferences) {
      this.enqueue(apiVersion.split('/')[0] ?? '', kind, { namespace, name });
    }
  }
}
