import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RegisteredApp } from '../../../sandbox/azure/apps.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { TestClient } from './client.ts';

let azure: EmbeddedAzure;
let client: TestClient;
let app: RegisteredApp;
let identity: { readonly principalId: string; readonly clientId: string };

beforeAll(async () => {
  azure = await startEmbeddedAzure();
  client = new TestClient(azure);
  app = azure.registerApp({ displayName: 'deployer' });
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/base`;
  await client.arm('PUT', group, '2021-04-01', { location: 'westeurope' });
  const path = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/web`;
  identity = (await client.arm('PUT', path, '2023-01-31', { location: 'westeurope' })).body.properties;
});
afterAll(async () => {
  await client.close();
  await azure.close();
});

async function graph(method: string, path: string, body?: object, caller?: RegisteredApp) {
  const token = await client.token('https://graph.microsoft.com/.default', caller);
  const url = `${azure.endpoints.graph}/v1.0${path}`;
  return client.send(method, url, { token, ...(body && { body }) });
}
const find = async (collection: string, filter: string) =>
  (await graph('GET', `/${collection}?$filter=${encodeURIComponent(filter)}`)).body.value;

test('service principals of applications and of managed identities are found by a name, and read by their id', async () => {
  const [found, ...others] = await find('servicePrincipals', `servicePrincipalNames/any(c:c eq '${app.clientId}')`);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ id: app.objectId, displayName: 'deployer', servicePrincipalType: 'Application' });
  const read = await graph('GET', `/servicePrincipals/${identity.principalId}?$select=id,appId,servicePrincipalType`);
  expect(read.body).toEqual({
    id: identity.principalId,
    appId: identity.clientId,
    servicePrincipalType: 'ManagedIdentity',
  });
  expect(await find('servicePrincipals', "servicePrincipalNames/any(c:c eq 'http://other')")).toEqual([]);
  expect((await graph('GET', `/servicePrincipals/${app.clientId}`)).status).toBe(404);
});

test('an application has an object id of its own', async () => {
  const [found] = await find('applications', `appId eq '${app.clientId}'`);
  expect(found).toMatchObject({ appId: app.clientId, displayName: 'deployer' });
  expect([app.objectId, app.clientId]).not.toContain(found.id);
  expect((await graph('GET', `/applications/${found.id}`)).body.appId).toBe(app.clientId);
  expect(await find('applications', `appId eq '${identity.clientId}'`)).toEqual([]);
});

test('ids are resolved to objects with their types', async () => {
  const ids = [app.objectId, identity.principalId.toUpperCase(), '00000000-0000-4000-8000-000000000001'];
  const types = ['user', 'group', 'servicePrincipal'];
  const { body } = await graph('POST', '/directoryObjects/getByIds', { ids, types });
  expect(body.value.map((each: object) => [Reflect.get(each, '@odata.type'), Reflect.get(each, 'id')])).toEqual([
    ['#microsoft.graph.servicePrincipal', app.objectId],
    ['#microsoft.graph.servicePrincipal', identity.principalId],
  ]);
  expect((await graph('POST', '/directoryObjects/getByIds', { ids: 'x' })).status).toBe(400);
});

test('the directory has no users, and an application is nobody who may ask for /me', async () => {
  expect(await find('users', "userPrincipalName eq 'someone@example.org'")).toEqual([]);
  expect((await graph('GET', '/users/someone@example.org')).status).toBe(404);
  expect((await graph('GET', '/me')).body.error.code).toBe('Request_BadRequest');
});

test('an application without a permission reads no principals, and other filters are refused', async () => {
  const stranger = azure.registerApp({ graphPermissions: ['Group.Read.All'] });
  expect((await graph('GET', '/servicePrincipals', undefined, stranger)).status).toBe(403);
  expect((await graph('GET', '/servicePrincipals?$filter=tags%20eq%20%27x%27')).body.error.code).toBe(
    'Request_UnsupportedQuery',
  );
});
