import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { vmAccessContentType } from '../../../runtime/compute/machines/vm-access.ts';
import type { KnownSecret } from '../../../runtime/operator/managed-secrets/resolver.ts';
import { version } from '../../compute/machines/support.ts';
import { types } from '../support.ts';
import { FakeSecrets } from './known-secrets.ts';
import { conditionOf, MachineWorld, machineType, setSpec, setType } from './machine-world.ts';

let machines: MachineWorld;
beforeAll(async () => {
  machines = await MachineWorld.start();
}, 120_000);
afterAll(() => machines?.close());
beforeEach(() => machines.world.azure.journal.clear());

const vmSpec = (managedSecrets: readonly object[]) => ({
  location: 'westeurope',
  owner: { name: 'rg' },
  hardwareProfile: { vmSize: 'Standard_D2s_v3' },
  osProfile: { computerName: 'vm', adminUsername: 'ops' },
  operatorSpec: { managedSecrets },
});

test('a virtual machine gets VMAccess after it, with settings that name the secret in the vault', async () => {
  await machines.renew(1);
  const url = await machines.renew(1);
  const copy = { ...version('kv1', 'pw'), vaultId: machines.vaultId, secretUrl: url };
  const password = (number: number): KnownSecret => ({
    uid: 'p',
    kind: 'Password',
    number,
    copies: new Map([
      [
        'westeurope',
        {
          state: 'Current',
          number,
          version: { ...copy, contentType: 'text/plain' },
          vmAccess: { ...copy, contentType: vmAccessContentType },
        },
      ],
    ]),
  });
  machines.secrets.set('default', 'pw', password(4));
  const { world } = machines;
  await world.apply(machineType, 'vm', vmSpec([{ managedSecret: 'pw', delivery: 'VMAccess' }]));
  const delivered = await machines.until('Delivered', 'vm', 'SecretsDelivered', machineType);
  expect(delivered['status']?.managedSecrets).toMatchObject({
    wanted: [{ managedSecret: 'pw', version: 4 }],
    instances: { total: 1, upToDate: 1, unhealthy: 0 },
  });
  const puts = machines.requests('PUT', /virtualMachines\/vm/i).map(({ path }) => path.split('/virtualMachines/')[1]);
  expect(puts).toEqual(['vm', 'vm/extensions/VMAccessForLinux']);
  const id = machines.setId('vm').replace('virtualMachineScaleSets', 'virtualMachines');
  const { body } = await world.portal.arm('GET', `${id}/extensions/VMAccessForLinux`, '2024-07-01');
  expect(body.properties).toMatchObject({
    publisher: 'Microsoft.OSTCExtensions',
    forceUpdateTag: url.split('/').at(-1),
  });
  expect(JSON.stringify(delivered)).not.toContain('"password"');
  await machines.pass(120);
  expect(machines.requests('PUT', /extensions/i)).toHaveLength(1);
  expect(machines.secrets.usersOf('default', 'pw')).toEqual(new Set([4]));
}, 120_000);

test('a scale set grows while the vault is away, and the status says that it can', async () => {
  const { world } = machines;
  await world.apply(setType, 'web', setSpec({ capacity: 2 }));
  const delivered = await machines.until('Delivered');
  expect(delivered['status']?.managedSecrets.scaleOutWithoutVault.works).toBe(true);
  world.azure.vaultOutages.set({ vault: 'kv1' }, 'unreachable');
  await world.apply(setType, 'web', setSpec({ capacity: 5 }));
  await machines.waitFor('five instances are there', async () => (await machines.instances()).length === 5);
  const grown = await machines.waitFor('the status counts them', async () => {
    const object = await world.get(setType, 'web');
    return object['status']?.managedSecrets?.instances.total === 5 && object;
  });
  expect(grown['status']?.managedSecrets).toMatchObject({ instances: { total: 5, upToDate: 5 } });
  world.azure.vaultOutages.set({ vault: 'kv1' }, 'none');
}, 120_000);

test('without a running instance the status says that scale-out needs the vault', async () => {
  const { world } = machines;
  await world.portal.arm('POST', `${machines.setId('web')}/deallocate`, '2024-07-01', {});
  await machines.renew(2);
  const found = await machines.waitFor('the status has seen it', async () => {
    const object = await world.get(setType, 'web');
    return object['status']?.managedSecrets?.scaleOutWithoutVault.works === false && object;
  });
  expect(found['status']?.managedSecrets.scaleOutWithoutVault.message).toMatch(/no instance .* runs/);
  await world.portal.arm('POST', `${machines.setId('web')}/start`, '2024-07-01', {});
  await machines.until('Delivered');
}, 120_000);

test('a closed gate keeps a renewal from the model, and its opening sends it', async () => {
  const { world } = machines;
  machines.secrets.gate.open = false;
  world.azure.journal.clear();
  await machines.renew(3);
  const held = await machines.until('WaitingForFeature');
  expect(conditionOf(held, 'Ready')).toMatchObject({ status: 'False', reason: 'WaitingForFeature' });
  expect(held['status']?.managedSecrets.wanted).toMatchObject([{ version: 2 }]);
  expect(machines.requests('PUT', /virtualMachineScaleSets/i)).toEqual([]);
  machines.secrets.gate.open = true;
  machines.secrets.set('default', 'web', undefined);
  await machines.renew(3);
  await machines.until('Delivered');
  expect(machines.secrets.usersOf('default', 'web')).toEqual(new Set([3]));
}, 120_000);

test('a machine stays Ready while an operator that has just started reads its ManagedSecrets', async () => {
  const { world } = machines;
  const known = machines.secrets.known('default', 'web', 'u');
  const before = await world.get(setType, 'web');
  await machines.stopOperator();
  machines.secrets = new FakeSecrets();
  await machines.startOperator();
  await machines.pass(60);
  const { status, metadata } = await world.get(setType, 'web');
  expect([status, metadata.resourceVersion]).toEqual([before['status'], before.metadata.resourceVersion]);
  await machines.pass(90);
  const blocked = await machines.until('SecretNotReady', 'web', 'Ready');
  expect(conditionOf(blocked, 'SecretsDelivered')?.status).toBe('False');
  machines.secrets.set('default', 'web', known);
  await machines.until('Delivered');
  await machines.until('Succeeded', 'web', 'Ready');
}, 120_000);

test('a body with a ManagedSecret keeps its object Ready while an operator that has just started reads it', async () => {
  const { world } = machines;
  const known = machines.secrets.known('default', 'web', 'u');
  await world.apply(types.armResource, 'holder', {
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31',
    owner: { name: 'rg' },
    body: { location: 'westeurope', tags: { password: '(secret)' } },
    bodySecrets: [
      {
        path: '/tags/password',
        secrets: [{ managedSecret: 'web' }],
        expression: "[substring(parameters('secret0'), 0, 8)]",
      },
    ],
  });
  const before = await machines.until('Succeeded', 'holder', 'Ready', types.armResource);
  await machines.stopOperator();
  machines.secrets = new FakeSecrets();
  await machines.startOperator();
  await machines.pass(60);
  const { status, metadata } = await world.get(types.armResource, 'holder');
  expect([status, metadata.resourceVersion]).toEqual([before['status'], before.metadata.resourceVersion]);
  await machines.pass(90);
  await machines.until('SecretNotReady', 'holder', 'Ready', types.armResource);
  machines.secrets.set('default', 'web', known);
  await machines.until('Succeeded', 'holder', 'Ready', types.armResource);
}, 120_000);

test('a status that a tenant writes is neither believed nor kept', async () => {
  const { world } = machines;
  const forged = {
    managedSecrets: { wanted: [{ managedSecret: 'web', version: 99 }], instances: { total: 9, upToDate: 9 } },
    conditions: [
      { type: 'Ready', status: 'True', reason: 'Succeeded', lastTransitionTime: new Date().toISOString() },
      { type: 'SecretsDelivered', status: 'True', reason: 'Delivered', lastTransitionTime: new Date().toISOString() },
    ],
  };
  const patch = { type: 'merge', body: { status: forged } } as const;
  await world.client.patch(setType, { namespace: 'default', name: 'web' }, patch, { subresource: 'status' });
  await machines.renew(4);
  await machines.waitFor('every instance has version 4', async () =>
    (await machines.instances()).every(({ latest }) => latest),
  );
  await machines.until('Delivered');
  await machines.waitFor('the status is true again', async () => {
    const { managedSecrets } = (await world.get(setType, 'web'))['status'] ?? {};
    return managedSecrets?.wanted[0].version === 4 && managedSecrets.instances.total === 5;
  });
}, 120_000);

test('a set without ManagedSecrets has neither condition nor status of them, whoever wrote them', async () => {
  const { world } = machines;
  await world.apply(setType, 'plain', setSpec({ managedSecrets: [] }));
  await machines.until('Succeeded', 'plain', 'Ready');
  const conditions = [
    ...((await world.get(setType, 'plain'))['status']?.conditions ?? []),
    { type: 'SecretsDelivered', status: 'True', reason: 'Delivered', lastTransitionTime: new Date().toISOString() },
  ];
  const patch = { type: 'merge', body: { status: { managedSecrets: { wanted: [] }, conditions } } } as const;
  await world.client.patch(setType, { namespace: 'default', name: 'plain' }, patch, { subresource: 'status' });
  await world.apply(setType, 'plain', { ...setSpec({ managedSecrets: [], capacity: 2 }), tags: { a: 'b' } });
  const { status } = await machines.waitFor('the set is written again', async () => {
    const object = await world.get(setType, 'plain');
    return object['status']?.['tags']?.a === 'b' && object;
  });
  expect(status).not.toHaveProperty('managedSecrets');
  expect(JSON.stringify(status)).not.toContain('SecretsDelivered');
}, 120_000);
