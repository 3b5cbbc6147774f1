import { computeDeployment } from '../../api/deployments/compute-deployment.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { isObject } from '../../base/json.ts';
import { atLocation } from '../../compute/deployments/substitute.ts';
import { isForbidden } from '../../kube/client/status-error.ts';
import type { KubeClient } from '../../kube/client/types.ts';
import type { ClusterKinds } from './cluster-kinds.ts';

/** ARM ids of ResourceGroups by `namespace/name`. */
export type GroupIds = ReadonlyMap<string, string>;

/** The ARM ids of the ResourceGroups in which ARM templates of ComputeDeployments are deployed, as far as they have one. */
export async function readGroupIds(
  client: KubeClient,
  kinds: ClusterKinds,
  documents: readonly unknown[],
  options: { readonly namespace: string; readonly signal?: AbortSignal },
): Promise<GroupIds> {
  const found = new Map<string, string>();
  const type = kinds.served('resources.azure.com', 'ResourceGroup');
  if (!type) return found;
  for (const { namespace, name } of documents.flatMap((each) => groupsOf(each, options.namespace))) {
    try {
      const object = await client.tryGet(type, { namespace, name }, options.signal);
      const id = object?.metadata.annotations?.[annotations.resourceId];
      if (id !== undefined) found.set(`${namespace}/${name}`, id);
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
  }
  return found;
}

function groupsOf(document: unknown, defaultNamespace: string) {
  if (!isObject(document) || document['kind'] !== computeDeployment.kind) return [];
  const { metadata, spec } = document;
  const { template, locations } = isObject(spec) ? spec : {};
  const arm = isObject(template) ? template['arm'] : undefined;
  const owner = isObject(arm) && isObject(arm['owner']) ? arm['owner']['name'] : undefined;
  if (typeof owner !== 'string' || !Array.isArray(locations)) return [];
  const given = isObject(metadata) ? metadata['namespace'] : undefined;
  const namespace = typeof given === 'string' ? given : defaultNamespace;
  const names = locations.flatMap((each: unknown) =>
    isObject(each) && typeof each['name'] === 'string' ? [atLocation(owner, each['name'])] : [],
  );
  return [...new Set(names)].map((name) => ({ namespace, name }));
}
