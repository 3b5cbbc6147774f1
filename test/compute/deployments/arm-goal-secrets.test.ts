import { expect, test } from '@jest/globals';
import { expand, machine, schema } from './arm-templates.ts';

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
  expect(expand([extension(settings), bare, account('st1')], {}, {})).toEqual({ nodes, problems, undecided: [] });
  expect(JSON.stringify(nodes)).not.toMatch(/\+\/Aa0/);
});

/** What the operator reads when it sends the body. */
const readAtRequest = (name: string) => ({
  azure: {
    id: expect.stringMatching(new RegExp(`/storageAccounts/${name}$`)),
    apiVersion: '2021-04-01',
    action: 'listKeys',
  },
});

test.each([
  ['changed by a function', `uriComponent(${keyOf('st1')})`],
  ['cut', `substring(${keyOf('st1')}, 0, 4)`],
  ['counted', `string(length(${keyOf('st1')}))`],
  ['in capitals', `toUpper(${keyOf('st1')})`],
  ['put together twice', `concat(${keyOf('st1')}, ${keyOf('st1')}, toLower(${keyOf('st1')}))`],
])('a key that is %s is read when the body is sent', (_name, key) => {
  const { nodes, problems } = expand([account('st1'), bare, extension({ key: `[${key}]` })], {}, {});
  expect(problems).toEqual([]);
  const user = nodes.find(({ kind }) => kind === 'ArmResource');
  expect(user?.manifest['spec']).toMatchObject({
    body: { properties: { protectedSettings: { key: '(secret)' } } },
    bodySecrets: [
      {
        path: '/properties/protectedSettings/key',
        expression: `[${key.replaceAll(keyOf('st1', ''), "parameters('secret0')").replaceAll('.keys[0].value', "['keys'][0]['value']")}]`,
        secrets: [readAtRequest('st1')],
      },
    ],
  });
  expect(user?.dependsOn).toContain(nodes.find(({ kind }) => kind === 'StorageAccount')?.key);
});

test('keys of two accounts are read when the body is sent', () => {
  const settings = { one: `[${keyOf('st1')}]`, two: `[${keyOf('st2')}]` };
  const { nodes, problems } = expand([account('st1'), account('st2'), bare, extension(settings)], {}, {});
  expect(problems).toEqual([]);
  const user = nodes.find(({ kind }) => kind === 'ArmResource');
  expect(user?.manifest['spec']).toMatchObject({
    bodySecrets: [{ secrets: [readAtRequest('st1')] }, { secrets: [readAtRequest('st2')] }],
  });
});

test.each([
  ['put together with a secure parameter', { key: `[concat(parameters('password'), ${keyOf('st1')})]` }],
  ['beside a secure parameter with a default', { one: `[${keyOf('st1')}]`, two: "[parameters('password')]" }],
])('a key that is %s is refused, with the place and with what to use', (_name, settings) => {
  const parameters = { password: { type: 'securestring', defaultValue: 'hunter2' } };
  const { problems } = expand([account('st1'), bare, extension(settings)], parameters, {});
  expect(problems).toMatchObject([
    {
      path: expect.stringMatching(/line \d+, column \d+/),
      message: expect.stringMatching(/value of a secure parameter would stand .*give a secure parameter/),
    },
  ]);
  expect(JSON.stringify(problems)).not.toMatch(/hunter2|Aa0/);
});

test('a list function that the kind has not is read when the body is sent', () => {
  const sas = "listAccountSas(resourceId('Microsoft.Storage/storageAccounts', 'st1'), '2021-04-01').accountSasToken";
  const { nodes, problems } = expand([account('st1'), bare, extension({ key: `[${sas}]` })], {}, {});
  expect(problems).toEqual([]);
  const secrets = [{ azure: { ...readAtRequest('st1').azure, action: 'listAccountSas' } }];
  expect(nodes.find(({ kind }) => kind === 'ArmResource')?.manifest['spec']).toMatchObject({
    bodySecrets: [{ secrets }],
  });
});

test('a key that the answer has not is refused', () => {
  const { problems } = expand(
    [account('st1'), bare, extension({ key: `[${keyOf('st1', '.keys[7].value')}]` })],
    {},
    {},
  );
  expect(problems.map((each) => each.message).join(' ')).toMatch(/keys|index|bounds|7/);
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
    const found = expand([extension(settings), bare], parameters, { ...given, password: other });
    expect(found.problems).toEqual([]);
    const each = (name: string, secret: object) => ({
      path: `/properties/protectedSettings/${name}`,
      secrets: [secret],
    });
    expect(found.nodes.find(({ kind }) => kind === 'ArmResource')?.manifest['spec']).toMatchObject({
      type: 'Microsoft.Compute/virtualMachines/extensions@2022-03-01',
      bodySecrets: [each('user', given.user.secret), each('password', other.secret)],
    });
  }
});

test('a secure parameter of a linked template never becomes a part of an expression', () => {
  const parameters = { password: { type: 'securestring', defaultValue: 'hunter2' } };
  const settings = { key: `[concat(parameters('password'), ${keyOf('st1')})]` };
  const resources = [extension(settings), bare, account('st1')];
  const text = JSON.stringify({ $schema: schema, contentVersion: '1.0.0.0', parameters, resources });
  const linked = {
    type: 'Microsoft.Resources/deployments',
    apiVersion: '2022-09-01',
    name: 'linked',
    properties: { mode: 'Incremental', templateLink: { relativePath: 'linked.json' } },
  };
  const { nodes, problems } = expand([linked], {}, {}, undefined, { 'linked.json': text });
  expect(JSON.stringify(problems)).toContain('The value of a secure parameter would stand in the deployment');
  expect(JSON.stringify([nodes, problems])).not.toContain('hunter2');
});

test('a text over an answer of Azure and a Secret waits for the answer, and has no value of the Secret', () => {
  const site = {
    type: 'Microsoft.Web/sites/config',
    apiVersion: '2022-03-01',
    name: 'web/connectionstrings',
    properties: {
      main: {
        value: "[format('Host={0};Password={1}', reference('st1').primaryEndpoints.blob, parameters('password'))]",
        type: 'MySql',
      },
    },
  };
  const parameters = { password: { type: 'securestring' } };
  const given = { password: { secret: { name: 'db', key: 'password' } } };
  const open = expand([account('st1'), site], parameters, given);
  expect(open.problems).toEqual([]);
  expect(JSON.stringify(open.nodes[1]?.manifest)).toContain('knownAfterApply');
  const id = open.nodes[0]?.armId ?? '';
  const resource = { properties: { primaryEndpoints: { blob: "https://it's" } } };
  const { nodes } = expand([account('st1'), site], parameters, given, { [id]: { resource } });
  expect(nodes[1]?.manifest['spec']).toMatchObject({
    body: { properties: { main: { value: '(secret)', type: 'MySql' } } },
    bodySecrets: [
      {
        path: '/properties/main/value',
        expression: "[format('Host={0};Password={1}', 'https://it''s', parameters('secret0'))]",
        secrets: [{ name: 'db', key: 'password' }],
      },
    ],
  });
});
