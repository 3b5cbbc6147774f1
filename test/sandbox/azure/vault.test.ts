import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { RegisteredApp } from '../../../sandbox/azure/apps.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { TestClient } from './client.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1));
let azure: EmbeddedAzure;
let client: TestClient;
let group: string;

beforeAll(async () => {
  azure = await startEmbeddedAzure({ clock });
  client = new TestClient(azure);
  group = `/subscriptions/${azure.subscriptionId}/resourceGroups/vaults`;
  await client.arm('PUT', group, '2021-04-01', { location: 'westus2' });
});

afterAll(async () => {
  await client.close();
  await azure.close();
});

async function vault(name: string, properties: object): Promise<{ id: string; url: string }> {
  const { status, body } = await client.arm(
    'PUT',
    `${group}/providers/Microsoft.KeyVault/vaults/${name}`,
    '2023-07-01',
    {
      location: 'westus2',
      properties: { tenantId: azure.tenantId, sku: { family: 'A', name: 'standard' }, ...properties },
    },
  );
  expect(status).toBe(200);
  return { id: body.id, url: body.properties.vaultUri };
}

async function send(app: RegisteredApp, method: string, url: string, body?: unknown) {
  const token = await client.token('https://vault.azure.net/.default', app);
  const separator = url.includes('?') ? '&' : '?';
  return client.send(method, `${url}${separator}api-version=7.4`, { token, ...(body === undefined ? {} : { body }) });
}

test('a request without a token is challenged with the tenant and the resource of the host it came to', async () => {
  const { url } = await vault('challenged', { accessPolicies: [] });
  const refused = await client.send('GET', `${url}secrets/a?api-version=7.4`);
  expect([refused.status, refused.body.error.code]).toEqual([401, 'Unauthorized']);
  const authority = `${azure.endpoints.aad}/${azure.tenantId}`;
  expect(refused.headers['www-authenticate']).toBe(
    `Bearer authorization="${authority}", resource="https://vault.azure.net"`,
  );
  const named = await client.send('GET', `https://challenged.${azure.endpoints.vaultSuffix}/secrets/a?api-version=7.4`);
  expect(named.headers['www-authenticate']).toContain('resource="https://vault.localhost"');
  const wrong = await client.send('GET', `${url}secrets/a?api-version=7.4`, { token: await client.token() });
  expect(wrong.body.error.message).toContain('AKV10022');
});

test('with vaultUri name, a vault has its own host, whose tokens may be for the suffix of the cloud', async () => {
  azure.settings.vaultUri = 'name';
  const { url } = await vault('Named', {
    accessPolicies: [
      { tenantId: azure.tenantId, objectId: azure.defaultApp.objectId, permissions: { secrets: ['get', 'set'] } },
    ],
  });
  azure.settings.vaultUri = 'port';
  expect(url).toBe(`https://named.${azure.endpoints.vaultSuffix}/`);
  const token = await client.token(`https://${azure.endpoints.vaultSuffix}/.default`);
  const made = await client.send('PUT', `${url}secrets/a?api-version=7.4`, { token, body: { value: 'v' } });
  expect([made.status, made.body.id]).toEqual([200, expect.stringContaining(`${url}secrets/a/`)]);
});

test('access policies decide by collection and right', async () => {
  const app = azure.registerApp();
  const { url } = await vault('policies', {
    accessPolicies: [
      { tenantId: azure.tenantId, objectId: app.objectId, permissions: { secrets: ['Set', 'get'], keys: ['all'] } },
    ],
  });
  expect((await send(app, 'PUT', `${url}secrets/one`, { value: 'v' })).status).toBe(200);
  expect((await send(app, 'GET', `${url}secrets/one/`)).body.value).toBe('v');
  const refused = await send(app, 'GET', `${url}secrets`);
  expect([refused.status, refused.body.error.innererror.code]).toEqual([403, 'AccessDenied']);
  expect(refused.body.error.message).toContain(`oid=${app.objectId}`);
  expect(refused.body.error.message).toContain('does not have secrets list permission on key vault');
  expect((await send(app, 'POST', `${url}keys/k/create`, { kty: 'EC' })).body.key.crv).toBe('P-256');
  expect((await send(app, 'POST', `${url}certificates/c/create`, {})).status).toBe(403);
});

test('roles decide where the vault says so, down to one secret', async () => {
  const [officer, user, reader] = [azure.registerApp(), azure.registerApp(), azure.registerApp()];
  const { id, url } = await vault('roles', { enableRbacAuthorization: true });
  azure.assignRole(officer.objectId, 'Key Vault Secrets Officer', id);
  azure.assignRole(user.objectId, 'Key Vault Secrets User', id);
  azure.assignRole(reader.objectId, 'Key Vault Secrets User', `${id}/secrets/mine`);
  for (const name of ['mine', 'other']) await send(officer, 'PUT', `${url}secrets/${name}`, { value: name });
  expect((await send(user, 'GET', `${url}secrets/other`)).body.value).toBe('other');
  const refused = await send(user, 'PUT', `${url}secrets/other`, { value: 'x' });
  expect([refused.status, refused.body.error.innererror.code]).toEqual([403, 'ForbiddenByRbac']);
  expect(refused.body.error.message).toContain("Action: 'Microsoft.KeyVault/vaults/secrets/setSecret/action'");
  expect((await send(reader, 'GET', `${url}secrets/mine`)).status).toBe(200);
  expect((await send(reader, 'GET', `${url}secrets/other`)).status).toBe(403);
  expect((await send(azure.defaultApp, 'GET', `${url}secrets/other`)).status).toBe(403);
});

test('a certificate is pending until its time has come, and other issuers wait for a merge', async () => {
  const { id, url } = await vault('certs', { enableRbacAuthorization: true });
  const app = azure.registerApp({ roles: [{ role: 'Key Vault Administrator', scope: id }] });
  const policy = { issuer: { name: 'Self' }, x509_props: { subject: 'CN=a.example' } };
  const accepted = await send(app, 'POST', `${url}certificates/web/create`, { policy });
  expect([accepted.status, accepted.body.status]).toEqual([202, 'inProgress']);
  expect((await send(app, 'GET', `${url}certificates/web`)).status).toBe(404);
  expect((await send(app, 'GET', `${url}certificates`)).body.value).toEqual([]);
  await clock.advance(1000);
  const pending = await send(app, 'GET', `${url}certificates/web/pending`);
  expect(pending.body).toMatchObject({ status: 'completed', target: `${url}certificates/web` });
  const shown = (await send(app, 'GET', `${url}certificates/web`)).body;
  expect([shown.kid, shown.sid]).toEqual([
    shown.id.replace('/certificates/', '/keys/'),
    shown.id.replace('/certificates/', '/secrets/'),
  ]);
  expect(shown.attributes.exp - shown.attributes.nbf).toBeGreaterThan(364 * 86_400);
  await send(app, 'POST', `${url}certificates/external/create`, { policy: { ...policy, issuer: { name: 'Unknown' } } });
  await clock.advance(60_000);
  expect((await send(app, 'GET', `${url}certificates/external/pending`)).body).toMatchObject({
    status: 'inProgress',
    csr: expect.any(String),
  });
});

test('secrets survive a backup and restore, and bad input is refused', async () => {
  const { id, url } = await vault('backups', { enableRbacAuthorization: true });
  const app = azure.registerApp({ roles: [{ role: 'Key Vault Administrator', scope: id }] });
  await send(app, 'PUT', `${url}secrets/kept`, { value: 'precious' });
  const backup = (await send(app, 'POST', `${url}secrets/kept/backup`)).body.value;
  expect((await send(app, 'POST', `${url}secrets/restore`, { value: backup })).status).toBe(409);
  await send(app, 'DELETE', `${url}secrets/kept`);
  expect((await send(app, 'DELETE', `${url}deletedsecrets/kept`)).status).toBe(204);
  expect((await send(app, 'POST', `${url}secrets/restore`, { value: backup })).status).toBe(200);
  expect((await send(app, 'GET', `${url}secrets/kept`)).body.value).toBe('precious');
  const code = async (method: string, path: string, body?: unknown) =>
    (await send(app, method, `${url}${path}`, body)).body.error.code;
  expect(await code('PUT', 'secrets/under_score', { value: 'x' })).toBe('BadParameter');
  expect(await code('PUT', 'secrets/big', { value: 'x'.repeat(25_601) })).toBe('BadParameter');
  expect(await code('GET', 'secrets?maxresults=26')).toBe('BadParameter');
  expect(await code('POST', 'keys/k/create', { kty: 'oct' })).toBe('BadParameter');
  expect(await code('GET', 'nonsense')).toBe('BadParameter');
});

test('no secret value is in the journal', async () => {
  const text = JSON.stringify(azure.journal.entries());
  expect(text).not.toContain('precious');
  expect(text).not.toContain(azure.defaultApp.secret);
  expect(text).not.toMatch(/eyJ/);
});
