import { definitionsType } from './core-types.ts';
import type { KubeClient, ResourceType } from './types.ts';

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
