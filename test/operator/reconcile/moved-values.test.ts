import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import { armRequests, startWorldWithGroup, until, untilReady, type World } from '../support.ts';

const cluster = resourceOf(kindOf('containerservice.azure.com', 'ManagedCluster'));
const spec = {
  location: 'westeurope',
  owner: { name: 'rg' },
  dnsPrefix: 'aks',
  kubernetesVersion: '1.29.2',
  autoUpgradeProfile: { upgradeChannel: 'patch' },
  agentPoolProfiles: [
    {
      name: 'one',
      mode: 'System',
      vmSize: 'Standard_D2s_v3',
      count: 2,
      enableAutoScaling: true,
      minCount: 1,
      maxCount: 5,
    },
  ],
};

let world: World;

beforeAll(async () => {
  world = await startWorldWithGroup({ kinds: 'containerservice.azure.com/ManagedCluster' });
});
afterAll(() => world?.close());

test('a cluster that Azure upgraded and scaled is no drift, and its next change does not send the earlier values', async () => {
  await world.apply(cluster, 'aks', spec);
  const { id } = (await untilReady(world, cluster, 'aks'))['status'] as { id: string };
  const { body: shown } = await world.portal.arm('GET', id, '2025-05-01');
  const [pool] = shown.properties.agentPoolProfiles;
  const moved = {
    location: 'westeurope',
    properties: { ...shown.properties, kubernetesVersion: '1.29.7', agentPoolProfiles: [{ ...pool, count: 4 }] },
  };
  expect((await world.portal.arm('PUT', id, '2025-05-01', moved)).status).toBe(200);
  const puts = () => armRequests(world, 'PUT', /managedClusters\/aks$/).length;
  await until('the operation is over', async () => {
    const { body } = await world.portal.arm('GET', id, '2025-05-01');
    return body.properties.provisioningState === 'Succeeded';
  });
  const before = puts();
  const reads = () => armRequests(world, 'GET', /managedClusters\/aks$/).length;
  const readBefore = reads();
  await world.apply(cluster, 'aks', spec, { annotations: { [annotations.retry]: 'now' } });
  await until('a read', async () => reads() > readBefore);
  await untilReady(world, cluster, 'aks');
  expect(puts()).toBe(before);
  await world.apply(cluster, 'aks', { ...spec, tags: { goal: 'two' } });
  await until('a PUT', async () => puts() > before);
  await untilReady(world, cluster, 'aks');
  const { body } = await world.portal.arm('GET', id, '2025-05-01');
  expect(puts()).toBe(before + 1);
  expect(body.tags).toEqual({ goal: 'two' });
  expect(body.properties.kubernetesVersion).toBe('1.29.7');
  expect(body.properties.agentPoolProfiles[0].count).toBe(4);
});
