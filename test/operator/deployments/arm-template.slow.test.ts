import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { templateWithIdentity } from '../../compute/deployments/arm-templates.ts';
import { armRequests, configMaps, types, until, type World } from '../support.ts';
import { deploymentType, namesOf, readyOf, runIn, startDeploymentWorld } from './deployment-world.ts';

let world: World;

beforeAll(async () => {
  world = await startDeploymentWorld();
  await world.startOperator();
});
afterAll(async () => world.close());

const json = JSON.stringify({
  $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
  contentVersion: '1.0.0.0',
  parameters: { prefix: { type: 'string' }, count: { type: 'int', defaultValue: 1 } },
  resources: [
    {
      type: 'Microsoft.Network/virtualNetworks',
      apiVersion: '2025-03-01',
      name: "[concat('net', copyIndex())]",
      copy: { name: 'nets', count: "[parameters('count')]" },
      location: '[resourceGroup().location]',
      properties: { addressSpace: { addressPrefixes: ["[parameters('prefix')]"] } },
    },
  ],
});
const spec = (count: number) => ({
  locations: [
    { name: 'westeurope', parameters: { prefix: { value: '10.0.0.0/16' } } },
    { name: 'northeurope', parameters: { prefix: { value: '10.1.0.0/16' } } },
  ],
  parameters: { count: { value: count } },
  template: { arm: { json, owner: { name: 'shop-${location}' } } },
});

test('an ARM template waits for its resource groups, runs in each location, changes, and leaves nothing behind', async () => {
  await world.apply(deploymentType, 'arm', spec(2));
  const absent = 'The ResourceGroup shop-westeurope has no ARM id yet';
  await until('the condition names it', async () => (await readyOf(world, 'arm'))?.message?.includes(absent));
  for (const location of ['westeurope', 'northeurope'])
    await world.apply(types.group, `shop-${location}`, { location });
  const run = await runIn(world, 'arm', 'Succeeded');
  expect(run['status'].locations.map(({ state }: { state: string }) => state)).toEqual(['Succeeded', 'Succeeded']);
  const network = await world.get(types.network, 'northeurope-net1');
  expect(network['spec']).toMatchObject({
    azureName: 'net1',
    owner: { name: 'shop-northeurope' },
    addressSpace: { addressPrefixes: ['10.1.0.0/16'] },
  });
  await world.apply(deploymentType, 'arm', spec(1));
  await runIn(world, 'arm', 'Succeeded', 2);
  expect((await namesOf(world, types.network)).sort()).toEqual(['northeurope-net0', 'westeurope-net0']);
  await world.client.delete(deploymentType, { namespace: 'default', name: 'arm' });
  await until(
    'it is gone',
    async () => !(await world.client.tryGet(deploymentType, { namespace: 'default', name: 'arm' })),
  );
  expect(await namesOf(world, types.network)).toEqual([]);
});

test('a template beyond the limit of an object is refused at the write with a way; one below it runs', async () => {
  await world.apply(types.group, 'shop-uksouth', { location: 'uksouth' });
  const padded = (length: number) => ({
    locations: [{ name: 'uksouth', parameters: { prefix: { value: '10.0.0.0/16' } } }],
    template: { arm: { json: `${json}${' '.repeat(length - json.length)}`, owner: { name: 'shop-uksouth' } } },
  });
  const refused = world.apply(deploymentType, 'long', padded(850_001));
  await expect(refused).rejects.toThrow(
    /an object takes 850000 characters of a template: minify its JSON, as jq -c does/,
  );
  await world.apply(deploymentType, 'long', padded(850_000));
  await runIn(world, 'long', 'Succeeded');
  await world.client.delete(deploymentType, { namespace: 'default', name: 'long' });
  await until('the network is gone', async () => !(await namesOf(world, types.network)).includes('uksouth-net0'));
});

test('a linked template comes from a ConfigMap, whose change makes a new run', async () => {
  await world.apply(types.group, 'shop-uksouth', { location: 'uksouth' });
  const nested = (prefix: string) => ({ 'network.json': json.replace(/\[parameters\('prefix'\)\]/, prefix) });
  const map = (data: object) =>
    world.client.apply(
      configMaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'texts' }, data },
      { fieldManager: 'test', force: true },
    );
  const { $schema, contentVersion } = JSON.parse(json);
  const link = {
    type: 'Microsoft.Resources/deployments',
    apiVersion: '2021-04-01',
    name: 'network',
    properties: {
      mode: 'Incremental',
      templateLink: { relativePath: 'nested/network.json' },
      parameters: { prefix: { value: '10.9.0.0/16' } },
    },
  };
  const text = JSON.stringify({ $schema, contentVersion, resources: [link] });
  const arm = {
    json: text,
    owner: { name: 'shop-uksouth' },
    linkedTemplatesFrom: [{ configMap: { name: 'texts' } }],
  };
  await world.apply(deploymentType, 'linked', { locations: [{ name: 'uksouth' }], template: { arm } });
  const absent = 'linkedTemplatesFrom[0]: The ConfigMap texts does not exist: create it';
  await until('the condition names it', async () => (await readyOf(world, 'linked'))?.message?.includes(absent));
  await map(nested('10.7.0.0/16'));
  await runIn(world, 'linked', 'Succeeded');
  const prefixes = async () => (await world.get(types.network, 'uksouth-net0'))['spec'].addressSpace.addressPrefixes;
  expect(await prefixes()).toEqual(['10.7.0.0/16']);
  await map(nested('10.8.0.0/16'));
  await runIn(world, 'linked', 'Succeeded', 2);
  expect(await prefixes()).toEqual(['10.8.0.0/16']);
  await world.client.delete(deploymentType, { namespace: 'default', name: 'linked' });
  await until('the network is gone', async () => !(await namesOf(world, types.network)).includes('uksouth-net0'));
});

/** An account whose tag is what Azure has made for the identity before it. */
const answered = (expression: string, ...others: readonly object[]) =>
  templateWithIdentity(...others, {
    type: 'Microsoft.Storage/storageAccounts',
    // The cluster of the test serves the newest version of each kind.
    apiVersion: '2025-06-01',
    name: 'shopanswers',
    location: '[resourceGroup().location]',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    tags: { principal: `[${expression}]` },
    properties: {},
  });
const answeredSpec = (expression: string) => ({
  locations: [{ name: 'westus' }],
  template: { arm: { json: answered(expression), owner: { name: 'shop-westus' } } },
});

test('a body gets the answer of Azure about a resource of its template, once that is Ready', async () => {
  await world.apply(types.group, 'shop-westus', { location: 'westus' });
  await world.apply(deploymentType, 'answered', answeredSpec("reference('shop').principalId"));
  await runIn(world, 'answered', 'Succeeded');
  const identity = await world.get(types.identity, 'westus-shop');
  const account = await world.get(types.account, 'westus-shopanswers');
  const { principalId } = identity['status'];
  expect(principalId).toMatch(/^[0-9a-f-]{36}$/);
  expect(account['spec'].tags).toEqual({ principal: principalId });
  // The goal is the same, whatever Azure answers: the deployment changes nothing further.
  const { generation } = account.metadata;
  await world.apply(deploymentType, 'answered', { ...answeredSpec("reference('shop').principalId"), retry: 'again' });
  await runIn(world, 'answered', 'Succeeded', 2);
  expect((await world.get(types.account, 'westus-shopanswers')).metadata.generation).toBe(generation);

  await world.apply(deploymentType, 'answered', answeredSpec("reference('shop').nothing"));
  const failed = await runIn(world, 'answered', 'Failed', 3);
  expect(failed['status'].locations[0]).toMatchObject({
    reason: 'AnswerInvalid',
    message: expect.stringMatching(/template\.arm\.json line 1, column \d+ .*nothing/),
  });
});

test('an answer may name the next resource whose answer a body needs', async () => {
  const identities = 'Microsoft.ManagedIdentity/userAssignedIdentities';
  const next = { type: identities, apiVersion: '2023-01-31', name: 'next', location: '[resourceGroup().location]' };
  const name = "if(empty(reference('shop').principalId), 'none', 'next')";
  const tag = `reference(resourceId('${identities}', ${name}), '2023-01-31').principalId`;
  const text = answered(tag, next).replace('shopanswers', 'shopchain');
  await world.apply(types.group, 'shop-ukwest', { location: 'ukwest' });
  const arm = { json: text, owner: { name: 'shop-ukwest' } };
  await world.apply(deploymentType, 'chain', { locations: [{ name: 'ukwest' }], template: { arm } });
  await runIn(world, 'chain', 'Succeeded');
  const { principalId } = (await world.get(types.identity, 'ukwest-next'))['status'];
  expect((await world.get(types.account, 'ukwest-shopchain'))['spec'].tags).toEqual({ principal: principalId });
});

test('an object whose body gets another kind is detached: the resource stays in Azure, and the new object has it', async () => {
  const resource = (properties: object) => ({
    type: 'Microsoft.Network/virtualNetworks',
    apiVersion: '2025-03-01',
    name: 'moved',
    location: '[resourceGroup().location]',
    properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] }, ...properties },
  });
  const movedSpec = (properties: object) => {
    const { $schema, contentVersion } = JSON.parse(json);
    const text = JSON.stringify({ $schema, contentVersion, resources: [resource(properties)] });
    return { locations: [{ name: 'eastus' }], template: { arm: { json: text, owner: { name: 'shop-eastus' } } } };
  };
  await world.apply(types.group, 'shop-eastus', { location: 'eastus' });
  await world.apply(deploymentType, 'moved', movedSpec({}));
  await runIn(world, 'moved', 'Succeeded');
  const { id } = (await world.get(types.network, 'eastus-moved'))['status'];
  // A member that the kind does not know makes it an ArmResource of another name.
  await world.apply(deploymentType, 'moved', movedSpec({ memberOfALaterVersion: true }));
  await runIn(world, 'moved', 'Succeeded', 2);
  expect(await namesOf(world, types.network)).toEqual([]);
  const { items } = await world.client.list(types.armResource, { namespace: 'default' });
  expect(items.map(({ status }) => status.id)).toEqual([id]);
  expect(armRequests(world, 'DELETE', /virtualNetworks\/moved/)).toEqual([]);
  // And back again.
  await world.apply(deploymentType, 'moved', movedSpec({}));
  await runIn(world, 'moved', 'Succeeded', 3);
  expect((await world.get(types.network, 'eastus-moved'))['status'].id).toBe(id);
  expect((await world.client.list(types.armResource, { namespace: 'default' })).items).toEqual([]);
  expect(armRequests(world, 'DELETE', /virtualNetworks\/moved/)).toEqual([]);
});
