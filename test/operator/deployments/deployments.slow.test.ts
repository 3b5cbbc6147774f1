import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { computeDeployment } from '../../../runtime/api/deployments/compute-deployment.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { customResourceDefinitions } from '../../conformance/resources.ts';
import { events, types, until, type World } from '../support.ts';
import {
  deploymentType,
  namesOf,
  networkManifests,
  networkSpec,
  readyOf,
  runIn,
  runsOf,
  runType,
  startDeploymentWorld,
} from './deployment-world.ts';

let world: World;

beforeAll(async () => {
  world = await startDeploymentWorld();
  await world.startOperator();
});
afterAll(async () => world.close());

test('a deployment makes its objects in each location, and the status of its run shows the progress', async () => {
  await world.apply(deploymentType, 'two', networkSpec(['westeurope', 'northeurope']));
  const run = await runIn(world, 'two', 'Succeeded');
  expect(run.metadata.name).toBe('two-1');
  expect(run['status']).toMatchObject({
    number: 1,
    reason: 'GoalChanged',
    percent: 100,
    operationId: run.metadata.uid,
    locations: [
      { location: 'westeurope', state: 'Succeeded', percent: 100, wave: 1, run: 'two-1-westeurope' },
      { location: 'northeurope', state: 'Succeeded', percent: 100, wave: 1, run: 'two-1-northeurope' },
    ],
  });
  const location = await world.get(runType, 'two-1-westeurope');
  expect(location['status'].blocks).toMatchObject([
    { resource: 'ResourceGroup.resources.azure.com/rg-westeurope', pipeline: 'other', state: 'Succeeded' },
    { resource: 'VirtualNetwork.network.azure.com/net-westeurope', pipeline: 'network', state: 'Succeeded' },
  ]);
  const network = await world.get(types.network, 'net-northeurope');
  expect(network['spec'].addressSpace.addressPrefixes).toEqual(['10.1.0.0/16']);
  expect(network.metadata.labels).toMatchObject({
    'azimuth.dev/deployment': 'two',
    'azimuth.dev/location': 'northeurope',
  });
  expect(await readyOf(world, 'two')).toMatchObject({ status: 'True' });
  expect((await world.get(deploymentType, 'two'))['status']).toMatchObject({ locations: '2/2', succeededRun: 'two-1' });
});

test('a new goal makes a new run that changes what is different and deletes what is gone, users of it first', async () => {
  await world.apply(deploymentType, 'change', networkSpec(['francecentral', 'uksouth']));
  await runIn(world, 'change', 'Succeeded');
  const before = await world.get(types.group, 'rg-francecentral');
  await world.apply(deploymentType, 'change', networkSpec(['francecentral'], { parameters: { team: 'other' } }));
  const run = await runIn(world, 'change', 'Succeeded', 2);
  expect(run['status'].reason).toBe('GoalChanged');
  const after = await world.get(types.group, 'rg-francecentral');
  expect(after.metadata.uid).toBe(before.metadata.uid);
  expect(after['spec'].tags).toEqual({ team: 'other' });
  expect(await namesOf(world, types.network)).not.toContain('net-uksouth');
  expect(await namesOf(world, types.group)).not.toContain('rg-uksouth');
  const deletes = world.azure.journal.entries({ method: 'DELETE', path: 'uksouth' });
  expect(deletes.map(({ path }) => path.split('/').at(-1))).toEqual(['net-uksouth', 'rg-uksouth']);
});

test('an object that somebody changes or deletes is brought back without a new run', async () => {
  await world.apply(deploymentType, 'drift', networkSpec(['swedencentral']));
  await runIn(world, 'drift', 'Succeeded');
  const body = { spec: { tags: { team: 'intruder' } } };
  await world.client.patch(types.group, { namespace: 'default', name: 'rg-swedencentral' }, { type: 'merge', body });
  await until(
    'the tag is back',
    async () => (await world.get(types.group, 'rg-swedencentral'))['spec'].tags.team === 'shop',
  );
  const { metadata } = await world.get(types.network, 'net-swedencentral');
  await world.client.delete(types.network, { namespace: 'default', name: 'net-swedencentral' });
  await until('the network is back', async () => {
    const found = await world.client.tryGet(types.network, { namespace: 'default', name: 'net-swedencentral' });
    return found !== undefined && found.metadata.uid !== metadata.uid;
  });
  expect(await runsOf(world, 'drift')).toHaveLength(1);
});

test('a template with problems makes no run, and the condition names all of them', async () => {
  const manifests = [
    { ...networkManifests[0], metadata: { name: 'net' } },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, data: {} },
    { ...networkManifests[1], metadata: { name: 'rg-${location}', namespace: 'kube-system' } },
    { ...networkManifests[1], metadata: { name: 'x-${missing}' } },
  ];
  await world.apply(deploymentType, 'wrong', networkSpec(['westus'], { template: { manifests } }));
  const found = await until('the condition', async () => readyOf(world, 'wrong'));
  expect(found).toMatchObject({ status: 'False', severity: 'Error', reason: 'TemplateInvalid' });
  expect(found?.message).toContain('template.manifests[3].metadata.name: The parameter "missing" has no value');
  await world.apply(
    deploymentType,
    'wrong',
    networkSpec(['westus', 'eastus'], { template: { manifests: manifests.slice(0, 3) } }),
  );
  const next = await until('the next condition', async () => {
    const ready = await readyOf(world, 'wrong');
    return ready?.message?.includes('Secret') ? ready : undefined;
  });
  expect(next.message).toContain('template.manifests[1].kind: "Secret" of "v1" is no kind of the operator');
  expect(next.message).toContain(
    'template.manifests[2].metadata.namespace: A deployment makes objects in its own namespace only',
  );
  expect(await runsOf(world, 'wrong')).toEqual([]);
});

test('an object of somebody else is not taken over', async () => {
  await world.apply(types.group, 'rg-japaneast', { location: 'japaneast' });
  await world.apply(deploymentType, 'foreign', networkSpec(['japaneast']));
  const run = await runIn(world, 'foreign', 'Failed');
  expect(run['status'].message).toContain('rg-japaneast exists and is not of this deployment');
  expect((await world.get(types.group, 'rg-japaneast'))['spec']).toEqual({ location: 'japaneast' });
  expect(await namesOf(world, types.network)).not.toContain('net-japaneast');
});

test('a deployment that is deleted deletes its objects first, those that use others before them', async () => {
  await world.apply(deploymentType, 'gone', networkSpec(['koreacentral']));
  await runIn(world, 'gone', 'Succeeded');
  await world.client.delete(deploymentType, { namespace: 'default', name: 'gone' });
  await until(
    'it is gone',
    async () => !(await world.client.tryGet(deploymentType, { namespace: 'default', name: 'gone' })),
  );
  expect(await namesOf(world, types.network)).not.toContain('net-koreacentral');
  const deletes = world.azure.journal.entries({ method: 'DELETE', path: 'koreacentral' });
  expect(deletes.map(({ path }) => path.split('/').at(-1))).toEqual(['net-koreacentral', 'rg-koreacentral']);
  await until('its runs are gone', async () => (await runsOf(world, 'gone')).length === 0);
});

test('the definition of deployments that is removed and comes back takes deployments and objects along, and deletes nothing in Azure', async () => {
  await world.apply(deploymentType, 'kept', networkSpec(['norwayeast']));
  await runIn(world, 'kept', 'Succeeded');
  const { metadata } = await world.get(types.group, 'rg-norwayeast');
  const name = `${deploymentType.plural}.${deploymentType.group}`;
  await world.client.delete(customResourceDefinitions, { name });
  await until('it is gone', async () => !(await world.client.tryGet(customResourceDefinitions, { name })));
  expect(world.azure.journal.entries({ method: 'DELETE', path: 'norwayeast' })).toEqual([]);
  const second = (time: number) => Math.floor(time / 1000);
  const made = second(Date.parse(metadata.creationTimestamp ?? ''));
  await until('the definition is younger than the objects', async () => second(Date.now()) > made);
  await world.client.create(customResourceDefinitions, crdManifest(computeDeployment) as unknown as KubeObject);
  await until('its objects are gone', async () => !(await namesOf(world, types.group)).includes('rg-norwayeast'));
  expect(world.azure.journal.entries({ method: 'DELETE', path: 'norwayeast' })).toEqual([]);
  await until('both kinds are noted', async () => {
    const { items } = await world.client.list(events);
    const noted = items.filter(({ reason }) => reason === 'NotPossibleInAzure').map((event) => event['regarding'].kind);
    return noted.includes('ComputeDeployment') && noted.includes('ResourceGroup');
  });
});
