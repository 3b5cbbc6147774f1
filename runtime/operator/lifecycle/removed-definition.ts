import { definitionsType } from '../../kube/client/core-types.ts';
import type { KubeClient, ResourceType } from '../../kube/client/types.ts';

/**
 * The name of a kind's definition while the API server deletes it together with every object of the kind; else
 * undefined. The API server marks the definition before it deletes the first object. This reads from the API server,
 * because a cache may lag behind.
 */
export async function removedDefinition(
  client: KubeClient,
  { plural, group }: ResourceType,
  signal: AbortSignal,
): Promise<string | undefined> {
  const name = `${plural}.${group}`;
  const options = { fieldSelector: `metadata.name=${name}`, metadataOnly: true, signal };
  const { items } = await client.list(definitionsType, options);
  const stays = items.some(({ metadata }) => metadata.name === name && metadata.deletionTimestamp === undefined);
  return stays ? undefined : name;
}
