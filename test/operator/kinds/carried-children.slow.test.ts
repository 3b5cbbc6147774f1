import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { armRequests, events, startWorldWithGroup, types, until, untilReady, type World } from '../support.ts';

const { network } = types;
const scaleSet = resourceOf(kindOf('compute.azure.com', 'VirtualMachineScaleSet'));
const extension = resourceOf(kindOf('compute.azure.com', 'VirtualMachineScaleSetsExtension'));

let world: World;

beforeAll(async () => {
  world = await startWorldWithGroup({ kinds: 'compute.azure.com/VirtualMachineScaleSet*' });
});
afterAll(() => world?.close());

const networkSpec = (goal: string) => ({
  location: 'westeurope',
  owner: { name: 'rg' },
  addressSpace: { addressPrefixes: ['10.0.0.0/8'] },
  tags: { goal },
});

/** Holds the next PUT of the path up on its way; `reached` resolves once it is there, so after its GET. */
function holdUp(path: string, delayMs: number): { reached(): Promise<unknown> } {
  const id = world.azure.faults.add({ service: 'arm', method: 'PUT', path, times: 1, delayMs });
  const hit = async () => world.azure.faults.list().some((fault) => fault.id === id && fault.hits > 0);
  return { reached: () => until(`a PUT of ${path}`, hit) };
}

test('a subnet that another client writes between the GET and the PUT of its network stays', async () => {
  await world.apply(network, 'net', networkSpec('one'));
  const { id } = (await untilReady(world, network, 'net'))['status'] as { id: string };
  const put = holdUp('virtualNetworks/net\\?', 3000);
  await world.apply(network, 'net', networkSpec('two'));
  await put.reached();
  const subnet = { properties: { addressPrefix: '10.1.0.0/16' } };
  expect((await world.portal.arm('PUT', `${id}/subnets/theirs`, '2024-03-01', subnet)).status).toBe(201);
  await untilReady(world, network, 'net');
  expect((await world.portal.arm('GET', `${id}/subnets/theirs`, '2024-03-01')).status).toBe(200);
  const { status, body } = await world.portal.arm('GET', id, '2024-03-01');
  expect({ status, tags: body.tags }).toEqual({ status: 200, tags: { goal: 'two' } });
  const puts = armRequests(world, 'PUT', /virtualNetworks\/net$/).map((entry) => entry.status);
  expect(puts).toEqual([201, 412, 200]);
  const written = (await world.client.list<KubeObject>(events, { limit: 0 })).items;
  expect(written.filter((event) => (event['regarding'] as { name: string }).name === 'net')).not.toContainEqual(
    expect.objectContaining({ type: 'Warning' }),
  );
});

test('a network is not sent when the read of its subnets is answered with something else, and they stay', async () => {
  await world.apply(network, 'proxied', networkSpec('one'));
  const { id } = (await untilReady(world, network, 'proxied'))['status'] as { id: string };
  const subnet = { properties: { addressPrefix: '10.1.0.0/16' } };
  expect((await world.portal.arm('PUT', `${id}/subnets/theirs`, '2024-03-01', subnet)).status).toBe(201);
  // The first GET compares the network, and the second one is for the members that the PUT carries.
  const path = 'virtualNetworks/proxied\\?';
  const fault = world.azure.faults.add({ service: 'arm', method: 'GET', path, skip: 1, status: 200, body: {} });
  await world.apply(network, 'proxied', networkSpec('two'));
  await until('the other answer', async () => world.azure.faults.list().some(({ id, hits }) => id === fault && hits));
  await untilReady(world, network, 'proxied');
  const { body } = await world.portal.arm('GET', id, '2024-03-01');
  expect(body.tags).toEqual({ goal: 'two' });
  expect((await world.portal.arm('GET', `${id}/subnets/theirs`, '2024-03-01')).status).toBe(200);
});

/** Nobody brings the extensions of these sets to the instances. */
const ofModel = { annotations: { 'azimuth.dev/instances': 'ignore' } };

test('a scale set, which has no ETag, takes turns with its extensions', async () => {
  const spec = (goal: string) => ({
    location: 'westeurope',
    owner: { name: 'rg' },
    sku: { name: 'Standard_D2s_v3', tier: 'Standard', capacity: 1 },
    tags: { goal },
  });
  await world.apply(scaleSet, 'set', spec('one'), ofModel);
  const { id } = (await untilReady(world, scaleSet, 'set'))['status'] as { id: string };
  const put = holdUp('virtualMachineScaleSets/set\\?', 3000);
  await world.apply(scaleSet, 'set', spec('two'), ofModel);
  await put.reached();
  await world.apply(extension, 'part', {
    owner: { name: 'set' },
    publisher: 'P',
    type: 'T',
    typeHandlerVersion: '1.0',
  });
  await untilReady(world, extension, 'part');
  await untilReady(world, scaleSet, 'set');
  expect((await world.portal.arm('GET', `${id}/extensions/part`, '2022-03-01')).status).toBe(200);
  const puts = armRequests(world, 'PUT', /virtualMachineScaleSets\/set(\/|$)/).map(({ path }) =>
    path.split('/').at(-1),
  );
  expect(puts).toEqual(['set', 'set', 'part']);
});

test('what a child adds to the list of its parent is no difference there: nothing is sent, and its own items still count', async () => {
  const own = { name: 'own', properties: { publisher: 'P', type: 'O', typeHandlerVersion: '1.0' } };
  await world.apply(
    scaleSet,
    'kept',
    {
      location: 'westeurope',
      owner: { name: 'rg' },
      sku: { name: 'Standard_D2s_v3', tier: 'Standard', capacity: 1 },
      virtualMachineProfile: { extensionProfile: { extensions: [own] } },
    },
    ofModel,
  );
  const { id } = (await untilReady(world, scaleSet, 'kept'))['status'] as { id: string };
  const child = (typeHandlerVersion: string) => ({
    owner: { name: 'kept' },
    publisher: 'P',
    type: 'T',
    typeHandlerVersion,
  });
  const puts = () => armRequests(world, 'PUT', /virtualMachineScaleSets\/kept$/).length;
  /** A pass over the scale set, by a word that asks for one. */
  const lookAgain = async (word: string) => {
    const reads = armRequests(world, 'GET', /virtualMachineScaleSets\/kept$/).length;
    const body = { metadata: { annotations: { 'azimuth.dev/retry': word } } };
    await world.client.patch(scaleSet, { namespace: 'default', name: 'kept' }, { type: 'merge', body });
    await until('it is read', async () => armRequests(world, 'GET', /virtualMachineScaleSets\/kept$/).length > reads);
    await untilReady(world, scaleSet, 'kept');
  };
  for (const version of ['1.0', '2.0']) {
    await world.apply(extension, 'added', child(version));
    await untilReady(world, extension, 'added');
    await lookAgain(version);
    expect(puts()).toBe(1);
  }
  const shown = await world.portal.arm('GET', id, '2022-03-01');
  const profile = shown.body as unknown as {
    properties: { virtualMachineProfile: { extensionProfile: { extensions: { name: string }[] } } };
  };
  const { extensions } = profile.properties.virtualMachineProfile.extensionProfile;
  expect(extensions.map(({ name }) => name).sort()).toEqual(['added', 'own']);
});
