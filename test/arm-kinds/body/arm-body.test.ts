import { expect, test } from '@jest/globals';
import { armKinds } from '../../../runtime/api/kinds.ts';
import type { ArmKind, FieldTree } from '../../../runtime/api/types.ts';
import { armBody } from '../../../runtime/arm-kinds/body/arm-body.ts';
import { withEnumWords } from '../../../runtime/arm-kinds/body/enum-values.ts';
import { armDiff } from '../../../runtime/arm-kinds/comparison/arm-diff.ts';
import { inputsOf } from '../../../runtime/arm-kinds/inputs.ts';
import {
  hasSecrets,
  revealSecrets,
  SecretValue,
  withoutSecretMembers,
} from '../../../runtime/arm-kinds/secret-value.ts';

const armOf = (kind: string) =>
  armKinds.find((each) => each.kind === kind && each.group !== 'dbformariadb.azure.com')?.arm as ArmKind;
const subnet = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/virtualNetworks/v/subnets/one';
const identity = '/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/i';

test('fields go where ARM has them: outside or inside properties, renamed, references as ids, identities as a map', () => {
  const spec = {
    location: 'westeurope',
    sku: { name: 'Standard_LRS' },
    kind: 'StorageV2',
    minimumTlsVersion: 'TLS1_2',
    identity: { type: 'UserAssigned', userAssignedIdentities: [{ reference: { armId: identity } }] },
    networkAcls: {
      defaultAction: 'Deny',
      virtualNetworkRules: [{ action: 'Allow', reference: { armId: subnet } }],
      ipRules: [{ valueFromConfig: { name: 'net', key: 'ip' } }],
    },
    owner: { name: 'rg' },
    azureName: 'x',
    operatorSpec: {},
  };
  const arm = armOf('StorageAccount');
  const inputs = new Map<string, unknown>([
    ['identity.userAssignedIdentities[0].reference', identity],
    ['networkAcls.virtualNetworkRules[0].reference', subnet],
    ['networkAcls.ipRules[0].valueFromConfig', '10.0.0.1'],
  ]);
  expect(
    inputsOf(arm.fields, spec)
      .map(({ path }) => path)
      .sort(),
  ).toEqual([...inputs.keys()].sort());
  const body = armBody(arm, 'v20250601', spec, inputs);
  expect(body).toMatchObject({
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    identity: { type: 'UserAssigned', userAssignedIdentities: { [identity]: {} } },
    properties: {
      minimumTlsVersion: 'TLS1_2',
      networkAcls: {
        defaultAction: 'Deny',
        virtualNetworkRules: [{ action: 'Allow', id: subnet }],
        ipRules: [{ value: '10.0.0.1' }],
        ipv6Rules: null,
      },
    },
  });
  expect(body).not.toHaveProperty('owner');
  expect(body).not.toHaveProperty('properties.azureName');
  expect(body).not.toHaveProperty('properties.operatorSpec');
});

test('collections that a version does not know are not sent as absent under it, nor are its unknown fields', () => {
  const arm = armOf('StorageAccount');
  const spec = { sku: { name: 'Standard_LRS', tier: 'Standard' }, networkAcls: { defaultAction: 'Deny' } };
  const older = armBody(arm, 'v20230101', spec, new Map()) as { properties: { networkAcls: object }; sku: object };
  expect(older.properties.networkAcls).not.toHaveProperty('ipv6Rules');
  expect(older.properties.networkAcls).toHaveProperty('ipRules', null);
  expect(older.sku).toHaveProperty('tier');
  expect(armBody(arm, 'v20250601', spec, new Map())['sku']).not.toHaveProperty('tier');
});

test('what stands for absent collections makes no object of its own, as in recorded requests', () => {
  const arm = armOf('StorageAccountsBlobServicesContainer');
  expect(armBody(arm, 'v20230101', {}, new Map())).toEqual({});
  expect(armBody(arm, 'v20230101', { publicAccess: 'None' }, new Map())).toEqual({
    properties: { publicAccess: 'None', metadata: null },
  });
});

test('a member that ARM has elsewhere in the parent is moved or inlined there', () => {
  const fields: FieldTree = {
    type: 'object',
    properties: {
      nested: { type: 'object', arm: '', properties: { deep: { type: 'string', arm: 'properties.deep' } } },
      frontends: {
        type: 'array',
        items: { type: 'object', properties: { subnet: { type: 'reference', arm: 'properties.subnet.id' } } },
      },
      password: { type: 'secret', arm: 'properties.auth.password' },
    },
  };
  const arm = { ...armOf('StorageAccount'), fields, topLevel: [], propertiesFlattened: false };
  const spec = { nested: { deep: 'x' }, frontends: [{ subnet: { armId: subnet } }], password: { name: 'n', key: 'k' } };
  const inputs = new Map<string, unknown>([
    ['frontends[0].subnet', subnet],
    ['password', new SecretValue('hunter2')],
  ]);
  const body = armBody(arm, 'v1', spec, inputs);
  expect(JSON.stringify(body)).not.toContain('hunter2');
  expect(`${(body['properties'] as { auth: { password: unknown } }).auth.password}`).toBe('(secret)');
  expect(hasSecrets(body)).toBe(true);
  expect(revealSecrets(body)).toEqual({
    properties: { deep: 'x', auth: { password: 'hunter2' } },
    frontends: [{ properties: { subnet: { id: subnet } } }],
  });
});

test.each([
  [
    'a declared field equal to what Azure shows',
    { a: 1, b: { c: 'x' } },
    { a: 1, b: { c: 'x', more: true }, id: '/x' },
  ],
  ['regions in both spellings', { location: 'West Europe' }, { location: 'westeurope' }],
  ['ARM ids in any case', { id: '/subscriptions/S/resourceGroups/RG' }, { id: '/subscriptions/s/resourcegroups/rg' }],
  ['null, empty and absent collections', { a: null, b: [], c: {} }, { c: null }],
  ['lists in another order', { zones: ['1', '2'] }, { zones: ['2', '1'] }],
  [
    'lists of objects in another order',
    { rules: [{ n: 1 }, { n: 2 }] },
    {
      rules: [
        { n: 2, x: 0 },
        { n: 1, x: 0 },
      ],
    },
  ],
  [
    'identity maps with what Azure fills in',
    { ids: { '/subscriptions/s/x': {} } },
    { ids: { '/subscriptions/S/X': { principalId: 'p' } } },
  ],
  ['secrets, which cannot be seen', { auth: { password: new SecretValue('x') } }, {}],
])('no difference: %s', (_, wanted, live) => {
  expect(armDiff(wanted, live)).toEqual([]);
});

test('marked for the comparison, a body keeps its secrets, and of every kind only words of enumerations are marked', () => {
  const secret = new SecretValue('x');
  const server = { properties: { administratorLoginPassword: secret, version: '12.0' } };
  expect(withEnumWords(armOf('Server'), server)).toEqual(server);
  for (const { kind, arm } of armKinds) {
    if (!arm) continue;
    const word = (tree: FieldTree): unknown => {
      if (tree.type === 'object') {
        return Object.fromEntries(Object.entries(tree.properties ?? {}).map(([name, each]) => [name, word(each)]));
      }
      if (tree.type === 'array') return tree.items ? [word(tree.items)] : [];
      if (tree.type === 'map') return tree.values ? { Key: word(tree.values) } : {};
      return tree.type === 'string' ? (tree.enum?.[0] ?? 'Free Text') : undefined;
    };
    const body = armBody(
      arm,
      Object.keys(arm.apiVersions)[0] ?? '',
      word(arm.fields) as Record<string, unknown>,
      new Map(),
    );
    const marked = JSON.stringify(withEnumWords(arm, body));
    expect([kind, marked.includes('{"text":"Free Text"}')]).toEqual([kind, false]);
  }
});

test('members whose names say that they are secret do not reach a status, others do', () => {
  const answer = {
    adminPassword: 'x',
    keys: { primaryKey: 'y' },
    keyVaultSecretId: 'z',
    token: 5,
    list: [{ secret: 's' }],
    sharedKey: 'k',
    primaryMasterKey: 'k',
    accountKey: 'k',
    sasUri: 'https://x/?sig=k',
    passwords: ['a', 'b'],
    secrets: [{ vaultCertificates: [] }],
    publicKey: 'p',
    partitionKey: 'p',
  };
  const { keyVaultSecretId, token, secrets, publicKey, partitionKey } = answer;
  const kept = { keyVaultSecretId, token, secrets, publicKey, partitionKey };
  expect(withoutSecretMembers(answer)).toEqual({ keys: {}, list: [{}], ...kept });
});

// ASO v2.20.0 has no other field there: api/network/v1api20220701/application_gateway_types_gen.go.
test('an address of a private link of an application gateway may be a reference, as in ASO v2.20', () => {
  const spec = { privateLinkConfigurations: [{ name: 'l', ipConfigurations: [{ reference: { armId: subnet } }] }] };
  const inputs = new Map<string, unknown>([['privateLinkConfigurations[0].ipConfigurations[0].reference', subnet]]);
  expect(armBody(armOf('ApplicationGateway'), 'v1api20220701', spec, inputs)).toMatchObject({
    properties: { privateLinkConfigurations: [{ name: 'l', properties: { ipConfigurations: [{ id: subnet }] } }] },
  });
});
