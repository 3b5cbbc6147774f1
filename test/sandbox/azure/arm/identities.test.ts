import { expect, test } from '@jest/globals';
import { azure, client, clock, code, provider } from './world.ts';

test('identities get ids of their own; credentials under one identity cannot be written at the same time', async () => {
  const id = provider('Microsoft.ManagedIdentity/userAssignedIdentities/identity');
  const created = await client.arm('PUT', id, '2023-01-31', { location: 'westus2', name: 'identity' });
  expect(created.status).toBe(201);
  expect(created.headers['location']).toBe(id.replace('resourceGroups', 'resourcegroups'));
  const again = await client.arm('PUT', id, '2023-01-31', { location: 'westus2', name: 'identity' });
  expect([again.status, again.body.properties]).toEqual([200, created.body.properties]);
  azure.settings.federatedWriteWindowMs = 1000;
  const credential = (name: string, subject = name) =>
    code('PUT', `${id}/federatedIdentityCredentials/${name}`, '2023-01-31', {
      properties: { issuer: 'https://issuer.example', subject, audiences: ['api://AzureADTokenExchange'] },
    });
  expect(await credential('first')).toEqual([201, undefined]);
  expect(await credential('second')).toEqual([
    409,
    'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity',
  ]);
  await clock.advance(1000);
  expect(await credential('second')).toEqual([201, undefined]);
  expect(await credential('third', 'first')).toEqual([409, 'Conflict']);
  expect((await client.arm('GET', `${id}/federatedIdentityCredentials`, '2023-01-31')).body.value).toHaveLength(2);
  expect(await code('GET', `${id}/federatedIdentityCredentials/none`, '2023-01-31')).toEqual([404, 'NotFound']);
});

test('identities are assigned to a machine and taken from it, and the metadata endpoint follows', async () => {
  const identity = (
    await client.arm('PUT', provider('Microsoft.ManagedIdentity/userAssignedIdentities/pod'), '2023-01-31', {
      location: 'westus2',
    })
  ).body;
  const machine = provider('Microsoft.Compute/virtualMachineScaleSets/nodes');
  await client.arm('PUT', machine, '2024-03-01', { location: 'westus2', identity: { type: 'SystemAssigned' } });
  await clock.advance(1000);
  azure.imds.identities = { machine };
  const token = async () => {
    const url = `${azure.endpoints.imds}/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://vault.azure.net`;
    const { status, body } = await client.send('GET', `${url}&client_id=${identity.properties.clientId}`, {
      headers: { metadata: 'true' },
    });
    return [status, body.error_description];
  };
  const assign = (id: string, value: object | null) =>
    client.arm('PATCH', machine, '2024-03-01', {
      identity: { type: 'SystemAssigned, UserAssigned', userAssignedIdentities: { [id]: value } },
    });
  expect(await token()).toEqual([400, 'Identity not found']);
  const assigned = await assign(identity.id, {});
  expect(assigned.body.identity).toEqual({
    type: 'SystemAssigned, UserAssigned',
    principalId: expect.any(String),
    tenantId: azure.tenantId,
    userAssignedIdentities: {
      [identity.id]: { principalId: identity.properties.principalId, clientId: identity.properties.clientId },
    },
  });
  await clock.advance(1000);
  expect(await token()).toEqual([200, undefined]);
  expect((await assign(`${identity.id}-none`, {})).body.error.code).toBe('FailedIdentityOperation');
  // The type has to say what remains.
  expect((await assign(identity.id, null)).status).toBe(400);
  const become = (type: string, ids?: object) =>
    client.arm('PATCH', machine, '2024-03-01', { identity: { type, ...(ids && { userAssignedIdentities: ids }) } });
  expect((await become('UserAssigned', { [identity.id]: null })).status).toBe(400);
  expect((await become('SystemAssigned', { [identity.id]: {} })).body.error.message).toContain('identityIds');
  expect((await become('SystemAssigned')).body.identity).toMatchObject({ type: 'SystemAssigned' });
  await clock.advance(1000);
  expect(await token()).toEqual([400, 'Identity not found']);
  azure.imds.identities = 'all';
});
