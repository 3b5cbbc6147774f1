import { expect, test } from '@jest/globals';
import type { RegisteredApp } from '../../../../sandbox/azure/apps.ts';
import { azure, client, clock, code, group, provider } from './world.ts';

test('a role assignment waits for its principal, is unique and cannot be changed', async () => {
  azure.settings.principalReplicationMs = 5000;
  const identity = await client.arm(
    'PUT',
    provider('Microsoft.ManagedIdentity/userAssignedIdentities/who'),
    '2023-01-31',
    { location: 'westus2' },
  );
  const { principalId } = identity.body.properties;
  const contributor = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
  const id = provider('Microsoft.Authorization/roleAssignments/ed3c9f84-ae20-4aea-8602-58ed2eeffef1');
  const body = (role = contributor) => ({
    properties: {
      principalId,
      roleDefinitionId: `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
    },
  });
  const early = await client.arm('PUT', id, '2022-04-01', body());
  expect([early.status, early.body.error.code]).toEqual([400, 'PrincipalNotFound']);
  expect(early.body.error.message).toContain(
    `Principal ${principalId.replaceAll('-', '')} does not exist in the directory ${azure.tenantId}`,
  );
  await clock.advance(5000);
  const created = await client.arm('PUT', id, '2022-04-01', body());
  expect(created.body).toMatchObject({
    properties: { principalType: 'ServicePrincipal', scope: group, createdBy: azure.defaultApp.objectId },
  });
  expect(created.status).toBe(201);
  const twin = id.replace(/.$/, '2');
  expect(await code('PUT', twin, '2022-04-01', body())).toEqual([409, 'RoleAssignmentExists']);
  expect(await code('PUT', id, '2022-04-01', body('acdd72a7-3385-48ef-bd42-f606fba81ae7'))).toEqual([
    400,
    'RoleAssignmentUpdateNotPermitted',
  ]);
  expect(await code('PUT', twin, '2022-04-01', body('00000000-0000-4000-8000-000000000000'))).toEqual([
    400,
    'RoleDefinitionDoesNotExist',
  ]);
  const listed = await client.arm(
    'GET',
    `${provider('Microsoft.Authorization/roleAssignments')}?$filter=principalId eq '${principalId}'`,
    '2022-04-01',
  );
  expect(listed.body.value).toHaveLength(1);
  expect((await client.arm('DELETE', id, '2022-04-01')).body.name).toBe(created.body.name);
  expect(await code('GET', id, '2022-04-01')).toEqual([404, 'RoleAssignmentNotFound']);
});

test('with RBAC on, a principal may do what its roles say', async () => {
  azure.settings.enforceRbac = true;
  const app = azure.registerApp({ roles: [{ role: 'Reader', scope: group }] });
  expect(await code('GET', group, '2021-04-01', undefined, { app })).toEqual([200, undefined]);
  const id = provider('Microsoft.Storage/storageAccounts/account1');
  const refused = await client.arm('PUT', id, '2023-01-01', { location: 'westus2' }, { app });
  expect([refused.status, refused.body.error.code]).toEqual([403, 'AuthorizationFailed']);
  expect(refused.body.error.message).toContain(
    `The client '${app.clientId}' with object id '${app.objectId}' does not have authorization to perform action 'Microsoft.Storage/storageAccounts/write' over scope '${id}'`,
  );
  azure.assignRole(app.objectId, 'Contributor', group);
  expect(
    (
      await client.arm(
        'PUT',
        id,
        '2023-01-01',
        { location: 'westus2', kind: 'StorageV2', sku: { name: 'Standard_LRS' } },
        { app },
      )
    ).status,
  ).toBe(202);
});

test('with RBAC on, whoever may read a subscription, or a group, lists the role definitions there; all may at the tenant', async () => {
  azure.settings.enforceRbac = true;
  const list = async (scope: string, app: RegisteredApp) =>
    (
      await client.arm('GET', `${scope}/providers/Microsoft.Authorization/roleDefinitions`, '2022-04-01', undefined, {
        app,
      })
    ).status;
  const subscription = `/subscriptions/${azure.subscriptionId}`;
  const reader = azure.registerApp({ roles: [{ role: 'Reader', scope: subscription }] });
  const nobody = azure.registerApp({ roles: [] });
  expect([await list(subscription, reader), await list(group, reader), await list('', reader)]).toEqual([
    200, 200, 200,
  ]);
  expect([await list(subscription, nobody), await list('', nobody)]).toEqual([403, 200]);
});

test('the identity that AKS assigns to an extension of a cluster is a principal of the directory', async () => {
  azure.settings.principalReplicationMs = 0;
  const cluster = provider('Microsoft.ContainerService/managedClusters/extended');
  await client.arm('PUT', cluster, '2024-09-01', { location: 'westus2', properties: {} });
  await clock.advance(60_000);
  const extension = `${cluster}/providers/Microsoft.KubernetesConfiguration/extensions/backup`;
  await client.arm('PUT', extension, '2023-05-01', { properties: { extensionType: 'microsoft.dataprotection' } });
  await clock.advance(60_000);
  const { body } = await client.arm('GET', extension, '2023-05-01');
  const { principalId } = body.properties.aksAssignedIdentity;
  const role = 'b24988ac-6180-42a0-ab88-20f7382dd24c';
  const roleDefinitionId = `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${role}`;
  const id = provider('Microsoft.Authorization/roleAssignments/ed3c9f84-ae20-4aea-8602-58ed2eeffe03');
  const assigned = await client.arm('PUT', id, '2022-04-01', { properties: { principalId, roleDefinitionId } });
  expect(assigned.status).toBe(201);
});

test('the built-in roles of the published list can be assigned', async () => {
  const definition = (id: string) =>
    `/subscriptions/${azure.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${id}`;
  const zones = 'befefa01-2a29-4197-83a8-272ff33ce314';
  expect((await client.arm('GET', definition(zones), '2022-04-01')).body.properties.roleName).toBe(
    'DNS Zone Contributor',
  );
  const id = provider('Microsoft.Authorization/roleAssignments/ed3c9f84-ae20-4aea-8602-58ed2eeffef1');
  const principalId = azure.defaultApp.objectId;
  const properties = { principalId, principalType: 'ServicePrincipal', roleDefinitionId: definition(zones) };
  expect(await code('PUT', id, '2022-04-01', { properties })).toEqual([201, undefined]);
  const named = `${definition('')}?$filter=roleName eq 'AcrPull'`.replace('/?', '?');
  expect((await client.arm('GET', named, '2022-04-01')).body.value).toHaveLength(1);
});
