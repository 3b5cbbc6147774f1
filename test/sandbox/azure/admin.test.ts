import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { TestClient } from './client.ts';

const clock = new ManualClock(Date.UTC(2026, 5, 1));
let azure: EmbeddedAzure;
let client: TestClient;
let group: string;

beforeAll(async () => {
  azure = await startEmbeddedAzure({ clock, adminToken: 'admin' });
  client = new TestClient(azure);
  group = `/subscriptions/${azure.subscriptionId}/resourceGroups/rg`;
});

beforeEach(async () => {
  await admin('POST', '/reset');
});

afterAll(async () => {
  await client.close();
  await azure.close();
});

const admin = (method: string, path: string, body?: unknown, token = 'admin') =>
  client.send(method, `${azure.endpoints.admin}${path}`, { token, ...(body === undefined ? {} : { body }) });

const put = (tags = {}) => client.arm('PUT', group, '2021-04-01', { location: 'westus2', tags });

test('the admin endpoint wants its token and knows its paths', async () => {
  expect((await admin('GET', '/journal', undefined, 'wrong')).status).toBe(401);
  expect((await admin('GET', '/nowhere')).status).toBe(404);
  const bad = await admin('GET', '/journal?nonsense=1');
  expect([bad.status, bad.body.error]).toEqual([400, expect.stringContaining('Expected `nonsense` to be')]);
});

test('a fault answers the requests it names, as often as it says, and nothing happens behind it', async () => {
  await admin('POST', '/faults', {
    id: 'html',
    service: 'arm',
    method: 'PUT',
    path: 'resourceGroups/rg',
    times: 2,
    status: 503,
    body: '<html>busy</html>',
    headers: { 'retry-after': '7' },
  });
  const answers = [await put(), await put(), await put()];
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 201]);
  expect(answers[0]?.headers).toMatchObject({ 'content-type': 'text/html', 'retry-after': '7' });
  const entries = (await admin('GET', '/journal?service=arm&method=PUT')).body;
  expect(entries.map(({ fault, effective, status }: Record<string, unknown>) => [fault, effective, status])).toEqual([
    ['html', false, 503],
    ['html', false, 503],
    [undefined, true, 201],
  ]);
  expect((await admin('GET', '/faults')).body).toMatchObject([{ id: 'html', hits: 2 }]);
  expect((await admin('DELETE', '/faults/html')).status).toBe(204);
  expect((await admin('DELETE', '/faults/html')).status).toBe(400);
});

test('a connection can break before the work or after it', async () => {
  await admin('POST', '/faults', { service: 'arm', connection: 'drop' });
  await expect(put()).rejects.toThrow();
  expect((await client.arm('HEAD', group, '2021-04-01')).status).toBe(404);
  await admin('POST', '/faults', { service: 'arm', connection: 'dropAfter' });
  await expect(put()).rejects.toThrow();
  expect((await client.arm('HEAD', group, '2021-04-01')).status).toBe(204);
  expect(
    azure.journal.entries({ service: 'arm', method: 'PUT' }).map(({ status, effective }) => [status, effective]),
  ).toEqual([
    [0, false],
    [0, true],
  ]);
});

test('the journal says which token authorised what, and finds one that was used twice', async () => {
  await put();
  await put({ changed: 'yes' });
  await put({ changed: 'yes' });
  expect((await admin('GET', '/journal?service=arm&effective=true')).body).toHaveLength(2);
  expect((await admin('GET', '/journal/reused')).body).toEqual([]);
  const tokens = (await admin('GET', '/journal/tokens')).body;
  expect(new Set(tokens.map(({ tokenId }: { tokenId: string }) => tokenId)).size).toBe(3);
  const token = await client.token();
  const url = `${azure.endpoints.arm}${group}?api-version=2021-04-01`;
  for (const tags of [{ a: 'a' }, { b: 'b' }])
    await client.send('PUT', url, { token, body: { location: 'westus2', tags } });
  expect((await admin('GET', '/journal/reused')).body).toMatchObject([{ method: 'PUT', status: 200 }]);
  const hashes = azure.journal.entries({ method: 'PUT' }).map(({ bodyHash }) => bodyHash);
  expect([hashes[1] === hashes[2], hashes[0] === hashes[1]]).toEqual([true, false]);
});

test('settings, time, apps, identities and roles can be changed from outside', async () => {
  const settings = await admin('PATCH', '/settings', {
    arm: { operationMs: 5 },
    tokens: { tokenLifetimeSeconds: 60 },
    throttle: { reads: { size: 9, refillPerSecond: 1 } },
  });
  expect(settings.body).toMatchObject({ arm: { operationMs: 5, pageSize: 100 }, throttle: { reads: { size: 9 } } });
  expect(azure.tokenSettings.tokenLifetimeSeconds).toBe(60);
  const before = (await admin('GET', '/clock')).body.now;
  expect((await admin('POST', '/clock', { advanceMs: 1500 })).body.now).toBe(before + 1500);
  const app = (await admin('POST', '/apps', { displayName: 'x' })).body;
  expect(await client.token(undefined, app)).toMatch(/^eyJ/);
  expect((await admin('POST', '/roles', { principalId: app.objectId, role: 'Reader', scope: group })).status).toBe(204);
  await admin('POST', '/roles', { principalId: app.clientId, role: 'Contributor', scope: group });
  const { body } = await client.arm('GET', `${group}/providers/Microsoft.Authorization/roleAssignments`, '2022-04-01');
  const assignees = body.value.map((each: { properties: { principalId: string } }) => each.properties.principalId);
  expect(assignees.filter((each: string) => each === app.objectId)).toHaveLength(2);
  expect(
    (await admin('POST', '/roles', { principalId: app.objectId, role: 'King', scope: group })).body.error,
  ).toContain('King');
  expect((await admin('POST', '/identities', { systemAssigned: true })).body.systemAssigned).toBe(true);
  expect((await admin('GET', '/env')).body.AZURE_CLIENT_ID).toBe(azure.defaultApp.clientId);
});

test('with one seed two sandboxes generate the same ids, and a state file carries everything over a restart', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'azimuth-state-'));
  const stateFile = join(directory, 'state.json');
  const first = await startEmbeddedAzure({ seed: 'same', stateFile });
  const other = await startEmbeddedAzure({ seed: 'same' });
  expect([first.tenantId, first.defaultApp]).toEqual([other.tenantId, other.defaultApp]);
  const own = new TestClient(first);
  const id = `/subscriptions/${first.subscriptionId}/resourceGroups/kept`;
  const body = { location: 'westus2' };
  await own.arm('PUT', id, '2021-04-01', body);
  const properties = {
    tenantId: first.tenantId,
    sku: { name: 'standard' },
    accessPolicies: [{ objectId: first.defaultApp.objectId, permissions: { secrets: ['all'] } }],
  };
  const vault = await own.arm('PUT', `${id}/providers/Microsoft.KeyVault/vaults/kept-vault`, '2023-07-01', {
    ...body,
    properties,
  });
  const secret = async (using: TestClient, method: string, value?: object) =>
    using.send(method, `${vault.body.properties.vaultUri}secrets/s?api-version=7.4`, {
      token: await using.token('https://vault.azure.net/.default'),
      ...(value ? { body: value } : {}),
    });
  await secret(own, 'PUT', { value: 'kept' });
  await own.close();
  await Promise.all([first.close(), other.close()]);
  expect(statSync(stateFile).mode & 0o077).toBe(0);

  const second = await startEmbeddedAzure({ seed: 'same', stateFile });
  expect([second.caPem, second.defaultApp.secret, second.tenantId]).toEqual([
    first.caPem,
    first.defaultApp.secret,
    first.tenantId,
  ]);
  const again = new TestClient(second);
  expect((await again.arm('PUT', id, '2021-04-01', body)).status).toBe(200);
  expect((await secret(again, 'GET')).body.value).toBe('kept');
  await again.close();
  await second.close();
  rmSync(directory, { recursive: true, force: true });
  // The keys of a seed are searched for in JavaScript, which takes its time on a busy machine.
});
