/** What becomes of objects that left the template, by spec.actionOnUnmanage. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { canonicalJson } from '../../../runtime/base/json.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { armRequests, core, type types as Types, types, until, untilReady, type World } from '../support.ts';
import {
  deploymentType,
  namesOf,
  networkManifests,
  networkSpec,
  runIn,
  runsOf,
  startDeploymentWorld,
} from './deployment-world.ts';

let world: World;

beforeAll(async () => {
  world = await startDeploymentWorld();
  await world.startOperator();
});
afterAll(async () => world.close());

const only = (location: string, actionOnUnmanage: object) =>
  networkSpec([location], { actionOnUnmanage, template: { manifests: [groupAnd('extra')] } });
const groupAnd = (name: string) => ({ ...networkManifests[1], metadata: { name: `${name}-\${location}` } });
const live = async (id: string) => (await world.portal.arm('GET', id, '2021-04-01')).status;
const idOf = async (type: (typeof Types)['group'], name: string) =>
  (await world.get(type, name))['status'].id as string;

test('resources are detached, and groups too, where the settings detach', async () => {
  await world.apply(deploymentType, 'detach', networkSpec(['westeurope']));
  await runIn(world, 'detach', 'Succeeded');
  const ids = [await idOf(types.network, 'net-westeurope'), await idOf(types.group, 'rg-westeurope')];
  await world.apply(deploymentType, 'detach', only('westeurope', { resources: 'detach' }));
  await runIn(world, 'detach', 'Succeeded', 2);
  expect(await namesOf(world, types.network)).not.toContain('net-westeurope');
  expect(await namesOf(world, types.group)).not.toContain('rg-westeurope');
  for (const id of ids) expect(await live(id)).toBe(200);
  expect(armRequests(world, 'DELETE', /westeurope/)).toEqual([]);
});

test('a group stays in Azure unless the settings name groups, also when the deployment is deleted', async () => {
  const start = armRequests(world, 'DELETE', /northeurope/).length;
  await world.apply(
    deploymentType,
    'keep',
    networkSpec(['northeurope'], { actionOnUnmanage: { resources: 'delete' } }),
  );
  await runIn(world, 'keep', 'Succeeded');
  const [network, group] = [await idOf(types.network, 'net-northeurope'), await idOf(types.group, 'rg-northeurope')];
  await world.client.delete(deploymentType, { namespace: 'default', name: 'keep' });
  const key = { namespace: 'default', name: 'keep' };
  await until('it is gone', async () => !(await world.client.tryGet(deploymentType, key)));
  expect(await live(network)).toBe(404);
  expect(await live(group)).toBe(200);
  expect(armRequests(world, 'DELETE', /northeurope/).slice(start)).toHaveLength(1);
});

test('a foreground deletion of the deployment detaches as the finalizer does', async () => {
  await world.apply(deploymentType, 'fore', networkSpec(['eastus'], { actionOnUnmanage: { resources: 'detach' } }));
  await runIn(world, 'fore', 'Succeeded');
  const ids = [await idOf(types.network, 'net-eastus'), await idOf(types.group, 'rg-eastus')];
  const key = { namespace: 'default', name: 'fore' };
  await world.client.delete(deploymentType, key, { propagationPolicy: 'Foreground' });
  await until('it is gone', async () => !(await world.client.tryGet(deploymentType, key)));
  await until('its objects are gone', async () => !(await namesOf(world, types.group)).includes('rg-eastus'));
  for (const id of ids) expect(await live(id)).toBe(200);
  expect(armRequests(world, 'DELETE', /eastus/)).toEqual([]);
});

test('a tenant does not delete the group of another object by a deployment that names it', async () => {
  const victim = { ...core('namespaces', 'Namespace'), namespaced: false };
  await world.client.create(victim, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'victim' } });
  await world.client.create(types.group, {
    apiVersion: `${types.group.group}/${types.group.version}`,
    kind: 'ResourceGroup',
    metadata: { namespace: 'victim', name: 'shared' },
    spec: { location: 'uksouth', azureName: 'shared-uksouth' },
  } as KubeObject);
  const id = await until('the group has an id', async () => {
    const found = await world.client.get(types.group, { namespace: 'victim', name: 'shared' });
    return found['status']?.conditions?.[0]?.status === 'True' && (found['status'].id as string);
  });
  const named = { ...networkManifests[1], spec: { location: '${location}', azureName: 'shared-${location}' } };
  const actionOnUnmanage = { resources: 'delete', resourceGroups: 'delete' };
  const spec = (manifests: readonly object[]) =>
    networkSpec(['uksouth'], { actionOnUnmanage, template: { manifests } });
  await world.apply(deploymentType, 'thief', spec([named]));
  await until('the object says that another has the group', async () => {
    const found = await world.client.tryGet(types.group, { namespace: 'default', name: 'rg-uksouth' });
    return JSON.stringify(found?.['status'] ?? '').includes('An object of another namespace already manages');
  });
  await world.apply(deploymentType, 'thief', spec([groupAnd('own')]));
  await until('the object is gone', async () => !(await namesOf(world, types.group)).includes('rg-uksouth'));
  await untilReady(world, types.group, 'own-uksouth');
  expect(await live(id)).toBe(200);
  expect(armRequests(world, 'DELETE', /shared-uksouth/)).toEqual([]);
});

test('deny settings, and a group that would take kept resources along, are refused by name', async () => {
  const denySettings = { mode: 'denyWriteAndDelete', excludedPrincipals: ['x'] };
  const actionOnUnmanage = { resources: 'detach', resourceGroups: 'delete' };
  const refused = world.apply(deploymentType, 'deny', networkSpec(['westus'], { denySettings, actionOnUnmanage }));
  await expect(refused).rejects.toThrow('spec.denySettings: Invalid value: deny settings are not supported');
  await expect(refused).rejects.toThrow('resourceGroups: delete takes all resources of a group along');
});

test('a run has the hash of the template that it ran', async () => {
  const [, second] = await runsOf(world, 'detach');
  const hash = createHash('sha256')
    .update(canonicalJson([groupAnd('extra')]))
    .digest('hex');
  expect(second?.['status'].templateHash).toBe(hash);
});
