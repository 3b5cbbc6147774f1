import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ResourceType } from '../../../../runtime/kube/client/types.ts';
import { ScaledClock } from '../../../fakes/scaled-clock.ts';
import { configMaps, events, secrets, startWorld, types, until, type World } from '../../support.ts';
import { deploymentType, readyOf, runIn, runType } from '../deployment-world.ts';

const mark = 'marked-7f3a-value';
const keyOf = "listKeys('outputsshop', '2025-06-01').keys[0].value";
const json = JSON.stringify({
  $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
  contentVersion: '1.0.0.0',
  parameters: { password: { type: 'securestring' } },
  resources: [
    {
      type: 'Microsoft.Storage/storageAccounts',
      apiVersion: '2025-06-01',
      name: 'outputsshop',
      location: '[resourceGroup().location]',
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      properties: {},
    },
  ],
  outputs: {
    blob: { type: 'string', value: "[reference('outputsshop').primaryEndpoints.blob]" },
    zones: { type: 'array', value: [1, 2] },
    connection: { type: 'string', value: "[concat('user:', parameters('password'))]" },
    account: { type: 'secureObject', value: { key: `[${keyOf}]` } },
  },
});
const outputs = { configMap: { name: 'shop-${location}' }, secret: { name: 'shop-${location}' } };
const spec = (change: object = {}) => ({
  locations: [{ name: 'westeurope' }],
  parameters: { password: { secret: { name: 'web', key: 'password' } } },
  template: { arm: { json, owner: { name: 'shop-westeurope' } } },
  outputs,
  ...change,
});

let world: World;
beforeAll(async () => {
  const kinds = [types.group, types.account].map(({ group, kind }) => `${group}/${kind}`).join(';');
  world = await startWorld({ deployments: true, clock: new ScaledClock(10), kinds });
  await world.startOperator({}, { syncPeriodMs: 20_000 });
  await world.apply(types.group, 'shop-westeurope', { location: 'westeurope' });
  await create(secrets, 'web', { data: { password: Buffer.from(mark).toString('base64') } });
});
afterAll(() => world.close());

const create = async (type: ResourceType, name: string, rest: object) => {
  const apiVersion = type.group === '' ? 'v1' : `${type.group}/${type.version}`;
  await world.client.create(type, { apiVersion, kind: type.kind, metadata: { namespace: 'default', name }, ...rest });
};
const dataOf = async (type: ResourceType, name: string) =>
  (await world.client.tryGet(type, { namespace: 'default', name }))?.['data'] as Record<string, string> | undefined;
const reason = (deployment: string, expected: string) =>
  until(`${deployment} is ${expected}`, async () => {
    const ready = await readyOf(world, deployment);
    return ready?.reason === expected && ready;
  });

test('the outputs of a run are in a ConfigMap, and secret ones in a Secret alone', async () => {
  await world.apply(deploymentType, 'shop', spec());
  await runIn(world, 'shop', 'Succeeded');
  await reason('shop', 'Succeeded');
  const account = (await world.get(types.account, 'westeurope-outputsshop'))['status'].id as string;
  const { body } = await world.portal.arm('POST', `${account}/listKeys`, '2025-06-01');
  const key = body.keys[0].value as string;
  expect(await dataOf(configMaps, 'shop-westeurope')).toEqual({
    blob: expect.stringContaining('outputsshop'),
    zones: '[1,2]',
  });
  const data = Object.entries((await dataOf(secrets, 'shop-westeurope')) ?? {});
  expect(Object.fromEntries(data.map(([name, text]) => [name, Buffer.from(text, 'base64').toString()]))).toEqual({
    connection: `user:${mark}`,
    account: JSON.stringify({ key }),
  });
  const { uid } = (await world.get(deploymentType, 'shop')).metadata;
  for (const type of [configMaps, secrets])
    expect((await world.get(type, 'shop-westeurope')).metadata.ownerReferences).toMatchObject([{ uid }]);
  for (const type of [deploymentType, runType, configMaps, events, types.account]) {
    const shown = JSON.stringify(await world.client.list(type, { namespace: 'default' }));
    for (const secret of [mark, key, Buffer.from(mark).toString('base64')]) expect(shown).not.toContain(secret);
  }
  for (const secret of [mark, key]) expect(world.log.join('\n')).not.toContain(secret);
});

test('a key that somebody renews in Azure reaches the Secret', async () => {
  const account = (await world.get(types.account, 'westeurope-outputsshop'))['status'].id as string;
  const renewed = await world.portal.arm('POST', `${account}/regenerateKey`, '2025-06-01', { keyName: 'key1' });
  const { value } = renewed.body.keys[0] as { value: string };
  await until('the Secret has the new key', async () => {
    const data = await dataOf(secrets, 'shop-westeurope');
    return Buffer.from(data?.['account'] ?? '', 'base64').toString() === JSON.stringify({ key: value });
  });
  for (const type of [deploymentType, runType, configMaps, events])
    expect(JSON.stringify(await world.client.list(type, { namespace: 'default' }))).not.toContain(value);
});

test('another deployment takes outputs as parameters, and runs again when they change', async () => {
  const parameters = { zones: { type: 'array' }, connection: { type: 'securestring' } };
  const group = { type: 'Microsoft.Resources/resourceGroups', apiVersion: '2020-06-01', location: 'westeurope' };
  const schema = 'https://schema.management.azure.com/schemas/2018-05-01/subscriptionDeploymentTemplate.json#';
  const tags = { zones: "[string(length(parameters('zones')))]", hasUser: "[string(empty(parameters('connection')))]" };
  const resources = [{ ...group, name: 'consumer', tags }];
  const text = JSON.stringify({ $schema: schema, contentVersion: '1.0.0.0', parameters, resources });
  await world.apply(deploymentType, 'consumer', {
    locations: [{ name: 'westeurope' }],
    parameters: {
      zones: { configMap: { name: 'shop-westeurope', key: 'zones' } },
      connection: { secret: { name: 'shop-westeurope', key: 'connection' } },
    },
    template: { arm: { json: text, owner: { name: 'shop-westeurope' } } },
  });
  await runIn(world, 'consumer', 'Succeeded');
  const tagsOf = async () => (await world.get(types.group, 'westeurope-consumer'))['spec'].tags;
  expect(await tagsOf()).toEqual({ zones: '2', hasUser: 'False' });

  const three = json.replace('[1,2]', '[1,2,3]');
  await world.apply(
    deploymentType,
    'shop',
    spec({ template: { arm: { json: three, owner: { name: 'shop-westeurope' } } } }),
  );
  await runIn(world, 'consumer', 'Succeeded', 2);
  expect(await tagsOf()).toEqual({ zones: '3', hasUser: 'False' });
  expect(JSON.stringify(await world.client.list(runType, { namespace: 'default' }))).not.toContain(mark);
});

test('a ConfigMap of somebody else stays as it is, and the deployment says so until it is gone', async () => {
  await create(configMaps, 'taken', { data: { blob: 'theirs' } });
  await world.apply(deploymentType, 'shop', spec({ outputs: { configMap: { name: 'taken' } } }));
  expect((await reason('shop', 'OutputsNotWritten')).message).toContain('ConfigMap taken exists and does not belong');
  expect(await dataOf(configMaps, 'taken')).toEqual({ blob: 'theirs' });
  await world.client.delete(configMaps, { namespace: 'default', name: 'taken' });
  await reason('shop', 'Succeeded');
  expect(Object.keys((await dataOf(configMaps, 'taken')) ?? {})).toEqual(['blob', 'zones']);
});

test('a service account without the right to a ConfigMap gets none', async () => {
  const change = { serviceAccountName: 'nobody', outputs: { configMap: { name: 'denied' } } };
  await world.apply(deploymentType, 'shop', spec(change));
  const { message } = await reason('shop', 'OutputsNotWritten');
  expect(message).toMatch(/service account nobody of the deployment may not/);
  expect(await dataOf(configMaps, 'denied')).toBeUndefined();
});

test('several locations need names of their own', async () => {
  const locations = [{ name: 'westeurope' }, { name: 'northeurope' }];
  await world.apply(deploymentType, 'two', spec({ locations, outputs: { configMap: { name: 'one' } } }));
  const { message } = await reason('two', 'TemplateInvalid');
  expect(message).toContain('spec.outputs.configMap.name: each location has outputs of its own');
});
