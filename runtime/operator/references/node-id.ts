import { normalizeResourceId, parentId, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { KubeObject, ObjectKey } from '../../kube/client/types.ts';

/** Names an object in the dependency graph: `group/Kind namespace/name`. */
export function nodeId(group: string, kind: string, { namespace = '', name }: ObjectKey): string {
  return `${group === '' ? kind : `${kind}.${group}`} ${namespace}/${name}`;
}

export function nodeOf(object: KubeObject): string {
  const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
  return nodeId(group, object.kind, object.metadata);
}

/** What stands in the graph for a resource in Azure, so that objects can wait for an operation on it to end. */
export function armNode(resourceId: string): string {
  return `arm ${normalizeResourceId(resourceId)}`;
}

/** Those of the resource and of the one it lies in, which is busy along with it. */
export function armNodes(resourceId: string): string[] {
  const parent = tryParseResourceId(resourceId) && parentId(resourceId);
  return [armNode(resourceId), ...(parent === undefined ? [] : [armNode(parent)])];
}

/** What stands for the registration of a resource provider in a subscription. */
export function registrationNode(subscriptionId: string, provider: string): string {
  return `registration ${subscriptionId}/${provider}`.toLowerCase();
}
