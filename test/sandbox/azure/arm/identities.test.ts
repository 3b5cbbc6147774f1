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

test('a credential has a subject or an expression, for issuers and claims that Entra knows', async () => {
  const id = provider('Microsoft.ManagedIdentity/userAssignedIdentities/flexible');
  await client.arm('PUT', id, '2023-01-31', { location: 'westus2' });
  const aks = 'https://westus2.oic.prod-aks.azure.com/tenant/issuer/';
  const put = (name: string, properties: object, version = '2025-01-31-preview') =>
    client.arm('PUT', `${id}/federatedIdentityCredentials/${name}`, version, {
      properties: { issuer: aks, audiences: ['api://AzureADTokenExchange'], ...properties },
    });
  const refusal = async (...call: Parameters<typeof put>) => (await put(...call)).body.error?.message;
  const expression = (value: string, languageVersion = 1) => ({ claimsMatchingExpression: { value, languageVersion } });
  const shops = expression("claims['sub'] matches 'system:serviceaccount:shop:*'");
  expect(await put('shops', shops)).toMatchObject({ status: 201, body: { properties: shops } });
  expect(await put('shops', { subject: 'one' })).toMatchObject({ status: 200 });
  expect((await put('shops', shops)).body.properties).not.toHaveProperty('subject');
  expect((await put('again', shops)).body.error.code).toBe('Conflict');
  expect(await refusal('both', { ...shops, subject: 'one' })).toContain('not both');
  expect(await refusal('old', shops, '2023-01-31')).toContain("'subject' is missing");
  expect(await refusal('none', {})).toContain("'subject' is missing");
  expect(await refusal('two', expression("claims['sub'] eq 'a'", 2))).toContain("language version '2'");
  expect(await refusal('words', expression("sub = 'a'"))).toContain('cannot be parsed');
  expect(await refusal('claim', expression("claims['email'] eq 'a'"))).toContain('contains unallowed claims');
  const elsewhere = { ...shops, issuer: 'https://issuer.example' };
  expect(await refusal('issuer', elsewhere)).toContain("not supported for issuer 'https://issuer.example'");
  azure.settings.expressionIssuers = ['https://issuer.example'];
  expect((await put('issuer', elsewhere)).status).toBe(201);
  const github = { issuer: 'https://token.actions.githubusercontent.com' };
  const workflows = "claims['sub'] matches 'repo:a/*' and claims['job_workflow_ref'] matches 'a/*'";
  expect((await put('github', { ...expression(workflows), ...github })).status).toBe(201);
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

test('the entry of a deleted identity stays on a machine without ids until it is removed, also when the identity is recreated', async () => {
  const id = provider('Microsoft.ManagedIdentity/userAssignedIdentities/recreated');
  const other = provider('Microsoft.ManagedIdentity/userAssignedIdentities/other');
  const create = async (of = id) => (await client.arm('PUT', of, '2023-01-31', { location: 'westus2' })).body;
  const former = await create();
  const machine = provider('Microsoft.Compute/virtualMachineScaleSets/kept');
  await client.arm('PUT', machine, '2024-03-01', {
    location: 'westus2',
    identity: { type: 'UserAssigned', userAssignedIdentities: { [former.id]: {} } },
  });
  await clock.advance(1000);
  azure.imds.identities = { machine };
  const entries = async () =>
    (await client.arm('GET', machine, '2024-03-01')).body.identity.userAssignedIdentities as Record<string, object>;
  const change = async (of: string, value: object | null) => {
    const identity = { type: 'UserAssigned', userAssignedIdentities: { [of]: value } };
    const { body } = await client.arm('PATCH', machine, '2024-03-01', { identity });
    await clock.advance(1000);
    return body.error?.code;
  };
  const token = async (clientId: string) => {
    const url = `${azure.endpoints.imds}/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://vault.azure.net`;
    return (await client.send('GET', `${url}&client_id=${clientId}`, { headers: { metadata: 'true' } })).status;
  };
  const none = { clientId: null, principalId: null };
  expect(await token(former.properties.clientId)).toBe(200);
  await client.arm('DELETE', id, '2023-01-31');
  expect(await entries()).toEqual({ [former.id]: none });
  // Azure checks all identities of the body, so that no other one can be added.
  await create(other);
  expect(await change(other, {})).toBe('FailedIdentityOperation');
  const recreated = await create();
  expect(recreated.properties.clientId).not.toBe(former.properties.clientId);
  expect(await change(other, {})).toBeUndefined();
  expect(await change(former.id, {})).toBeUndefined();
  expect((await entries())[former.id]).toEqual(none);
  expect(await token(recreated.properties.clientId)).toBe(400);
  await change(former.id, null);
  await change(former.id, {});
  expect((await entries())[former.id]).toMatchObject({ clientId: recreated.properties.clientId });
  expect(await token(recreated.properties.clientId)).toBe(200);
  azure.imds.identities = 'all';
});
