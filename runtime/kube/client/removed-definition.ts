import { AzimuthError } from '../../base/errors.ts';
import { definitionsType } from './core-types.ts';
import { expectDiscovery } from './expected.ts';
import { isForbidden, isNotFound } from './status-error.ts';
import type { KubeClient, ResourceType } from './types.ts';

/**
 * The name of a kind's definition while the API server deletes it together with every object of the kind; else
 * undefined. The API server marks the definition before it deletes the first object. This reads from the API server,
 * because a cache may lag behind. A definition that is younger than `before`, milliseconds since the epoch, is another
 * one than it was then. Throws AZ_KUBE_ANSWER where the API server does not list the definition of a kind that it serves.
 */
export async function removedDefinition(
  client: KubeClient,
  type: ResourceType,
  signal: AbortSignal,
  before = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  const name = `${type.plural}.${type.group}`;
  const options = { fieldSelector: `metadata.name=${name}`, metadataOnly: true, signal };
  const { items } = await client.list(definitionsType, options);
  const listed = items.find(({ metadata }) => metadata.name === name)?.metadata;
  if (!listed) {
    if (!(await isServed(client, type, signal))) return name;
    const text = `list ${definitionsType.plural}: the definition ${name} is missing, but the API server serves its kind`;
    throw new AzimuthError('AZ_KUBE_ANSWER', text);
  }
  const stays = listed.deletionTimestamp === undefined && !(Date.parse(listed.creationTimestamp ?? '') > before);
  return stays ? undefined : name;
}

/** Whether discovery has the type; without the right to read discovery nothing has. */
async function isServed(
  client: KubeClient,
  { group, version, plural }: ResourceType,
  signal: AbortSignal,
): Promise<boolean> {
  const path = `/apis/${group}/${version}`;
  try {
    const resources = expectDiscovery(path, 'APIResourceList', await client.raw<unknown>(path, signal));
    return resources.some(({ name }) => name === plural);
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return false;
    throw error;
  }
}
