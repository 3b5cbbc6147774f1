import { resourceOf, tryKindOf } from '../../api/kinds.ts';
import { definitionsType } from '../../kube/client/core-types.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';

/**
 * The name of a kind's definition while the API server deletes it together with every object of the kind; else
 * undefined. The API server marks the definition before it deletes the first object. This reads from the API server,
 * because a cache may lag behind. A definition that is younger than `before`, milliseconds since the epoch, is another
 * one than it was then.
 */
export async function removedDefinition(
  client: KubeClient,
  { plural, group }: ResourceType,
  signal: AbortSignal,
  before = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  const name = `${plural}.${group}`;
  const options = { fieldSelector: `metadata.name=${name}`, metadataOnly: true, signal };
  const { items } = await client.list(definitionsType, options);
  const found = items.find(({ metadata }) => metadata.name === name)?.metadata;
  const stays = found && found.deletionTimestamp === undefined && !(Date.parse(found.creationTimestamp ?? '') > before);
  return stays ? undefined : name;
}

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
