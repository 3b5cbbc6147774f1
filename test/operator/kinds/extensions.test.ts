import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidNamed } from '../../../runtime/arm-kinds/extensions/uuid-named.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { ScaledClock } from '../../fakes/scaled-clock.ts';
import { armRequests, condition, gone, startWorld, types, until, untilReady, type World } from '../support.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld({ clock: new ScaledClock(10) });
  await world.startOperator({}, { settleMs: 1000 });
  for (const name of ['rg', 'other']) {
    await world.apply(types.group, name, { location: 'westeurope' });
    await untilReady(world, types.group, name);
  }
});
afterAll(() => world?.close());

const vault = (createMode: string, owner = 'rg') => ({
  location: 'westeurope',
  owner: { name: owner },
  properties: {
    tenantId: world.azure.tenantId,
    sku: { family: 'A', name: 'standard' },
    enableRbacAuthorization: true,
    createMode,
  },
});
const deletedVault = (name: string) =>
  world.portal.arm(
    'GET',
    `/subscriptions/${world.azure.subscriptionId}/providers/Microsoft.KeyVault/locations/westeurope/deletedVaults/${name}`,
    '2023-07-01',
  );
async function createAndDelete(name: string) {
  await world.apply(types.vault, name, vault('default'));
  await untilReady(world, types.vault, name);
  await world.client.delete(types.vault, { namespace: 'default', name });
  await gone(world, types.vault, name);
  expect((await deletedVault(name)).status).toBe(200);
}

test('createOrRecover recovers a deleted vault, and creates one where there is none', async () => {
  await world.apply(types.vault, 'azmnew', vault('createOrRecover'));
  await untilReady(world, types.vault, 'azmnew');
  await createAndDelete('azmrec');
  await world.apply(types.vault, 'azmrec', vault('createOrRecover'));
  await untilReady(world, types.vault, 'azmrec');
  expect((await deletedVault('azmrec')).status).toBe(404);
});

test('a field that Azure does not show is no reason for another PUT, and drift beside it is still found', async () => {
  const puts = () => armRequests(world, 'PUT', /vaults\/azmnew$/).length;
  const check = async (enough: () => boolean) => {
    const reads = armRequests(world, 'GET', /vaults\/azmnew$/).length;
    const second = await world.startOperator({}, { settleMs: 1000 });
    await until(
      'the new operator has read it',
      async () => armRequests(world, 'GET', /vaults\/azmnew$/).length > reads && enough(),
    );
    await second.stop();
  };
  await check(() => true);
  expect(puts()).toBe(1);
  const { id } = (await world.get(types.vault, 'azmnew'))['status'] as { id: string };
  const changed = { properties: { enableRbacAuthorization: false, accessPolicies: [] } };
  expect((await world.portal.arm('PATCH', id, '2023-07-01', changed)).status).toBe(200);
  await check(() => puts() === 2);
});

test('createOrRecover of a vault that was deleted elsewhere is given up, and the place is named', async () => {
  await createAndDelete('azmels');
  await world.apply(types.vault, 'azmels', vault('createOrRecover', 'other'));
  const failed = await untilReady(world, types.vault, 'azmels', 'ReconciliationFailedPermanently');
  expect(condition(failed)).toMatchObject({ severity: 'Error' });
  expect(condition(failed)?.message).toMatch(/resourceGroups\/rg\/.*recover or purge it there/i);
});

test('purgeThenCreate purges the deleted vault and then creates a new one', async () => {
  await createAndDelete('azmpur');
  await world.apply(types.vault, 'azmpur', vault('purgeThenCreate'));
  await untilReady(world, types.vault, 'azmpur');
  // The operation of the purge is polled, so that nothing is purged twice.
  expect(armRequests(world, 'POST', /deletedVaults\/azmpur\/purge$/)).toHaveLength(1);
  expect((await deletedVault('azmpur')).status).toBe(404);
});

test.each([
  ['azmpuf', 403, 'AuthorizationFailed'],
  ['azmput', 429, 'TooManyRequests'],
  ['azmpup', 400, 'MethodNotAllowed'],
])('a purge of %s that Azure refuses with %d is reported with its reason', async (name, status, code) => {
  await createAndDelete(name);
  const body = { error: { code, message: `no purge of ${name}` } };
  world.azure.faults.add({ method: 'POST', path: `${name}/purge`, status, times: 0, body });
  await world.apply(types.vault, name, vault('purgeThenCreate'));
  const refused = await untilReady(world, types.vault, name, code);
  expect(condition(refused)).toMatchObject({
    severity: 'Warning',
    message: expect.stringContaining(body.error.message),
  });
  expect(armRequests(world, 'PUT', new RegExp(`vaults/${name}$`))).toHaveLength(1);
  world.azure.faults.clear();
  await untilReady(world, types.vault, name);
});

const assignment = (name: string, owner: object, version = 'v20220401'): KubeObject => ({
  apiVersion: `authorization.azure.com/${version}`,
  kind: 'RoleAssignment',
  metadata: { namespace: 'ns', name },
  spec: { owner },
});

test('the name of a role assignment is its own if that is a UUID, else derived from its place and stable', () => {
  const nameOf = (object: KubeObject) => uuidNamed.defaultName?.(object);
  const uuid = '5f0fbf6b-6f3c-4b4e-9d5c-0d5f5d4b1a11';
  const owner = { group: 'resources.azure.com', kind: 'ResourceGroup', name: 'rg' };
  expect(nameOf(assignment(uuid, owner))).toBe(uuid);
  const derived = nameOf(assignment('reader', owner));
  expect(derived).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(nameOf(assignment('reader', owner))).toBe(derived);
  expect(nameOf(assignment('writer', owner))).not.toBe(derived);
  // Under the older version names an owner given as ARM id does not count.
  const [one, two] = ['/subscriptions/a', '/subscriptions/b'].map((armId) => ({ armId }));
  expect(nameOf(assignment('r', one as object, 'v1api20220401'))).toBe(
    nameOf(assignment('r', two as object, 'v1api20220401')),
  );
  expect(nameOf(assignment('r', one as object))).not.toBe(nameOf(assignment('r', two as object)));
});
