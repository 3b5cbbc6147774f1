import type { KubeObject, ObjectKey } from '../kube/types.ts';

/** Names an object in the dependency graph: `group/Kind namespace/name`. */
export function nodeId(group: string, kind: string, { namespace = '', name }: ObjectKey): string {
  return `${group === '' ? kind : `${kind}.${group}`} ${namespace}/${name}`;
}

export function nodeOf(object: KubeObject): string {
  const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
  return nodeId(group, object.kind, object.metadata);
}
