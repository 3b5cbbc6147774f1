import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Testing } from 'cdk8s';
import { ResourceGroup, UserAssignedIdentity, Vault } from '../../../constructs/index.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { eventually } from '../../fakes/eventually.ts';
import { startWorld, types, type World } from '../support.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await world.startOperator();
});
afterAll(() => world?.close());

test('identity, vault and grant are applied together, and the identity has the role in Azure', async () => {
  const chart = Testing.chart();
  const location = 'westus2';
  const group = new ResourceGroup(chart, 'shop', { spec: { location } });
  const identity = new UserAssignedIdentity(chart, 'web', { spec: { location, owner: group } });
  const { tenantId } = world.azure;
  const vault = new Vault(chart, 'vault', {
    spec: {
      location,
      owner: group,
      azureName: 'granted-vault',
      properties: { enableRbacAuthorization: true, tenantId, sku: { family: 'A', name: 'standard' } },
    },
  });
  const { name } = vault.grantRead(identity);
  const byKind = Object.fromEntries(Object.values(types).map((type) => [type.kind, type]));
  for (const object of Testing.synth(chart) as KubeObject[]) {
    const type = byKind[object.kind];
    if (type) await world.client.create(type, { ...object, metadata: { ...object.metadata, namespace: 'default' } });
  }
  const ready = async () => {
    const { status } = await world.get(types.roleAssignment, name);
    return status?.conditions?.find((each: { type: string }) => each.type === 'Ready')?.status === 'True';
  };
  await eventually('the role is assigned', ready);
  const { principalId } = (await world.get(types.identity, 'web'))['status'];
  const scope = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/shop/providers/Microsoft.KeyVault/vaults/granted-vault`;
  const path = `${scope}/providers/Microsoft.Authorization/roleAssignments`;
  const { body } = await world.portal.arm('GET', path, '2022-04-01');
  const found = body.value.find(
    (each: { properties: object }) => 'principalId' in each.properties && each.properties.principalId === principalId,
  );
  expect(found.properties.roleDefinitionId).toMatch(/roleDefinitions\/4633458b-17de-408a-b874-0445c86b69e6$/);
  // A GUID needs no list of the roles, and so no right to read them.
  expect(world.azure.journal.entries({ service: 'arm', method: 'GET', path: 'roleDefinitions' })).toEqual([]);
});
