import { expect, test } from '@jest/globals';
import { expand, groupId, machine } from './arm-templates.ts';

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
  const computed = expand([changed], texts, { name: { value: 'x' }, password: secret });
  expect(computed.problems).toEqual([]);
  expect(computed.nodes[0]?.manifest['spec']).toMatchObject({
    body: { properties: { osProfile: { adminPassword: '(secret)' } } },
    bodySecrets: [
      {
        path: '/properties/osProfile/adminPassword',
        expression: "[concat(parameters('secret0'), 'x')]",
        secrets: [{ name: 'admin', key: 'password' }],
      },
    ],
  });
  const name = expand([{ ...network, name: "[parameters('password')]" }], texts, {
    name: { value: 'x' },
    password: secret,
  });
  expect(name.problems).toMatchObject([{ message: expect.stringMatching(/^The name of a resource must be a string/) }]);
});

test('problems of the template have their line and column', () => {
  const { problems } = expand([{ ...network, name: "[nothing('x')]" }], {}, {});
  expect(problems[0]?.path).toMatch(/^template\.arm\.json line 1, column \d+ \(resources\[0\]\.name\)$/);
});

const waiting = { ...nic, dependsOn: ['net'], tags: { id: "[reference('net').resourceGuid]", a: 'b' } };
const netId = `${groupId}/providers/Microsoft.Network/virtualNetworks/net`;

test('an answer about a resource without an API version is read with the newest one of its type', () => {
  const { apiVersion: _, ...own } = network;
  const { nodes, problems } = expand([{ ...own, name: 'net' }, waiting], {}, {});
  expect(problems).toEqual([]);
  expect(nodes[1]?.answers).toMatchObject([{ id: netId, apiVersion: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }]);
});

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

test('answers about other resources, and lists that no object writes into a Secret, are read with the body', () => {
  const foreign =
    '/subscriptions/22222222-2222-2222-2222-222222222222/resourceGroups/x/providers/Microsoft.Web/sites/y';
  const keys = "listKeys(resourceId('Microsoft.Network/virtualNetworks', 'net'), '2020-11-01', createObject('a', 1))";
  const tags = {
    id: `[reference('${foreign}', '2022-03-01').defaultHostName]`,
    key: `[concat('k=', ${keys}.keys[0].value, reference('net').resourceGuid)]`,
  };
  const resources = [
    { ...network, name: 'net' },
    { ...nic, dependsOn: ['net'], tags },
  ];
  expect(expand(resources, {}, {}).problems).toEqual([]);
  const { nodes, problems } = expand(
    resources,
    {},
    {},
    { [netId]: { resource: { properties: { resourceGuid: 'g' } } } },
  );
  expect(problems).toEqual([]);
  expect(nodes[1]?.dependsOn).toEqual([nodes[0]?.key]);
  expect(nodes[1]?.manifest['spec']).toMatchObject({
    body: { tags: { id: '(secret)', key: '(secret)' } },
    bodySecrets: [
      {
        path: '/tags/id',
        expression: "[parameters('secret0')['properties']['defaultHostName']]",
        secrets: [{ azure: { id: foreign, apiVersion: '2022-03-01' } }],
      },
      {
        path: '/tags/key',
        expression: "[concat('k=', parameters('secret0')['keys'][0]['value'], 'g')]",
        secrets: [{ azure: { id: netId, apiVersion: '2020-11-01', action: 'listKeys', actionBody: { a: 1 } } }],
      },
    ],
  });
});

test('the same goal gives the same GUIDs, and another location gives others', () => {
  const parameters = { id: { type: 'string', defaultValue: '[newGuid()]' } };
  const resource = { ...network, name: 'net', tags: { id: "[parameters('id')]" } };
  const first = expand([resource], parameters, {});
  expect(first.problems).toEqual([]);
  expect(expand([resource], parameters, {})).toEqual(first);
});
