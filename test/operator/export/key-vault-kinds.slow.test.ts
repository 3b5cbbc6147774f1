/** Every kind that has something to keep secret, written into a vault: ASO v1's names and keys, or the rule for others. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyVaultKeys, v1Outputs } from '../../../runtime/api/arm/key-vault-outputs.ts';
import { type ArmKindDefinition, armKinds, resourceOf } from '../../../runtime/api/kinds.ts';
import { type Example, exampleKinds, exampleName, exampleOf } from '../kinds/examples.ts';
import { gone, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';
import { TestVault } from './test-vault.ts';

type Json = Record<string, unknown>;
const idOf = ({ group, kind }: Pick<ArmKindDefinition, 'group' | 'kind'>) => `${group}/${kind}`;
const kinds = exampleKinds
  .filter(({ group, kind, arm }) => keyVaultKeys(group, kind, arm.operatorSpec.secrets).length > 0)
  .map((kind) => [idOf(kind), kind] as const);
const flattened = 'servicebus.azure.com/Namespace';

let world: World;
let vault: TestVault;
const found = new Map<string, Record<string, string>>();

/** What the examples do not declare because nothing requires it, and v1's keys are made of. */
const administrator = { administratorLogin: 'azmadmin', administratorLoginPassword: { name: 'input', key: 'value' } };
const profile = { adminUsername: 'azmadmin', adminPassword: { name: 'input', key: 'value' } };
const more: Readonly<Record<string, () => Json>> = {
  'documentdb.azure.com/DatabaseAccount': () => ({
    locations: [{ locationName: 'West Europe' }, { locationName: 'North Europe' }],
  }),
  'sql.azure.com/Server': () => administrator,
  'dbformysql.azure.com/FlexibleServer': () => administrator,
  'dbforpostgresql.azure.com/FlexibleServer': () => administrator,
  'compute.azure.com/VirtualMachine': () => ({ osProfile: profile }),
  'compute.azure.com/VirtualMachineScaleSet': () => ({ virtualMachineProfile: { osProfile: profile } }),
  'compute.azure.com/VirtualMachinesExtension': () => ({ protectedSettings: { name: 'input' } }),
  'sql.azure.com/ServersFailoverGroup': () => ({
    partnerServers: [
      {
        reference: {
          armId: `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Sql/servers/partner`,
        },
      },
    ],
    readWriteEndpoint: { failoverPolicy: 'Manual' },
  }),
};

/** The kinds asked for, and above each the kinds it lives in. */
function withOwners(kind: ArmKindDefinition): ArmKindDefinition[] {
  const { owner } = kind.arm;
  const above =
    owner && !owner.extension && armKinds.find((each) => each.group === owner.group && each.kind === owner.kinds[0]);
  return above ? [...withOwners(above), kind] : [kind];
}

function exampleFor(kind: ArmKindDefinition): Example {
  const { subscriptionId, tenantId, defaultApp } = world.azure;
  const example = exampleOf(kind, { subscriptionId, tenantId, principalId: defaultApp.objectId });
  const wanted = kinds.some(([id]) => id === idOf(kind));
  const keyVault = { vault: vault.name, ...(idOf(kind) === flattened && { flatten: true }) };
  const { operatorSpec: _, ...spec } = { ...example.spec, ...more[idOf(kind)]?.() };
  return { ...example, spec: { ...spec, ...(wanted && { operatorSpec: { keyVault } }) } };
}

const secretName = (kind: ArmKindDefinition) => {
  const prefix = v1Outputs[idOf(kind)]?.kind ?? `${kind.group.split('.')[0]}-${kind.kind}`;
  return `${prefix.toLowerCase()}-default-${exampleName(kind)}`;
};
const writes = () => vault.requests('(PUT|PATCH|POST|DELETE)', '/secrets/').length;

beforeAll(async () => {
  world = await startWorld({
    kinds: kinds
      .flatMap(([, kind]) => withOwners(kind))
      .map(idOf)
      .join(';'),
  });
  const { throttle } = world.azure;
  for (const bucket of Object.values(throttle.limits)) Object.assign(bucket, { size: 1e6, refillPerSecond: 1e6 });
  throttle.reset();
  const first = await world.startOperator();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  vault = await TestVault.create(world, 'azmeverykind');
  await world.client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name: 'input' },
    data: { value: Buffer.from('Pa55-of-the-user').toString('base64') },
  });
  const all = new Map(kinds.flatMap(([, kind]) => withOwners(kind)).map((kind) => [idOf(kind), exampleFor(kind)]));
  for (const { kind, name, spec } of all.values()) await world.apply(resourceOf(kind), name, spec);
  for (const [id, kind] of kinds) {
    await untilReady(world, resourceOf(kind), exampleName(kind));
    const name = secretName(kind);
    if (id === flattened) {
      const keys = kind.arm.operatorSpec.secrets;
      const values = await Promise.all(keys.map(async (key) => [key, (await vault.secret(`${name}-${key}`))?.value]));
      found.set(id, Object.fromEntries(values));
    } else found.set(id, vault.decoded(await vault.secret(name)));
  }
  await first.stop();
}, 240_000);
afterAll(() => world?.close());

test('kinds with something to keep secret are those of the catalogue and those of v1', () => {
  expect(kinds.map(([id]) => id)).toEqual(expect.arrayContaining(Object.keys(v1Outputs)));
  expect(kinds.length).toBeGreaterThan(Object.keys(v1Outputs).length);
});

test.each(kinds)('%s: every key is written, and has a value', (id, { group, kind, arm }) => {
  const v1 = v1Outputs[id];
  const values = found.get(id) ?? {};
  const wanted = v1 ? Object.keys(v1.keys) : keyVaultKeys(group, kind, arm.operatorSpec.secrets);
  expect(Object.keys(values)).toEqual(v1?.maps ? expect.arrayContaining([...wanted]) : [...wanted].sort());
  for (const value of Object.values(values)) expect(value).toMatch(/^.+$/s);
});

const key = expect.stringMatching(/^[A-Za-z0-9+/]{20,}=*$/);
test.each([
  ['cache.azure.com/Redis', () => ({ primaryKey: key, secondaryKey: key })],
  ['compute.azure.com/VirtualMachine', () => ({ password: 'Pa55-of-the-user' })],
  ['compute.azure.com/VirtualMachineScaleSet', () => ({ password: 'Pa55-of-the-user' })],
  ['compute.azure.com/VirtualMachinesExtension', () => ({ protectedSettings: '{"value":"Pa55-of-the-user"}' })],
  [
    'dbformysql.azure.com/FlexibleServer',
    (name: string) => ({
      username: 'azmadmin',
      password: 'Pa55-of-the-user',
      fullyQualifiedUsername: 'azmadmin',
      mySqlServerName: name,
      fullyQualifiedServerName: `${name}.mysql.database.azure.com`,
    }),
  ],
  [
    'dbforpostgresql.azure.com/FlexibleServer',
    (name: string) => ({
      username: 'azmadmin',
      password: 'Pa55-of-the-user',
      fullyQualifiedUsername: 'azmadmin',
      postgreSqlServerName: name,
      fullyQualifiedServerName: `${name}.postgres.database.azure.com`,
    }),
  ],
  [
    'documentdb.azure.com/DatabaseAccount',
    (name: string) => ({
      primaryEndpoint: `https://${name}.documents.azure.com:443/`,
      primaryMasterKey: key,
      secondaryMasterKey: key,
      primaryReadonlyMasterKey: key,
      secondaryReadonlyMasterKey: key,
      PrimarySQLConnectionString: expect.stringMatching(/^AccountEndpoint=https:.*;AccountKey=.*;$/),
      SecondarySQLConnectionString: expect.stringMatching(/^AccountEndpoint=https:.*;AccountKey=.*;$/),
      westeuropeEndpoint: `https://${name}-westeurope.documents.azure.com:443/`,
      northeuropeEndpoint: `https://${name}-northeurope.documents.azure.com:443/`,
    }),
  ],
  [
    'eventhub.azure.com/NamespacesEventhubsAuthorizationRule',
    (name: string) => ({
      primaryConnectionString: expect.stringMatching(/^Endpoint=sb:/),
      secondaryConnectionString: expect.stringMatching(/^Endpoint=sb:/),
      primaryKey: key,
      secondaryKey: key,
      sharedaccessKey: name,
      eventhubNamespace: nameOf('eventhub.azure.com/Namespace'),
      eventhubName: nameOf('eventhub.azure.com/NamespacesEventhub'),
    }),
  ],
  [
    'insights.azure.com/Component',
    (name: string) => ({ AppInsightsName: name, instrumentationKey: expect.any(String) }),
  ],
  [
    'sql.azure.com/Server',
    (name: string) => ({
      username: 'azmadmin',
      password: 'Pa55-of-the-user',
      fullyQualifiedUsername: `azmadmin@${name}`,
      azureSqlServerName: name,
      fullyQualifiedServerName: `${name}.database.windows.net`,
    }),
  ],
  [
    'sql.azure.com/ServersFailoverGroup',
    (name: string) => ({
      azureSqlPrimaryServer: nameOf('sql.azure.com/Server'),
      readWriteListenerEndpoint: `${name}.database.windows.net`,
      azureSqlSecondaryServer: 'partner',
      readOnlyListenerEndpoint: `${name}.secondary.database.windows.net`,
    }),
  ],
  [
    'storage.azure.com/StorageAccount',
    (name: string) => ({
      StorageAccountName: name,
      key0: key,
      key1: key,
      connectionString0: expect.stringContaining(`AccountName=${name};`),
      connectionString1: expect.stringContaining(`AccountName=${name};`),
    }),
  ],
] as const)('%s: the values are v1’s', (id, values) => {
  expect(found.get(id)).toEqual(values(nameOf(id)));
});

function nameOf(id: string): string {
  const kind = armKinds.find((each) => idOf(each) === id);
  if (!kind) throw new Error(`No kind ${id}`);
  return exampleName(kind);
}

test('another operator that reconciles all of them writes nothing', async () => {
  const before = writes();
  expect(before).toBeGreaterThan(kinds.length);
  const reads = new Map(kinds.map(([id, kind]) => [id, vault.requests('GET', secretName(kind)).length]));
  const second = await world.startOperator();
  await until('all are read', async () =>
    kinds.every(([id, kind]) => vault.requests('GET', secretName(kind)).length > (reads.get(id) ?? 0)),
  );
  for (const [, kind] of kinds) await untilReady(world, resourceOf(kind), exampleName(kind));
  expect(writes()).toBe(before);
  await second.stop();
});

test('deleted with their resources, all secrets are gone from the vault', async () => {
  await world.startOperator();
  // What is inside goes first: a resource that goes with its owner was not deleted by anybody.
  const depth = (kind: ArmKindDefinition) => withOwners(kind).length;
  for (const [, kind] of kinds.toSorted(([, a], [, b]) => depth(b) - depth(a))) {
    if (!kind.arm.deletable) continue;
    await world.client.delete(resourceOf(kind), { namespace: 'default', name: exampleName(kind) });
    await gone(world, resourceOf(kind), exampleName(kind));
  }
  const { value } = (await vault.send('GET', '/secrets')).body as { value: unknown[] };
  expect(value).toEqual([]);
});
