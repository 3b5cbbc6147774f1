import { expect, test } from '@jest/globals';
import { azure, client, clock, code, group, provider } from './world.ts';

const account = provider('Microsoft.Storage/storageAccounts/account1');
const content = { location: 'westus2', sku: { name: 'Standard_LRS' }, kind: 'StorageV2', properties: {} };
const subscription = `/subscriptions/${azure.subscriptionId}`;
const policies = `${subscription}/providers/Microsoft.Authorization`;
const version = '2023-04-01';

test('locks keep resources from deletion and from writes, below and above them', async () => {
  await client.arm('PUT', account, '2023-01-01', content);
  await clock.advance(1000);
  const lock = `${account}/providers/Microsoft.Authorization/locks/keep`;
  const locked = (level: string) => client.arm('PUT', lock, '2020-05-01', { properties: { level } });
  expect((await locked('Nothing')).body.error.code).toBe('InvalidLockLevel');
  expect((await locked('CanNotDelete')).status).toBe(201);
  expect(await code('DELETE', account, '2023-01-01')).toEqual([409, 'ScopeLocked']);
  expect(await code('DELETE', group, '2021-04-01')).toEqual([409, 'ScopeLocked']);
  expect(await code('PATCH', account, '2023-01-01', { tags: { a: 'b' } })).toEqual([200, undefined]);
  await locked('ReadOnly');
  expect(await code('PATCH', account, '2023-01-01', { tags: { a: 'c' } })).toEqual([409, 'ScopeLocked']);
  expect(await code('POST', `${account}/listKeys`, '2023-01-01')).toEqual([409, 'ScopeLocked']);
  expect(await code('GET', account, '2023-01-01')).toEqual([200, undefined]);
  expect(await code('DELETE', lock, '2020-05-01')).toEqual([200, undefined]);
  expect(await code('DELETE', account, '2023-01-01')).toEqual([200, undefined]);
});

/** Defines a policy and assigns it to the group. */
async function assign(name: string, condition: unknown, effect: unknown, parameters = {}, given = {}) {
  // biome-ignore lint/suspicious/noThenProperty: the name that policies have
  const policyRule = { if: condition, then: effect };
  const definition = `${policies}/policyDefinitions/${name}`;
  const made = await client.arm('PUT', definition, version, { properties: { mode: 'All', parameters, policyRule } });
  expect(made.status).toBe(201);
  const assignment = `${group}/providers/Microsoft.Authorization/policyAssignments/${name}`;
  const properties = { policyDefinitionId: definition, parameters: given };
  expect(await code('PUT', assignment, version, { properties })).toEqual([201, undefined]);
  return assignment;
}

test('a policy denies what fits its rule, unless it is not enforced', async () => {
  const condition = {
    allOf: [
      { field: 'type', equals: 'Microsoft.Storage/storageAccounts' },
      { not: { field: 'location', in: "[parameters('places')]" } },
    ],
  };
  const parameters = { places: { type: 'Array' } };
  const assignment = await assign('places', condition, { effect: 'deny' }, parameters, {
    places: { value: ['westeurope'] },
  });
  const refused = await client.arm('PUT', account, '2023-01-01', content);
  expect([refused.status, refused.body.error.code]).toEqual([403, 'RequestDisallowedByPolicy']);
  expect(refused.body.error.additionalInfo[0].info).toMatchObject({ policyAssignmentName: 'places' });
  expect(await code('PUT', account, '2023-01-01', { ...content, location: 'westeurope' })).toEqual([202, undefined]);
  const { body } = await client.arm('GET', assignment, version);
  const off = { properties: { ...body.properties, enforcementMode: 'DoNotEnforce' } };
  await client.arm('PUT', assignment, version, off);
  const other = provider('Microsoft.Storage/storageAccounts/account2');
  expect(await code('PUT', other, '2023-01-01', content)).toEqual([202, undefined]);
});

test('a policy modifies what is written, and an audit lets it through', async () => {
  const operations = [{ operation: 'addOrReplace', field: "tags['team']", value: "[resourceGroup().tags['team']]" }];
  await client.arm('PUT', group, '2021-04-01', { location: 'westus2', tags: { team: 'blue' } });
  await assign('team', { field: "tags['team']", exists: 'false' }, { effect: 'modify', details: { operations } });
  const https = 'Microsoft.Storage/storageAccounts/supportsHttpsTrafficOnly';
  await assign('https', { field: https, notEquals: 'true' }, { effect: 'audit' });
  await client.arm('PUT', account, '2023-01-01', content);
  expect((await client.arm('GET', account, '2023-01-01')).body.tags).toEqual({ team: 'blue' });
  const missing = `${policies}/policyDefinitions/none`;
  const properties = { policyDefinitionId: missing };
  const assignment = `${policies}/policyAssignments/none`;
  expect(await code('PUT', assignment, version, { properties })).toEqual([404, 'PolicyDefinitionNotFound']);
});

test('a policy definition stays while an assignment has it', async () => {
  const condition = { field: 'type', equals: 'Microsoft.Web/sites' };
  const assignment = await assign('kept', condition, { effect: 'audit' });
  const definition = `${policies}/policyDefinitions/kept`;
  expect(await code('DELETE', definition, version)).toEqual([400, 'InvalidDeletePolicyDefinitionRequest']);
  expect(await code('DELETE', assignment, version)).toEqual([200, undefined]);
  expect(await code('DELETE', definition, version)).toEqual([200, undefined]);
});

test('tags of subscriptions, groups and resources can be read and written on their own', async () => {
  const tags = (scope: string) => `${scope}/providers/Microsoft.Resources/tags/default`;
  const read = async (scope: string) => (await client.arm('GET', tags(scope), '2021-04-01')).body.properties.tags;
  for (const scope of [subscription, group]) {
    await client.arm('PUT', tags(scope), '2021-04-01', { properties: { tags: { a: '1', b: '2' } } });
    const merged = { operation: 'Merge', properties: { tags: { b: '3', c: '4' } } };
    await client.arm('PATCH', tags(scope), '2021-04-01', merged);
    await client.arm('PATCH', tags(scope), '2021-04-01', { operation: 'Delete', properties: { tags: { a: '1' } } });
    expect(await read(scope)).toEqual({ b: '3', c: '4' });
    expect(await code('DELETE', tags(scope), '2021-04-01')).toEqual([200, undefined]);
    expect(await read(scope)).toEqual({});
  }
  expect((await client.arm('GET', group, '2021-04-01')).body.tags).toEqual({});
});

test('a template spec shows its versions, and is deleted at once with them', async () => {
  const spec = provider('Microsoft.Resources/templateSpecs/spec');
  const put = (id: string, properties: object) =>
    client.arm('PUT', id, '2022-02-01', { location: 'westus2', properties });
  expect((await put(spec, { description: 'mine' })).status).toBe(201);
  const mainTemplate = { contentVersion: '1.0.0.0', resources: [] };
  expect((await put(`${spec}/versions/1.0`, { description: 'first', mainTemplate })).status).toBe(201);
  expect((await put(`${spec}/versions/2.0`, {})).body.error.code).toBe('InvalidTemplateSpecVersionDefinition');
  const shown = await client.arm('GET', spec, '2022-02-01');
  expect(shown.body.properties).toMatchObject({ description: 'mine', versions: { '1.0': { description: 'first' } } });
  const version = await client.arm('GET', `${spec}/versions/1.0`, '2022-02-01');
  expect(version.body.properties.mainTemplate).toEqual(mainTemplate);
  expect((await client.arm('DELETE', spec, '2022-02-01')).status).toBe(200);
  expect((await client.arm('GET', `${spec}/versions/1.0`, '2022-02-01')).status).toBe(404);
});
