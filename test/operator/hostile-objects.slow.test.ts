/** What one namespace writes to slow the operator down, or to use up its memory. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { ScaledClock } from '../fakes/scaled-clock.ts';
import { condition, configMaps, gone, startWorld, types, until, untilReady, type World } from './support.ts';

const rule = resourceOf(kindOf('network.azure.com', 'NetworkSecurityGroupsSecurityRule'));
let world: World;

beforeAll(async () => {
  world = await startWorld({ kinds: 'network.azure.com/NetworkSecurityGroupsSecurityRule' });
  // Eight minutes of a run are four seconds.
  await world.startOperator({}, { clock: new ScaledClock(120) });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(() => world?.close());

test('an object whose service does not answer has the reason, and its run ends before liveness reports it', async () => {
  world.azure.faults.add({ service: 'arm', method: 'POST', path: '/listKeys', times: 0, connection: 'hang' });
  await world.apply(types.armResource, 'slow', {
    type: 'Microsoft.Storage/storageAccounts@2023-05-01',
    owner: { name: 'rg' },
    body: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
    operatorSpec: { secrets: [{ name: 'keys', key: 'key', action: 'listKeys', path: 'keys[0].value' }] },
  });
  const ready = await until('its condition has the reason', async () => {
    const found = condition(await world.get(types.armResource, 'slow'));
    return found?.message?.includes('did not end within 480 s') && found;
  });
  expect(ready).toMatchObject({ status: 'False', severity: 'Warning' });
});

test('an object that names more than a thousand others is refused, whatever exists of them, and can be deleted', async () => {
  const named = (count: number) => ({
    owner: { name: 'none' },
    access: 'Deny',
    direction: 'Inbound',
    priority: 100,
    protocol: 'Tcp',
    sourceApplicationSecurityGroups: Array.from({ length: count }, (_, index) => ({
      reference: { group: 'network.azure.com', kind: 'ApplicationSecurityGroup', name: `group-${index}` },
    })),
  });
  await world.apply(rule, 'many', named(1001));
  const refused = await untilReady(world, rule, 'many', 'ReconciliationFailedPermanently');
  expect(condition(refused)?.message).toContain('names 1002 objects, and one object may name 1000');
  await world.apply(rule, 'many', named(999));
  await untilReady(world, rule, 'many', 'WaitingForOwner');
  await world.apply(rule, 'many', named(1001));
  await untilReady(world, rule, 'many', 'ReconciliationFailedPermanently');
  await world.client.delete(rule, { namespace: 'default', name: 'many' });
  await gone(world, rule, 'many');
});

test.each(['constructor', '__proto__', 'toString'])('a key named %s that a ConfigMap lacks is missing', async (key) => {
  await world.client.apply(
    configMaps,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'config' }, data: { other: 'x' } },
    { fieldManager: 'test', force: true },
  );
  const name = `key-${key.replaceAll('_', '').toLowerCase()}`;
  await world.apply(types.roleAssignment, name, {
    owner: { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' },
    principalIdFromConfig: { name: 'config', key },
    roleDefinitionReference: { wellKnownName: 'Reader' },
  });
  const { message } = condition(await untilReady(world, types.roleAssignment, name, 'ConfigMapNotFound')) ?? {};
  expect(message).toContain(`ConfigMap config has no key ${key}; it has other`);
});
