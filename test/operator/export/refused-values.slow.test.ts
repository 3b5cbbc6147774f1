/** Exports of which Azure refuses one: the others are written. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ArmKindDefinition, kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { requiredFields } from '../kinds/examples.ts';
import { secrets, startWorldWithGroup, types, until, untilReady, type World } from '../support.ts';

const kind = kindOf('containerservice.azure.com', 'ManagedCluster') as ArmKindDefinition;
const type = resourceOf(kind);
let world: World;

beforeAll(async () => {
  world = await startWorldWithGroup({ kinds: 'containerservice.azure.com/ManagedCluster' });
});
afterAll(() => world?.close());

const data = async (name: string) => {
  const secret = await world.client.tryGet(secrets, { namespace: 'default', name });
  return Object.keys((secret?.['data'] ?? {}) as object).sort();
};

test('credentials that Azure refuses block neither another key of their Secret nor another Secret', async () => {
  const error = { code: 'BadRequest', message: 'Getting static credential is not allowed.' };
  const refusal = { method: 'POST', path: 'listClusterAdminCredential', times: 0, status: 400, body: { error } };
  world.azure.faults.add(refusal);
  const operatorSpec = {
    secrets: { adminCredentials: { name: 'aks', key: 'admin' }, userCredentials: { name: 'aks', key: 'user' } },
    secretExpressions: [
      { name: 'aks-admin', key: 'admin', value: 'secret.adminCredentials' },
      { name: 'aks-name', key: 'name', value: 'self.metadata.name' },
      { name: 'aks-wrong', key: 'wrong', value: 'self.status.noSuchMember' },
    ],
  };
  const required = requiredFields(kind, { ...world.azure, principalId: world.azure.tenantId });
  await world.apply(type, 'aks', { ...required, owner: { name: 'rg' }, operatorSpec });
  await untilReady(world, type, 'aks', 'BadRequest');
  expect([await data('aks'), await data('aks-name')]).toEqual([['user'], ['name']]);
  expect([await data('aks-admin'), await data('aks-wrong')]).toEqual([[], []]);
  world.azure.faults.clear();
  await until('the credentials are there', async () => (await data('aks')).includes('admin'));
  world.azure.faults.add(refusal);
  const last = { ...operatorSpec, secretExpressions: [] };
  await world.apply(type, 'aks', { ...required, owner: { name: 'rg' }, operatorSpec: last });
  await untilReady(world, type, 'aks', 'BadRequest');
  expect(await data('aks')).toEqual(['admin', 'user']);
});

test('a Secret of somebody else blocks no other one', async () => {
  const theirs = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'theirs' } };
  await world.client.create(secrets, theirs);
  const operatorSpec = {
    secrets: { clientId: { name: 'theirs', key: 'id' }, tenantId: { name: 'mine', key: 'tenant' } },
  };
  await world.apply(types.identity, 'app', { location: 'westeurope', owner: { name: 'rg' }, operatorSpec });
  await untilReady(world, types.identity, 'app', 'FailedWritingAdditionalKubernetesObjects');
  expect([await data('theirs'), await data('mine')]).toEqual([[], ['tenant']]);
});
