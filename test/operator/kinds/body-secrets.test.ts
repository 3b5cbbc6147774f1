import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { resourceOf } from '../../../runtime/api/kinds.ts';
import type { Behaviour } from '../../../sandbox/azure/arm/behaviour.ts';
import { Behaviours } from '../../../sandbox/azure/arm/behaviours/index.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { TestVault } from '../export/test-vault.ts';
import {
  condition,
  configMaps,
  events,
  type RunningOperator,
  secrets,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from '../support.ts';

let azure: EmbeddedAzure;
let world: World;
let operator: RunningOperator;
const marked = ['MARKED-one-7Qx', 'MARKED-two-8Ry', 'MARKED-three-9Sz'] as const;
const owner = { name: 'rg' };

beforeAll(async () => {
  world = await startWorld({ behaviours: [recorder] });
  azure = world.azure;
  operator = await world.startOperator();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
});
afterAll(() => world?.close());

const base64 = (text: string) => Buffer.from(text).toString('base64');
const putSecret = (name: string, value: string) =>
  world.client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'default', name },
    data: { value: base64(value) },
  });
const site = (bodySecrets: readonly object[], operatorSpec = {}) => ({
  type: `${type}@2022-03-01`,
  owner,
  body: {
    location: 'westeurope',
    properties: {
      siteConfig: {
        appSettings: [
          { name: 'plain', value: 'shown' },
          { name: 'one', value: '(secret)' },
          { name: 'two', value: '(secret)' },
        ],
      },
    },
  },
  bodySecrets,
  operatorSpec,
});
const at = (index: number) => `/properties/siteConfig/appSettings/${index}/value`;
const type = 'Microsoft.Web/sites';
const bodies = new Map<string, unknown[]>();
const sent = (name: string) => bodies.get(name) ?? [];
const recorder: Behaviour = {
  ...new Behaviours().of(type),
  validate: ({ request, path }) => {
    bodies.set(path.name, [...sent(path.name), request]);
  },
};

test('values of Secrets reach any property of a body, also by an expression, and nothing else', async () => {
  await world.apply(
    types.armResource,
    'web',
    site([
      { path: at(1), secrets: [{ name: 'app', key: 'value' }] },
      {
        path: at(2),
        expression: "[base64(concat('key=', parameters('secret0'), ';', parameters('secret1')))]",
        secrets: [
          { name: 'app', key: 'value' },
          { name: 'other', key: 'value' },
        ],
      },
    ]),
  );
  await untilReady(world, types.armResource, 'web', 'SecretNotFound');
  await putSecret('app', marked[0]);
  await putSecret('other', marked[1]);
  await untilReady(world, types.armResource, 'web');
  const computed = base64(`key=${marked[0]};${marked[1]}`);
  expect(sent('web')).toMatchObject([
    {
      properties: {
        siteConfig: {
          appSettings: [
            { name: 'plain', value: 'shown' },
            { name: 'one', value: marked[0] },
            { name: 'two', value: computed },
          ],
        },
      },
    },
  ]);

  const patch = { type: 'merge', body: { data: { value: base64(marked[2]) } } } as const;
  await world.client.patch(secrets, { namespace: 'default', name: 'other' }, patch);
  await until('the new value is sent', () =>
    JSON.stringify(sent('web').at(-1)).includes(base64(`key=${marked[0]};${marked[2]}`)),
  );
  await untilReady(world, types.armResource, 'web');

  // Nothing but the Secrets and the requests has a value.
  const places: Record<string, string> = {
    log: world.log.join('\n'),
    events: JSON.stringify((await world.client.list(events)).items),
    configMaps: JSON.stringify((await world.client.list(configMaps)).items),
    metrics: await operator.metrics.metrics(),
  };
  for (const kind of world.kinds) places[kind.kind] = JSON.stringify((await world.client.list(resourceOf(kind))).items);
  for (const [place, content] of Object.entries(places))
    for (const value of [...marked, ...marked.map(base64), computed])
      expect(content.includes(value) && place).toBe(false);
});

test.each([
  ['a path that the body lacks', { path: '/properties/none' }, /^The body has nothing at \/properties\/none/],
  [
    'a function that fails',
    { path: at(1), expression: "[int(parameters('secret0'))]" },
    /^spec\.bodySecrets\[0\]\.expression: .*the reason is not shown, as a value is a secret/,
  ],
  [
    'a function that asks Azure',
    { path: at(1), expression: '[resourceGroup().location]' },
    /may not stand in an expression over Secrets/,
  ],
  [
    'too much work',
    { path: at(1), expression: `[length(concat(${"padLeft(parameters('secret0'), 100000), ".repeat(100)}''))]` },
    /takes too much work/,
  ],
])('%s is reported without a value, and nothing is sent', async (name, entry, message) => {
  const object = name.toLowerCase().replaceAll(' ', '-');
  await world.apply(types.armResource, object, site([{ secrets: [{ name: 'app', key: 'value' }], ...entry }]));
  const made = await untilReady(world, types.armResource, object, 'ReconciliationFailedPermanently');
  expect(condition(made)?.message).toMatch(message);
  expect(condition(made)?.message).not.toContain(marked[0]);
  expect(sent(object)).toEqual([]);
});

test('an export has nothing of what Azure shows at the place of a secret', async () => {
  const shown = 'properties.siteConfig.appSettings[0]';
  const operatorSpec = { configMaps: [{ name: 'shown', key: 'one', path: `${shown}.value` }] };
  await world.apply(
    types.armResource,
    'exported',
    site([{ path: at(1), secrets: [{ name: 'app', key: 'value' }] }], operatorSpec),
  );
  await until('the body is sent', () => sent('exported').length > 0);
  await until('the run ends', async () => condition(await world.get(types.armResource, 'exported')) !== undefined);
  expect(JSON.stringify((await world.client.list(configMaps)).items)).not.toMatch(/MARKED|shown":\{"one/);
});

test('answers of Azure and secrets of a Key Vault are read with the credential of the object', async () => {
  const vault = await TestVault.create(world, 'azmsource');
  await vault.send('PUT', '/secrets/admin', { value: marked[1] });
  await world.apply(types.account, 'azmlisted', {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    owner,
  });
  await untilReady(world, types.account, 'azmlisted');
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/rg/providers`;
  const account = { id: `${group}/Microsoft.Storage/storageAccounts/azmlisted`, apiVersion: '2023-01-01' };
  const entries = [
    {
      path: at(1),
      expression: "[concat('key=', parameters('secret0').keys[0].value)]",
      secrets: [{ azure: { ...account, action: 'listKeys' } }],
    },
    { path: at(2), secrets: [{ keyVault: { id: `${group}/Microsoft.KeyVault/vaults/azmsource`, secret: 'admin' } }] },
  ];
  await world.apply(types.armResource, 'sourced', site(entries));
  await untilReady(world, types.armResource, 'sourced');
  const [, one, two] = (sent('sourced')[0] as ReturnType<typeof site>['body']).properties.siteConfig.appSettings;
  expect(one?.value).toMatch(/^key=[A-Za-z0-9+/=]{20,}/);
  expect(two?.value).toBe(marked[1]);
  const objects = JSON.stringify((await world.client.list(types.armResource)).items);
  for (const value of [String(one?.value).slice(4), marked[1]]) {
    expect(objects.includes(value)).toBe(false);
    expect(world.log.join('').includes(value)).toBe(false);
  }
  // The same values lead to no other PUT.
  await world.apply(
    types.armResource,
    'sourced',
    site(entries, { configMaps: [{ name: 'id', key: 'id', path: 'id' }] }),
  );
  await until('the export is there', () => world.client.tryGet(configMaps, { namespace: 'default', name: 'id' }));
  expect(sent('sourced')).toHaveLength(1);

  const gone = { azure: { ...account, id: `${account.id}gone` } };
  await world.apply(types.armResource, 'gone', site([{ path: at(1), secrets: [gone] }]));
  const waits = await untilReady(world, types.armResource, 'gone', 'ReferenceNotFound');
  expect(condition(waits)?.message).toContain('azmlistedgone, named by spec.bodySecrets[0].secrets[0], does not exist');
  // Azure gets it, and no object changes.
  await world.portal.arm('PUT', gone.azure.id, '2023-01-01', {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
  });
  await untilReady(world, types.armResource, 'gone');
});

test('an action that does more than to list is refused by the API server', async () => {
  const source = { azure: { id: '/subscriptions/s', apiVersion: '1', action: 'regenerateKey' } };
  const spec = site([{ path: at(1), secrets: [source] }]);
  await expect(world.apply(types.armResource, 'acting', spec)).rejects.toThrow(/action/);
  const both = site([{ path: at(1), secrets: [{ name: 'app', key: 'value', ...source }] }]);
  await expect(world.apply(types.armResource, 'acting', both)).rejects.toThrow(/secrets/);
});
