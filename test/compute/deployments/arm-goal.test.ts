import { expect, test } from '@jest/globals';
import { expandLocation } from '../../../runtime/compute/deployments/expand-goal.ts';
import type { Goal } from '../../../runtime/compute/deployments/goal.ts';
import type { Answers } from '../../../runtime/compute/deployments/open-values.ts';

const groupId = '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/shop-westeurope';
const target = { groupId, groupName: 'shop-westeurope', tenantId: '' };
const place = { namespace: 'team', deployment: 'shop', location: 'westeurope' };
const schema = 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#';

const network = {
  type: 'Microsoft.Network/virtualNetworks',
  apiVersion: '2020-11-01',
  name: "[parameters('name')]",
  location: '[resourceGroup().location]',
  properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
};
const nic = {
  type: 'Microsoft.Network/networkInterfaces',
  apiVersion: '2020-11-01',
  name: 'nic',
  location: '[resourceGroup().location]',
  dependsOn: ["[parameters('name')]"],
  properties: { ipConfigurations: [{ name: 'ip', properties: { privateIPAllocationMethod: 'Dynamic' } }] },
};
const machine = {
  type: 'Microsoft.Compute/virtualMachines',
  apiVersion: '2022-03-01',
  name: 'web',
  location: '[resourceGroup().location]',
  properties: {
    hardwareProfile: { vmSize: 'Standard_B2s' },
    osProfile: { computerName: 'web', adminUsername: 'azureuser', adminPassword: "[parameters('password')]" },
    storageProfile: { osDisk: { createOption: 'FromImage' } },
  },
};

function expand(resources: readonly object[], parameters: object, given: object, answers?: Answers) {
  const json = JSON.stringify({ $schema: schema, contentVersion: '1.0.0.0', parameters, resources });
  const goal: Goal = {
    template: { arm: { json, owner: { name: 'shop-${location}' } } },
    parameters: given as Goal['parameters'],
    locations: [{ name: 'westeurope', parameters: {} }],
    at: '2026-01-01T00:00:00.000Z',
  };
  return expandLocation(goal, place, target, answers);
}

const texts = { name: { type: 'string' }, password: { type: 'securestring' } };
const secret = { secret: { name: 'admin', key: 'password' } };

test('resources of a template become objects with names of the location, in the order of their dependencies', () => {
  const { nodes, problems } = expand([network, nic], { name: texts.name }, { name: { value: 'Net' } });
  expect(problems).toEqual([]);
  expect(nodes.map(({ key, pipeline, dependsOn }) => ({ key, pipeline, dependsOn }))).toEqual([
    { key: 'VirtualNetwork.network.azure.com/westeurope-net', pipeline: 'network', dependsOn: [] },
    {
      key: 'NetworkInterface.network.azure.com/westeurope-nic',
      pipeline: 'network',
      dependsOn: ['VirtualNetwork.network.azure.com/westeurope-net'],
    },
  ]);
  expect(nodes[0]?.manifest['spec']).toMatchObject({
    azureName: 'Net',
    location: 'westeurope',
    owner: { name: 'shop-westeurope' },
  });
});

test('a secure parameter takes a Secret of the namespace, whose reference comes into the object', () => {
  const { nodes, problems } = expand([network, nic, machine], texts, { name: { value: 'net' }, password: secret });
  expect(problems.map(({ message }) => message)).toEqual([]);
  const machineNode = nodes.find(({ kind }) => kind === 'VirtualMachine');
  const spec = machineNode?.manifest['spec'];
  // No text of a template can pass for a reference.
  const forged = expand([{ ...network, tags: { a: '(secret admin/password)' } }], texts, {
    name: { value: 'net' },
    password: secret,
  });
  expect(forged.nodes[0]?.manifest['spec']).toMatchObject({ tags: { a: '(secret admin/password)' } });
  expect(spec).toMatchObject({ osProfile: { adminPassword: { name: 'admin', key: 'password' } } });
  expect(JSON.stringify(nodes)).not.toContain('(secret ');
});

test('a secret is refused where it would be read by everybody', () => {
  const clear = expand([machine], texts, { name: { value: 'x' }, password: { value: 'hunter2-Hunter2' } });
  expect(JSON.stringify(clear.problems)).toContain('would stand in the deployment for all readers');
  expect(JSON.stringify(clear)).not.toContain('hunter2');
  const open = expand([network], { name: { type: 'string' } }, { name: secret });
  expect(open.problems.length).toBeGreaterThan(0);
  const changed = {
    ...machine,
    properties: {
      ...machine.properties,
      osProfile: { ...machine.properties.osProfile, adminPassword: "[concat(parameters('password'), 'x')]" },
    },
  };
  expect(JSON.stringify(expand([changed], texts, { name: { value: 'x' }, password: secret }).problems)).toContain(
    "use the secret's value whole",
  );
});

test('problems of the template have their line and column', () => {
  const { problems } = expand([{ ...network, name: "[nothing('x')]" }], {}, {});
  expect(problems[0]?.path).toMatch(/^template\.arm\.json line 1, column \d+ \(resources\[0\]\)$/);
});

const waiting = { ...nic, dependsOn: ['net'], tags: { id: "[reference('net').resourceGuid]", a: 'b' } };
const netId = `${groupId}/providers/Microsoft.Network/virtualNetworks/net`;

test('a body that needs an answer of Azure waits for its resource, has a marker, and is complete with the answer', () => {
  const resources = [{ ...network, name: 'net' }, waiting];
  const open = expand(resources, {}, {});
  expect(open.problems).toEqual([]);
  const [, found] = open.nodes;
  const key = 'VirtualNetwork.network.azure.com/westeurope-net';
  expect(found).toMatchObject({ dependsOn: [key], answers: [{ id: netId, key, apiVersion: '2020-11-01' }] });
  expect(found?.manifest['spec']).toMatchObject({
    tags: { id: { knownAfterApply: "reference('net').resourceGuid" }, a: 'b' },
  });
  const known = expand(resources, {}, {}, { [netId]: { resource: { properties: { resourceGuid: 'guid' } } } });
  const [, complete] = known.nodes;
  expect(complete?.manifest['spec']).toMatchObject({ tags: { id: 'guid', a: 'b' } });
  expect(complete?.answers).toBeUndefined();
});

test('an answer of the wrong form is a problem with its position', () => {
  const resources = [{ ...network, name: 'net' }, waiting];
  const missing = expand(resources, {}, {}, { [netId]: { resource: { properties: {} } } });
  expect(missing.problems[0]?.path).toMatch(/^template\.arm\.json line 1, column \d+/);
  const other = expand(resources, {}, {}, { [netId]: { resource: { properties: { resourceGuid: 7 } } } });
  expect(other.problems[0]?.path).toMatch(/^template\.arm\.json line 1, column \d+ \(resources\[1\]\)$/);
});

test('answers about other resources, and secrets that Azure lists, are refused by name with their position', () => {
  const foreign =
    '/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/x/providers/Microsoft.Web/sites/y';
  const outside = { ...network, tags: { id: `[reference('${foreign}', '2022-03-01').defaultHostName]` }, name: 'net' };
  const [problem] = expand([outside], {}, {}).problems;
  expect(problem).toMatchObject({
    message: expect.stringContaining(`${foreign}, which is no resource of the template`),
  });
  expect(problem?.path).toMatch(/line 1, column/);
  const keys = "[listKeys(resourceId('Microsoft.Network/virtualNetworks', 'net'), '2020-11-01').keys[0].value]";
  const inSpec = expand(
    [
      { ...network, name: 'net' },
      { ...nic, dependsOn: ['net'], tags: { key: keys } },
    ],
    {},
    {},
  );
  expect(inSpec.problems).toMatchObject([
    { message: expect.stringContaining('is a secret'), path: expect.stringMatching(/tags\.key/) },
  ]);
  const profile = { ...machine.properties.osProfile, adminPassword: keys };
  const asPassword = { ...machine, dependsOn: ['net'], properties: { ...machine.properties, osProfile: profile } };
  const inSecret = expand([{ ...network, name: 'net' }, asPassword], {}, {});
  expect(inSecret.problems).toMatchObject([
    { message: expect.stringMatching(/^The answer of listKeys\(.* is a secret, which a deployment does not read/) },
  ]);
});

const account = (name: string) => ({
  type: 'Microsoft.Storage/storageAccounts',
  apiVersion: '2021-04-01',
  name,
  location: '[resourceGroup().location]',
  sku: { name: 'Standard_LRS' },
  kind: 'StorageV2',
  properties: {},
});
const keyOf = (name: string, rest = '.keys[0].value') =>
  `listKeys(resourceId('Microsoft.Storage/storageAccounts', '${name}'), '2021-04-01')${rest}`;
const { adminPassword: _, ...withoutPassword } = machine.properties.osProfile;
const bare = { ...machine, properties: { ...machine.properties, osProfile: withoutPassword } };
const extension = (protectedSettings: object) => ({
  type: 'Microsoft.Compute/virtualMachines/extensions',
  apiVersion: '2022-03-01',
  name: 'web/script',
  location: '[resourceGroup().location]',
  dependsOn: ['web'],
  properties: {
    publisher: 'Microsoft.Azure.Extensions',
    type: 'CustomScript',
    typeHandlerVersion: '2.1',
    protectedSettings,
  },
});

test('a key that Azure lists comes from the object of its resource, by a Secret that this object writes', () => {
  const settings = {
    storageAccountName: 'st1',
    storageAccountKey: `[${keyOf('st1')}]`,
    connection: `[concat('AccountName=st1;"Key"=', ${keyOf('st1', '.Keys[1].Value')}, ';')]`,
  };
  const { nodes, problems } = expand([extension(settings), bare, account('st1')], {}, {});
  expect(problems).toEqual([]);
  const [source, user] = ['StorageAccount', 'VirtualMachinesExtension'].map((kind) =>
    nodes.find((node) => node.kind === kind),
  );
  const spec = user?.manifest['spec'] as { protectedSettings: { name: string } };
  const { name } = spec.protectedSettings;
  expect(name).toMatch(/^westeurope-web-script/);
  expect(source?.manifest['spec']).toMatchObject({
    operatorSpec: {
      secretExpressions: [
        { name, key: 'storageAccountName', value: '"st1"' },
        { name, key: 'storageAccountKey', value: 'secret.key1' },
        { name, key: 'connection', value: '"AccountName=st1;\\"Key\\"=" + secret.key2 + ";"' },
      ],
    },
  });
  expect(user?.dependsOn).toContain(source?.key);
  // The values that stand for keys while the template is expanded are nowhere, and the goal is the same each time.
  expect(expand([extension(settings), bare, account('st1')], {}, {})).toEqual({ nodes, problems });
  expect(JSON.stringify(nodes)).not.toMatch(/\+\/Aa0/);
});

test.each([
  ['changed by a function', { key: `[uriComponent(${keyOf('st1')})]` }],
  ['cut', { key: `[substring(${keyOf('st1')}, 0, 4)]` }],
  ['counted', { key: `[string(length(${keyOf('st1')}))]` }],
  ['put together with a secure parameter', { key: `[concat(parameters('password'), ${keyOf('st1')})]` }],
  ['in capitals', { key: `[toUpper(${keyOf('st1')})]` }],
  ['of two accounts', { one: `[${keyOf('st1')}]`, two: `[${keyOf('st2')}]` }],
  ['beside a secure parameter with a default', { one: `[${keyOf('st1')}]`, two: "[parameters('password')]" }],
])('a key that is %s is refused, with the place and with what to use', (_name, settings) => {
  const parameters = { password: { type: 'securestring', defaultValue: 'hunter2' } };
  const { problems } = expand([account('st1'), account('st2'), bare, extension(settings)], parameters, {});
  expect(problems).toMatchObject([
    {
      path: expect.stringMatching(/line \d+, column \d+/),
      message: expect.stringMatching(
        /is a secret, which a deployment does not read: .*operatorSpec\.secrets.*managedSecret/,
      ),
    },
  ]);
  expect(JSON.stringify(problems)).not.toMatch(/hunter2|Aa0/);
});

test.each([
  ['a resource outside of the template', `[${keyOf('other')}]`, /no resource of the template|not defined/],
  ['a key that the answer has not', `[${keyOf('st1', '.keys[7].value')}]`, /keys|index|bounds|7/],
  [
    'a list function that the kind has not',
    "[listAccountSas(resourceId('Microsoft.Storage/storageAccounts', 'st1'), '2021-04-01').accountSasToken]",
    /operatorSpec\.secrets/,
  ],
])('%s is refused', (_name, key, message) => {
  const { problems } = expand([account('st1'), bare, extension({ key })], {}, {});
  expect(problems.map((each) => each.message).join(' ')).toMatch(message);
});

test('settings that stand in the template get a Secret that the object of the machine writes', () => {
  const settings = { commandToExecute: `[concat('sh install.sh "', resourceGroup().name, '"')]`, port: '80' };
  const { nodes, problems } = expand([extension(settings), bare], {}, {});
  expect(problems).toEqual([]);
  const [vm, user] = ['VirtualMachine', 'VirtualMachinesExtension'].map((kind) =>
    nodes.find((node) => node.kind === kind),
  );
  const spec = user?.manifest['spec'] as { protectedSettings: { name: string } };
  const { name } = spec.protectedSettings;
  expect(vm?.manifest['spec']).toMatchObject({
    operatorSpec: {
      secretExpressions: [
        { name, key: 'commandToExecute', value: JSON.stringify('sh install.sh "shop-westeurope"') },
        { name, key: 'port', value: '"80"' },
      ],
    },
  });
  expect(user?.dependsOn).toEqual([vm?.key]);
});

test('settings that no object can write are refused for what they are', () => {
  const long = expand([extension({ script: 'x'.repeat(5000) }), bare], {}, {}).problems;
  expect(long).toMatchObject([
    { message: expect.stringMatching(/^script: .* stand in the template.*4096 characters/) },
  ]);
  expect(JSON.stringify(long)).not.toMatch(/secure parameter/);
  const alone = expand([{ ...extension({ script: 'ls' }), dependsOn: [] }], {}, {}).problems;
  expect(alone).toMatchObject([{ message: expect.stringContaining('depend on another one of the template') }]);
  const many = Object.fromEntries(Array.from({ length: 101 }, (_each, index) => [`setting${index}`, 'x']));
  const full = expand([extension(many), bare], {}, {}).problems;
  expect(full).toMatchObject([{ message: expect.stringMatching(/and 96 more: .*100 values at most/) }]);
  const profile = { ...machine.properties.osProfile, adminPassword: 'hunter2-Hunter2' };
  const open = { ...machine, properties: { ...machine.properties, osProfile: profile } };
  const [clear] = expand([open], {}, {}).problems;
  expect(clear?.message).toMatch(/^osProfile\.adminPassword stands in the template for all readers/);
  expect(clear?.message).not.toContain('hunter2');
});

test('settings can be all values of one Secret, under their own keys', () => {
  const parameters = { user: { type: 'securestring' }, password: { type: 'securestring' } };
  const from = (name: string, key: string) => ({ secret: { name, key } });
  const settings = { user: "[parameters('user')]", password: "[parameters('password')]" };
  const given = { user: from('join', 'user'), password: from('join', 'password') };
  const { nodes, problems } = expand([extension(settings), bare], parameters, given);
  expect(problems).toEqual([]);
  const user = nodes.find(({ kind }) => kind === 'VirtualMachinesExtension');
  expect(user?.manifest['spec']).toMatchObject({ protectedSettings: { name: 'join' } });
  for (const other of [from('other', 'password'), from('join', 'pass')]) {
    const found = expand([extension(settings), bare], parameters, { ...given, password: other }).problems;
    expect(found[0]?.message).toContain('all values of one Secret, whose keys are the names of the settings');
  }
});

test('the same goal gives the same GUIDs, and another location gives others', () => {
  const parameters = { id: { type: 'string', defaultValue: '[newGuid()]' } };
  const resource = { ...network, name: 'net', tags: { id: "[parameters('id')]" } };
  const first = expand([resource], parameters, {});
  expect(first.problems).toEqual([]);
  expect(expand([resource], parameters, {})).toEqual(first);
});
