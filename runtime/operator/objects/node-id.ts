import { normalizeResourceId, parentId, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { KubeObject, ObjectKey } from '../../kube/client/types.ts';

/** Names an object in the dependency graph: `group/Kind namespace/name`. */
export function nodeId(group: string, kind: string, { namespace = '', name }: ObjectKey): string {
  return `${group === '' ? kind : `${kind}.${group}`} ${namespace}/${name}`;
}

/** The node of an object in the dependency graph. */
export function nodeOf(object: KubeObject): string {
  const group = object.apiVersion.includes('/') ? (object.apiVersion.split('/')[0] ?? '') : '';
  return nodeId(group, object.kind, object.metadata);
}

/** The namespace of the object with this node. Only nodes of objects have edges. */
export function namespaceOfNode(node: string): string {
  return node.slice(node.indexOf(' ') + 1, node.indexOf('/'));
}

/** The node of a resource in Azure, so that objects can wait for the end of an operation on it. */
export function armNode(resourceId: string): string {
  return `arm ${normalizeResourceId(resourceId)}`;
}

/** The node of the turn of an object, by its uid, to write where Azure takes one write at a time. */
export function turnNode(uid: string): string {
  return `turn ${uid}`;
}

/** The nodes of the resource and of its parent, which is busy during an operation on its child. */
export function armNodes(resourceId: string): string[] {
  const parent = tryParseResourceId(resourceId) && parentId(resourceId);
  return [armNode(resourceId), ...(parent === undefined ? [] : [armNode(parent)])];
}

/** The node of the gate of managed secrets in a subscription. */
export function featureNode(subscriptionId: string): string {
  return `feature ${subscriptionId}`.toLowerCase();
}

/** The node of the registration of a resource provider in a subscription. */
export function registrationNode(subscriptionId: string, provider: string): string {
  return `registration ${subscriptionId}/${provider}`.toLowerCase();
}
