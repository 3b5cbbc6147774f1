import { resourceOf, tryKindOf } from '../../api/kinds.ts';
import { removedDefinition } from '../../kube/client/removed-definition.ts';
import type { KubeClient, KubeObject } from '../../kube/client/types.ts';

/**
 * The name of the definition with which the controller of an object went, such as its ComputeDeployment; undefined for
 * an object without one, or whose controller somebody deleted. The garbage collector deletes the object later, perhaps
 * when the definition is back: one that is younger than the object is not the one that the controller had.
 */
export async function removedControllerDefinition(
  client: KubeClient,
  { metadata: { creationTimestamp = '', ownerReferences = [] } }: KubeObject,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { apiVersion = '', kind = '' } = ownerReferences.find(({ controller }) => controller) ?? {};
  const definition = tryKindOf(apiVersion.split('/')[0] ?? '', kind);
  return definition && removedDefinition(client, resourceOf(definition), signal, Date.parse(creationTimestamp));
}
