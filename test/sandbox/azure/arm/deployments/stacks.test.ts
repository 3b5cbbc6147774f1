import { expect, test } from '@jest/globals';
import { azure, client, clock, code, group, provider } from '../world.ts';

const version = '2025-07-01';
const at = (name: string, scope = group) => `${scope}/providers/Microsoft.Resources/deploymentStacks/${name}`;
const identity = (name: string) => provider(`Microsoft.ManagedIdentity/userAssignedIdentities/${name}`);
const identities = (...names: string[]) => ({
  $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
  contentVersion: '1.0.0.0',
  resources: names.map((name) => ({
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    apiVersion: '2023-01-31',
    name,
    location: 'westus2',
  })),
  outputs: { count: { type: 'int', value: names.length } },
});
const stack = (template: unknown, resources = 'delete', mode = 'none', more = {}) => ({
  properties: { template, actionOnUnmanage: { resources }, denySettings: { mode }, ...more },
});

/** Polls a stack until it has ended. */
async function ended(id: string) {
  for (let round = 0; round < 20; round += 1) {
    const { body: shown } = await client.arm('GET', id, version);
    if (/^(succeeded|failed)$/.test(shown.properties?.provisioningState ?? 'succeeded')) return shown;
    await clock.advance(1000);
  }
  throw new Error(`${id} does not end`);
}

test('a stack deploys its template, shows what it manages, and deletes what a later template lacks', async () => {
  const made = await client.arm('PUT', at('one'), version, stack(identities('aaa', 'bbb')));
  expect([made.status, made.body.properties.provisioningState]).toEqual([201, 'deploying']);
  const status = made.headers['azure-asyncoperation'] as string;
  expect(status).toMatch(/\/providers\/Microsoft.Resources\/locations\/westus2\/deploymentStackOperationStatus\//);
  const shown = await ended(at('one'));
  expect(shown.properties).toMatchObject({
    provisioningState: 'succeeded',
    outputs: { count: { type: 'Int', value: 2 } },
    resources: [
      { id: identity('aaa'), status: 'managed', denyStatus: 'none' },
      { id: identity('bbb'), status: 'managed', denyStatus: 'none' },
    ],
  });
  const polled = await client.send('GET', status, { token: await client.token() });
  expect(polled.body).toMatchObject({ status: 'Succeeded' });
  const again = await client.arm('PUT', at('one'), version, stack(identities('bbb', 'ccc')));
  expect(again.status).toBe(200);
  expect((await ended(at('one'))).properties).toMatchObject({
    deletedResources: [{ id: identity('aaa') }],
    detachedResources: [],
    resources: [{ id: identity('bbb') }, { id: identity('ccc') }],
  });
  expect((await client.arm('GET', identity('aaa'), '2023-01-31')).status).toBe(404);
  const listed = await client.arm('GET', `${group}/providers/Microsoft.Resources/deploymentStacks`, version);
  expect(listed.body.value).toHaveLength(1);
  const exported = await client.arm('POST', `${at('one')}/exportTemplate`, version);
  expect(exported.body.template).toEqual(identities('bbb', 'ccc'));
});

test('what leaves a stack with detach stays; a DELETE says itself what becomes of the resources', async () => {
  await client.arm('PUT', at('two'), version, stack(identities('aaa', 'bbb'), 'detach'));
  await ended(at('two'));
  await client.arm('PUT', at('two'), version, stack(identities('bbb'), 'detach'));
  expect((await ended(at('two'))).properties.detachedResources).toEqual([{ id: identity('aaa') }]);
  const url = `${azure.endpoints.arm}${at('two')}?api-version=${version}&unmanageAction.Resources=delete`;
  const removed = await client.send('DELETE', url, { token: await client.token() });
  expect([removed.status, await code('GET', at('two'), version)]).toEqual([202, [404, 'DeploymentStackNotFound']]);
  const there = async (name: string) => (await client.arm('GET', identity(name), '2023-01-31')).status;
  expect([await there('aaa'), await there('bbb')]).toEqual([200, 404]);
  expect((await client.arm('DELETE', at('two'), version)).status).toBe(204);
});

test('a stack that cannot deploy or delete fails, and says why', async () => {
  const bad = { ...identities(), resources: [{ ...identities('aaa').resources[0], name: 'x'.repeat(200) }] };
  await client.arm('PUT', at('three'), version, stack(bad));
  expect((await ended(at('three'))).properties).toMatchObject({
    provisioningState: 'failed',
    error: { code: 'DeploymentStackDeploymentFailed' },
  });
  await client.arm('PUT', at('three'), version, stack(identities('aaa')));
  await ended(at('three'));
  const lock = `${identity('aaa')}/providers/Microsoft.Authorization/locks/keep`;
  await client.arm('PUT', lock, '2020-05-01', { properties: { level: 'CanNotDelete' } });
  await client.arm('PUT', at('three'), version, stack(identities()));
  expect((await ended(at('three'))).properties).toMatchObject({
    error: { code: 'DeploymentStackDeleteResourcesFailed' },
    failedResources: [{ id: identity('aaa'), error: { code: 'ScopeLocked' } }],
    resources: [{ id: identity('aaa') }],
  });
  expect(await code('PUT', at('three'), version, { properties: { template: identities() } })).toEqual([
    400,
    'InvalidRequestContent',
  ]);
  const wrong = stack({ ...identities('aaa'), outputs: { a: { type: 'string', value: '[nope()]' } } });
  expect(await code('POST', `${at('three')}/validate`, version, wrong)).toEqual([400, 'InvalidTemplate']);
});

test('deny settings refuse a delete by others, and not that by the stack', async () => {
  await client.arm('PUT', at('four'), version, stack(identities('aaa'), 'delete', 'denyDelete'));
  await ended(at('four'));
  expect(await code('DELETE', identity('aaa'), '2023-01-31')).toEqual([403, 'DenyAssignmentAuthorizationFailed']);
  const write = await client.arm('PUT', identity('aaa'), '2023-01-31', { location: 'westus2', tags: { a: 'b' } });
  expect(write.status).toBe(200);
  const excluded = { denySettings: { mode: 'denyWriteAndDelete', excludedPrincipals: [azure.defaultApp.objectId] } };
  await client.arm('PUT', at('four'), version, stack(identities('aaa'), 'delete', 'none', excluded));
  await ended(at('four'));
  expect((await client.arm('DELETE', identity('aaa'), '2023-01-31')).status).toBe(200);
});

test('a stack of a subscription makes groups, and deletes them with what is in them', async () => {
  const scope = `/subscriptions/${azure.subscriptionId}`;
  const template = {
    ...identities(),
    resources: [
      { type: 'Microsoft.Resources/resourceGroups', apiVersion: '2021-04-01', name: 'made', location: 'westus2' },
    ],
  };
  const more = { actionOnUnmanage: { resources: 'delete', resourceGroups: 'delete' } };
  const body = { location: 'westus2', ...stack(template, 'delete', 'none', more) };
  await client.arm('PUT', at('five', scope), version, body);
  expect((await ended(at('five', scope))).properties.resources).toEqual([
    { id: `${scope}/resourceGroups/made`, status: 'managed', denyStatus: 'none' },
  ]);
  const query = 'unmanageAction.Resources=delete&unmanageAction.ResourceGroups=delete';
  const url = `${azure.endpoints.arm}${at('five', scope)}?api-version=${version}&${query}`;
  await client.send('DELETE', url, { token: await client.token() });
  await ended(at('five', scope));
  expect((await client.arm('GET', `${scope}/resourceGroups/made`, '2021-04-01')).status).toBe(404);
});
