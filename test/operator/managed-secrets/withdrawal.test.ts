import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { condition, gone, until } from '../support.ts';
import { approvals, named, registrations, SecretWorld, vaultRef } from './secret-world.ts';

const machineType = resourceOf(kindOf('compute.azure.com', 'VirtualMachine'));
let azm: SecretWorld;

beforeAll(async () => {
  azm = await SecretWorld.start({ kinds: 'compute.azure.com/VirtualMachine' });
  await azm.vault('azmdrawn', 'westeurope');
});
afterAll(() => azm?.close());

const machine = (managedSecret: string) => ({
  location: 'westeurope',
  owner: { name: 'rg' },
  hardwareProfile: { vmSize: 'Standard_D2s_v3' },
  osProfile: { computerName: 'vm', adminUsername: 'ops' },
  operatorSpec: { managedSecrets: [{ managedSecret, delivery: 'VMAccess' }] },
});

const missing = (text: string) =>
  until(`the registration says ${text}`, async () => {
    const ready = condition(await azm.world.client.get<KubeObject>(registrations, { name: 'secrets' }));
    return ready?.reason === 'ApprovalMissing' && ready.message?.includes(text) && ready;
  });

test('a withdrawal counts the machines that keep their secrets, also after a restart of the operator', async () => {
  const { world } = azm;
  await azm.secret('login', { kind: 'Password', home: { vault: vaultRef('azmdrawn') }, vaultSecretName: 'login' });
  await azm.ready('login');
  for (const name of ['one', 'two']) await world.apply(machineType, name, machine('login'));
  for (const name of ['one', 'two']) {
    await until(`${name} has its secret`, async () => {
      const found = await world.get(machineType, name);
      const delivered = found['status']?.conditions?.find(({ type }: { type: string }) => type === 'SecretsDelivered');
      return delivered?.status === 'True';
    });
  }
  await azm.withdraw();
  await missing('; 2 machines keep the secrets that they have, without a new version');
  await azm.operator.stop();
  await world.startOperator({}, { clock: azm.clock });
  await recounted('; 2 machines keep the secrets that they have');
  await world.client.delete(machineType, { namespace: 'default', name: 'two' });
  await gone(world, machineType, 'two');
  expect((await recounted('; 1 machine keeps the secrets that it has')).severity).toBe('Warning');
});

/** An approval that has ended has the registration reconciled, as a minute does. */
async function recounted(text: string) {
  const past = { for: { name: 'secrets' }, until: '2001-01-01T00:00:00Z' };
  const { client } = azm.world;
  return until(`a count says ${text}`, async () => {
    await client.create(approvals, named('FeatureApproval', 'past', past));
    await client.delete(approvals, { name: 'past' });
    const ready = condition(await client.get<KubeObject>(registrations, { name: 'secrets' }));
    return ready?.reason === 'ApprovalMissing' && ready.message?.includes(text) && ready;
  });
}
