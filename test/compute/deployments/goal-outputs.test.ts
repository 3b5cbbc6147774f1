import { expect, test } from '@jest/globals';
import { goalOutputs } from '../../../runtime/compute/deployments/goal-outputs.ts';
import { groupId, schema, target } from './arm-templates.ts';

const account = {
  type: 'Microsoft.Storage/storageAccounts',
  apiVersion: '2025-06-01',
  name: 'shop',
  location: 'westeurope',
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
};
const id = `${groupId}/providers/Microsoft.Storage/storageAccounts/shop`;
const key = 'StorageAccount.storage.azure.com/westeurope-shop';
const keyOf = "listKeys('shop', '2025-06-01').keys[0].value";

/** The outputs of a template with a storage account. */
function outputsOf(outputs: object, { parameters = {}, given = {}, answers = {} } = {}) {
  const json = JSON.stringify({
    $schema: schema,
    contentVersion: '1.0.0.0',
    parameters,
    resources: [account],
    outputs,
  });
  const goal = { json, location: 'westeurope', namespace: 'team', deployment: 'shop', at: '2026-01-01T00:00:00.000Z' };
  return goalOutputs({ ...goal, target, parameters: given, answers });
}

test('outputs are text by their types: arrays and objects are JSON, and those without a value are left out', () => {
  const made = outputsOf({
    text: { type: 'string', value: 'a' },
    count: { type: 'int', value: 3 },
    isOn: { type: 'bool', value: true },
    list: { type: 'array', value: [1, 'b'] },
    map: { type: 'object', value: { a: { b: null } } },
    skipped: { type: 'string', condition: false, value: 'a' },
  });
  expect(made).toEqual({
    outputs: [
      { name: 'text', text: 'a' },
      { name: 'count', text: '3' },
      { name: 'isOn', text: 'true' },
      { name: 'list', text: '[1,"b"]' },
      { name: 'map', text: '{"a":{"b":null}}' },
    ],
    needed: [],
    problems: [],
  });
});

test('an output waits for the answer that it needs', () => {
  const outputs = { endpoint: { type: 'string', value: "[reference('shop').primaryEndpoints.blob]" } };
  const needed = [{ id, key, apiVersion: '2025-06-01' }];
  expect(outputsOf(outputs)).toEqual({ outputs: [], needed, problems: [] });
  const answers = { [id]: { resource: { id, properties: { primaryEndpoints: { blob: 'https://shop' } } } } };
  expect(outputsOf(outputs, { answers }).outputs).toEqual([{ name: 'endpoint', text: 'https://shop' }]);
});

test('what is secret by its type or by its value is for a Secret alone', () => {
  const parameters = { password: { type: 'securestring' }, settings: { type: 'secureObject' } };
  const given = {
    password: { secret: { name: 'web', key: 'password' } },
    settings: { secret: { name: 'web', key: 'settings' } },
  };
  const secret0 = "[parameters('secret0')]";
  const { outputs, problems } = outputsOf(
    {
      typed: { type: 'securestring', value: 'hunter2' },
      object: { type: 'secureObject', value: { a: 'hunter2' } },
      plain: { type: 'string', value: "[parameters('password')]" },
      url: { type: 'string', value: "[concat('https://', parameters('password'))]" },
      nested: { type: 'object', value: { password: "[parameters('password')]" } },
      secure: { type: 'secureObject', value: { password: "[parameters('password')]" } },
      settings: { type: 'secureObject', value: "[parameters('settings')]" },
      listed: { type: 'string', value: `[${keyOf}]` },
    },
    { parameters, given },
  );
  expect(problems).toEqual([]);
  const password = { secret: { name: 'web', key: 'password' } };
  const list = { id, apiVersion: '2025-06-01', action: 'listKeys' };
  const whole = "[createObject('password', parameters('secret0'))]";
  expect(outputs).toEqual([
    { name: 'typed', expression: secret0, sources: [{ value: 'hunter2' }] },
    { name: 'object', expression: secret0, sources: [{ value: '{"a":"hunter2"}' }] },
    { name: 'plain', expression: secret0, sources: [password] },
    { name: 'url', expression: "[concat('https://', parameters('secret0'))]", sources: [password] },
    { name: 'nested', expression: whole, sources: [password] },
    { name: 'secure', expression: whole, sources: [password] },
    { name: 'settings', expression: "[json(parameters('secret0'))]", sources: [{ secret: given.settings.secret }] },
    {
      name: 'listed',
      expression: "[parameters('secret0')['keys'][0]['value']]",
      sources: [{ answer: { id, key, apiVersion: '2025-06-01' }, list }],
    },
  ]);
});

test('a part that is secret by its type makes its output one for a Secret', () => {
  const properties = { user: { type: 'string' }, password: { type: 'securestring' } };
  const login = { type: 'object', properties, value: { user: 'alice', password: 'hunter2' } };
  expect(outputsOf({ login }).outputs).toEqual([
    {
      name: 'login',
      expression: "[createObject('user', 'alice', 'password', parameters('secret0'))]",
      sources: [{ value: 'hunter2' }],
    },
  ]);
});

const vaultId = `${groupId}/providers/Microsoft.KeyVault/vaults/v`;
test.each([
  ['a name that is no key', { 'a b': { type: 'string', value: 'a' } }, /no key of a ConfigMap/],
  [
    'an answer about another resource',
    { a: { type: 'string', value: `[reference('${vaultId}', '2023-07-01').vaultUri]` } },
    /which is no resource of the template/,
  ],
  [
    'a list about another resource',
    { a: { type: 'string', value: `[listKeys('${vaultId}', '2023-07-01').a]` } },
    /no resource/,
  ],
])('%s is refused in an output', (_, outputs, message) => {
  const { outputs: made, problems } = outputsOf(outputs);
  expect(made).toEqual([]);
  expect(problems).toEqual([
    { path: expect.stringMatching(/^template\.arm\.json outputs\.a/), message: expect.stringMatching(message) },
  ]);
});

test('values of ManagedSecrets and of Key Vaults are sources of a secret output', () => {
  const parameters = { vault: { type: 'securestring' }, managed: { type: 'securestring' } };
  const given = {
    vault: { reference: { keyVault: { id: vaultId }, secretName: 's', secretVersion: '1' } },
    managed: { managedSecret: 'web' },
  };
  const { outputs, problems } = outputsOf(
    {
      a: { type: 'string', value: "[parameters('managed')]" },
      b: { type: 'string', value: "[concat(parameters('managed'), ':', parameters('vault'))]" },
    },
    { parameters, given },
  );
  expect(problems).toEqual([]);
  const managed = { managedSecret: 'web' };
  expect(outputs).toEqual([
    { name: 'a', expression: "[parameters('secret0')]", sources: [managed] },
    {
      name: 'b',
      expression: "[concat(parameters('secret0'), ':', parameters('secret1'))]",
      sources: [managed, { keyVault: { id: vaultId, secret: 's', version: '1' } }],
    },
  ]);
});
