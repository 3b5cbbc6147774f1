import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import {
  armRequests,
  gone,
  type RunningOperator,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from '../support.ts';

const subnet = resourceOf(kindOf('network.azure.com', 'VirtualNetworksSubnet'));
const numbers = [1, 2, 3, 4, 5, 6, 7, 8];

let world: World;
let operator: RunningOperator;

beforeAll(async () => {
  world = await startWorld({ kinds: 'network.azure.com/VirtualNetworksSubnet' });
  operator = await world.startOperator();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  const addressSpace = { addressPrefixes: ['10.0.0.0/8'] };
  await world.apply(types.network, 'net', { location: 'westeurope', owner: { name: 'rg' }, addressSpace });
  await untilReady(world, types.network, 'net');
});
afterAll(() => world?.close());

const path = /virtualNetworks\/net\/subnets\//;
const apply = (name: string, third: number) =>
  world.apply(subnet, name, { owner: { name: 'net' }, addressPrefix: `10.0.${third}.0/24` });

test('Azure refuses a second write to a network while an operation on one of its subnets is not over', async () => {
  const { id } = (await world.get(types.network, 'net'))['status'] as { id: string };
  const body = (third: number) => ({ properties: { addressPrefix: `10.1.${third}.0/24` } });
  // The first operation is not over when the second request comes, however slow the machine is.
  world.azure.settings.types['microsoft.network/virtualnetworks/subnets'] = { operationMs: 5000 };
  const [first, second] = await Promise.all([
    world.portal.arm('PUT', `${id}/subnets/x`, '2024-03-01', body(1)),
    world.portal.arm('PUT', `${id}/subnets/y`, '2024-03-01', body(2)),
  ]);
  expect([first.status, second.status].sort()).toEqual([201, 429]);
  delete world.azure.settings.types['microsoft.network/virtualnetworks/subnets'];
  const isOver = async (name: string) => {
    const { status, body: shown } = await world.portal.arm('GET', `${id}/subnets/${name}`, '2024-03-01');
    return status === 404 || shown.properties.provisioningState === 'Succeeded';
  };
  await until('the operation is over', async () => (await isOver('x')) && (await isOver('y')));
});

test('eight subnets of one network are made and deleted one after the other, without a refusal', async () => {
  const names = numbers.map((number) => `subnet-${number}`);
  await Promise.all(names.map((name, index) => apply(name, index)));
  for (const name of names) await untilReady(world, subnet, name);
  const statuses = () =>
    ['PUT', 'DELETE'].flatMap((method) => armRequests(world, method, path)).map(({ status }) => status);
  expect(armRequests(world, 'PUT', /subnets\/subnet-/).map(({ status }) => status)).toEqual(numbers.map(() => 201));
  await Promise.all(names.map((name) => world.client.delete(subnet, { namespace: 'default', name })));
  for (const name of names) await gone(world, subnet, name);
  const deletions = armRequests(world, 'DELETE', /subnets\/subnet-/).map(({ status }) => status);
  expect(deletions).toEqual(numbers.map(() => 202));
  expect(statuses().filter((status) => status === 429)).toHaveLength(1);
});

test('after a restart, a subnet waits for the write of another one that the operator before had begun', async () => {
  world.azure.settings.types['microsoft.network/virtualnetworks/subnets'] = { operationMs: 1500 };
  await apply('begun', 20);
  await until('the operation is in the journal', async () =>
    (await world.get(subnet, 'begun')).metadata.annotations?.[annotations.journal]?.includes('Polling'),
  );
  await operator.stop();
  await apply('after', 21);
  operator = await world.startOperator();
  await untilReady(world, subnet, 'begun');
  await untilReady(world, subnet, 'after');
  expect(armRequests(world, 'PUT', /subnets\/(begun|after)$/).map(({ status }) => status)).toEqual([201, 201]);
});
