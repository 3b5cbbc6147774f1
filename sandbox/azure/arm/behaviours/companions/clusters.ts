import { isObject } from '../../../../../runtime/base/json.ts';
import { at, type Json, objectOf, stringOf } from '../../../json.ts';
import type { BehaviourContext, BehaviourRow } from '../../behaviour.ts';
import type { StoredResource } from '../../resources/stored-resources.ts';
import { makeCompanion } from './make-companion.ts';

const clusterType = 'Microsoft.ContainerService/managedClusters';
const member = 'agentPoolProfiles';

const profilesOf = ({ body }: StoredResource): Json[] => {
  const profiles = at(body, `properties.${member}`);
  return Array.isArray(profiles) ? profiles.filter(isObject) : [];
};

/** Each pool of a cluster is a child of its own, whichever of the two the request wrote. */
function poolsWritten(cluster: StoredResource, context: BehaviourContext): void {
  for (const { name, ...properties } of profilesOf(cluster)) {
    const id = `${cluster.id}/agentPools/${stringOf(name)}`;
    const pool = context.state.resources.get(id);
    if (pool) pool.body = { ...pool.body, properties: { ...objectOf(pool.body['properties']), ...properties } };
    else makeCompanion(id, { properties: { ...properties, provisioningState: 'Succeeded' } }, context);
  }
}

/** The pools of a cluster in its own body: as they are now, those of the request first. */
function withPools(cluster: StoredResource, { state }: BehaviourContext): Json {
  const profiles = profilesOf(cluster);
  const prefix = `${cluster.id.toLowerCase()}/`;
  const pools = state.resources
    .ofType(`${clusterType}/agentPools`)
    .filter(({ id }) => id.toLowerCase().startsWith(prefix));
  const isOf = (pool: StoredResource) => (profile: Json) =>
    stringOf(profile['name']).toLowerCase() === pool.name.toLowerCase();
  const others = pools.filter((pool) => !profiles.some(isOf(pool)));
  const now = profiles.map((profile) => ({
    ...profile,
    ...objectOf(pools.find((pool) => isOf(pool)(profile))?.body['properties']),
  }));
  if (others.length === 0 && profiles.length === 0) return cluster.body;
  const added = others.map(({ name, body }) => ({ name, ...objectOf(body['properties']) }));
  return { ...cluster.body, properties: { ...objectOf(cluster.body['properties']), [member]: [...now, ...added] } };
}

/** Microsoft.ContainerService: the pools of a cluster. */
export const clusterBehaviours: readonly BehaviourRow[] = [
  { type: clusterType, written: poolsWritten, view: withPools },
];
