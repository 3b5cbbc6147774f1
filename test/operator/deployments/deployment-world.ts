/** ComputeDeployments on the sandbox: an embedded cluster, an embedded Azure, and the operator. */
import { computeDeployment } from '../../../runtime/api/deployments/compute-deployment.ts';
import { computeRun } from '../../../runtime/api/deployments/compute-run.ts';
import { resourceOf } from '../../../runtime/api/kinds.ts';
import type { KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { ScaledClock } from '../../fakes/scaled-clock.ts';
import { condition, startWorld, types, until, type World } from '../support.ts';

export const deploymentType = resourceOf(computeDeployment);
export const runType = resourceOf(computeRun);

const version = (type: { group: string; version: string }) => `${type.group}/${type.version}`;

/** A ResourceGroup and a VirtualNetwork in it for each location. */
export const networkManifests = [
  {
    apiVersion: version(types.network),
    kind: 'VirtualNetwork',
    metadata: { name: 'net-${location}' },
    spec: {
      location: '${location}',
      owner: { name: 'rg-${location}' },
      addressSpace: { addressPrefixes: ['${prefix}'] },
    },
  },
  {
    apiVersion: version(types.group),
    kind: 'ResourceGroup',
    metadata: { name: 'rg-${location}' },
    spec: { location: '${location}', tags: { team: '${team}' } },
  },
];

/** The spec of a deployment of networks. */
export function networkSpec(locations: readonly string[], change: object = {}) {
  return {
    parameters: { team: 'shop' },
    locations: locations.map((name, index) => ({ name, parameters: { prefix: `10.${index}.0.0/16` } })),
    template: { manifests: networkManifests },
    ...change,
  };
}

/** @param clock @default ten times as fast as the machine's */
export function startDeploymentWorld(clock = new ScaledClock(10)): Promise<World> {
  return startWorld({ deployments: true, clock });
}

/** The runs of a deployment, oldest first, without those of single locations. */
export async function runsOf(
  { client }: Pick<World, 'client'>,
  deployment: string,
  namespace = 'default',
): Promise<KubeObject[]> {
  const { items } = await client.list(runType, { namespace });
  return items
    .filter(({ spec }) => spec.deployment === deployment && spec.location === undefined)
    .sort((a, b) => (a['status']?.number ?? 99) - (b['status']?.number ?? 99));
}

/** Waits until the newest run of a deployment is in this state, and returns it. */
export async function runIn(world: World, deployment: string, state: string, least = 1): Promise<KubeObject> {
  return await until(`run ${least} of ${deployment} ${state}`, async () => {
    const runs = await runsOf(world, deployment);
    const run = runs.at(-1);
    return runs.length >= least && run?.['status']?.state === state ? run : undefined;
  });
}

/** The Ready condition of a deployment. */
export async function readyOf(world: World, deployment: string) {
  return condition(await world.client.tryGet(deploymentType, { namespace: 'default', name: deployment }));
}

/** The names of all objects of a kind in a namespace. */
export async function namesOf(
  { client }: Pick<World, 'client'>,
  type: ResourceType,
  namespace = 'default',
): Promise<string[]> {
  const { items } = await client.list(type, { namespace });
  return items.map(({ metadata }) => metadata.name).sort();
}
