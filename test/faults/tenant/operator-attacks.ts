import { annotations, credentialFinalizer } from '../../../runtime/arm-kinds/names.ts';
import { condition, until } from '../../operator/support.ts';
import { type Attack, hasReadyCondition, types, unless, writesTo, written } from './attack.ts';
import { good, hostile } from './tenant-setup.ts';
import type { TenantWorld } from './tenant-world.ts';

const location = 'westeurope';
const accountSpec = (owner: object) => ({ location, kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner });
const accountId = (world: TenantWorld, group: string, name: string) =>
  world.armId(group, `/providers/Microsoft.Storage/storageAccounts/${name}`);
const goodObject = (type: { group: string; version: string; kind: string }, name: string, spec: object) => ({
  apiVersion: `${type.group}/${type.version}`,
  kind: type.kind,
  metadata: { namespace: good, name },
  spec,
});
/** The good tenant makes an account, which must become Ready. */
async function goodAccount(world: TenantWorld, name: string): Promise<string | undefined> {
  const object = goodObject(types.account, name, accountSpec({ name: good }));
  await world.admin.create(types.account, object).catch(() => undefined);
  const ready = async () => condition(await world.admin.get(types.account, { namespace: good, name }));
  try {
    await until('Ready', async () => (await ready())?.status === 'True', 30_000);
    return undefined;
  } catch {
    const { reason, message = '' } = (await ready()) ?? { reason: 'nothing' };
    return `the good tenant's account ${name} is not Ready: ${reason} ${message}`;
  }
}
const message = async (world: TenantWorld, type: Parameters<typeof hasReadyCondition>[1], name: string) =>
  condition(await world.admin.tryGet(type, { namespace: hostile, name }))?.message ?? '';

/** Attacks on the operator: A, C1 to C3 and D. */
export const operatorAttacks: readonly Attack[] = [
  {
    point: 'A1',
    name: 'an object without an owner says that it has the ARM id of another namespace',
    writes: (world) => [
      written(types.account, 'squatter', accountSpec({ name: 'missing' }), {
        [annotations.resourceId]: accountId(world, good, 'squattedacct'),
      }),
    ],
    seen: (world) => hasReadyCondition(world, types.account, 'squatter'),
    broken: (world) => goodAccount(world, 'squattedacct'),
  },
  {
    point: 'A2',
    name: 'an annotation says that an object was made with the Secret of another namespace',
    before: (world) =>
      world.admin.create(types.secret, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: good, name: 'theirs' },
        stringData: { AZURE_CLIENT_ID: 'none' },
      }),
    writes: () => [
      written(
        types.group,
        'borrower',
        { location, azureName: hostile },
        { [annotations.credential]: `${good}/theirs` },
      ),
    ],
    seen: (world) => hasReadyCondition(world, types.group, 'borrower'),
    async broken(world) {
      const { metadata } = await world.admin.get(types.secret, { namespace: good, name: 'theirs' });
      const held = (metadata.finalizers ?? []).includes(credentialFinalizer);
      return unless(!held, `the Secret ${good}/theirs has the finalizer ${credentialFinalizer}`);
    },
  },
  {
    point: 'A3',
    name: 'a forged record makes an existing resource that must not be adopted its own, and deletes it',
    async before(world) {
      const body = { location, kind: 'StorageV2', sku: { name: 'Standard_LRS' }, tags: { by: 'portal' } };
      await world.portal.arm('PUT', accountId(world, hostile, 'preciousacct'), '2023-01-01', body);
      const namespaces = { group: '', version: 'v1', plural: 'namespaces', kind: 'Namespace', namespaced: false };
      const policy = { metadata: { annotations: { [annotations.adopt]: 'never' } } };
      await world.admin.patch(namespaces, { name: hostile }, { type: 'merge', body: policy });
    },
    writes: (world) => [
      written(
        types.account,
        'taker',
        { ...accountSpec({ armId: world.armId(hostile) }), azureName: 'preciousacct' },
        {
          [annotations.adopt]: 'always',
          [annotations.resourceId]: accountId(world, hostile, 'preciousacct'),
          [annotations.credential]: 'global',
          [annotations.applied]: 'forged',
        },
      ),
    ],
    seen: (world) => hasReadyCondition(world, types.account, 'taker'),
    async broken(world) {
      await world.tenant.delete(types.account, { namespace: hostile, name: 'taker' });
      const gone = async () => !(await world.admin.tryGet(types.account, { namespace: hostile, name: 'taker' }));
      await until('the object is gone', gone, 30_000).catch(() => undefined);
      const found = (await writesTo(world, /storageAccounts\/preciousacct$/i)).map(({ method }) => method);
      return unless(found.length === 0, `requests to the account that is not to be adopted: ${found.join(', ')}`);
    },
  },
  {
    point: 'A4',
    name: 'a forged journal has the operator poll a path of another namespace',
    writes: (world) => [
      written(types.account, 'poller', accountSpec({ armId: world.armId(hostile) }), {
        [annotations.resourceId]: accountId(world, hostile, 'poller'),
        [annotations.credential]: 'global',
        [annotations.journal]: JSON.stringify({
          verb: 'PUT',
          poll: `${world.azure.endpoints.arm}${world.armId(good, '/providers/Microsoft.Secret/polled')}?api-version=2020-01-01`,
        }),
      }),
    ],
    seen: (world) => hasReadyCondition(world, types.account, 'poller'),
    async broken(world) {
      const asked = await world.azure.journal({ service: 'arm', path: /Microsoft\.Secret\/polled/ });
      return unless(asked.length === 0, `${asked.length} requests to the path of the forged journal`);
    },
  },
  {
    point: 'A5',
    name: 'an annotation names secrets in the vault of another namespace, which go with the object',
    writes: (world) => [
      written(
        types.group,
        'vaulted',
        { location, azureName: 'vaulted' },
        { [annotations.keyVaultSecrets]: JSON.stringify({ [world.vault]: ['password'] }) },
      ),
    ],
    acts: (world) => world.tenant.delete(types.group, { namespace: hostile, name: 'vaulted' }),
    // Created and deleted: whether it is gone shows that the operator was there.
    seen: async (world) => !(await world.admin.tryGet(types.group, { namespace: hostile, name: 'vaulted' })),
    async broken(world) {
      const sent = await world.azure.journal({ service: 'vault', method: 'DELETE' });
      return unless(sent.length === 0, `${sent.length} DELETE requests to a vault`);
    },
  },
  {
    point: 'A6',
    name: 'two objects of two namespaces name one ARM id at the same moment',
    writes: (world) => [
      written(types.account, 'twin', { ...accountSpec({ armId: world.armId(good) }), azureName: 'twinacct' }),
    ],
    acts: (world) => goodAccount(world, 'twinacct'),
    seen: (world) => hasReadyCondition(world, types.account, 'twin'),
    async broken(world) {
      const twin = condition(await world.admin.get(types.account, { namespace: hostile, name: 'twin' }));
      if (twin?.status === 'True') return 'the hostile object is Ready too';
      const text = await message(world, types.account, 'twin');
      if (text.includes(`${good}/twinacct`)) return `the message names the other object: ${text}`;
      return goodAccount(world, 'twinacct');
    },
  },
  {
    point: 'C1',
    name: 'a hundred thousand slashes in the annotation of the resource id',
    writes: () => [
      written(
        types.group,
        'slashes',
        { location, azureName: hostile },
        { [annotations.resourceId]: '/'.repeat(100_000) },
      ),
    ],
    seen: (world) => hasReadyCondition(world, types.group, 'slashes'),
    // Another object of the tenant may have the ARM id; the annotation itself must count for nothing.
    async broken(world) {
      const found = await world.admin.get(types.group, { namespace: hostile, name: 'slashes' });
      return unless(!String(found['status']?.id).startsWith('//'), 'the object has the ARM id of its annotation');
    },
  },
  {
    point: 'C2',
    name: 'forty expressions in one object that each run as long as they may',
    writes: (world) => {
      const list = Array.from({ length: 10 }, (_, index) => index).join(',');
      const deep = [1, 2, 3, 4, 5, 6, 7].reduce((inner, level) => `[${list}].map(x${level}, ${inner})`, 'x7');
      const configMapExpressions = Array.from({ length: 40 }, (_, index) => ({
        name: `sum${index}`,
        key: 'value',
        value: `string(size(${deep}))`,
      }));
      const spec = { location, owner: { armId: world.armId(hostile) }, operatorSpec: { configMapExpressions } };
      return [written(types.identity, 'thinker', spec)];
    },
    seen: (world) => hasReadyCondition(world, types.identity, 'thinker'),
    // The object's time is over before its expressions are.
    async broken(world) {
      const text = await message(world, types.identity, 'thinker');
      return unless(/too long to evaluate|too much memory/.test(text), `did not happen: ${text || 'no message'}`);
    },
  },
  {
    point: 'C3',
    name: 'a Secret names /proc/self/pagemap as the file of its credential',
    writes: (world) => [
      written(
        types.secret,
        'pagemap',
        undefined,
        {},
        {
          stringData: {
            AZURE_SUBSCRIPTION_ID: world.azure.subscriptionId,
            AZURE_TENANT_ID: world.azure.tenantId,
            AZURE_CLIENT_ID: world.azure.defaultApp.clientId,
            AZURE_FEDERATED_TOKEN_FILE: '/proc/self/pagemap',
            AZURE_CLIENT_CERTIFICATE_PATH: '/proc/self/pagemap',
          },
        },
      ),
      written(types.group, 'pagemap', { location }, { [annotations.credentialFrom]: 'pagemap' }),
    ],
    seen: (world) => hasReadyCondition(world, types.group, 'pagemap'),
    async broken(world) {
      const { operator = 0 } = await world.memory();
      return unless(operator < 512, `the operator has ${operator} MB`);
    },
  },
  {
    point: 'D',
    name: 'an ArmResource without owner and scope assigns a role on the subscription',
    writes: (world) => [
      written(types.armResource, 'owner-of-all', {
        type: 'Microsoft.Authorization/roleAssignments@2022-04-01',
        azureName: '11111111-2222-3333-4444-555555555555',
        body: {
          properties: {
            principalId: world.identities.hostile.principalId,
            principalType: 'ServicePrincipal',
            roleDefinitionId: `/subscriptions/${world.azure.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/8e3af657-a8ff-443c-a75c-2fe8c4bcb635`,
          },
        },
      }),
    ],
    seen: (world) => hasReadyCondition(world, types.armResource, 'owner-of-all'),
    async broken(world) {
      const sent = await writesTo(world, /roleAssignments\/11111111-/i);
      return unless(sent.length === 0, `${sent.length} requests that write the role assignment`);
    },
  },
  ...Object.entries({ query: 'hostile?x=', hash: 'hostile#', tab: 'hos\ttile' }).map(
    ([name, group]): Attack => ({
      point: 'D',
      name: `owner.armId has the resource group ${JSON.stringify(group)}, so that a URL of it leads elsewhere`,
      writes: (world) => [
        written(types.armResource, `sign-${name}`, {
          type: 'Microsoft.Storage/storageAccounts@2023-01-01',
          azureName: `sign${name}acct`,
          owner: { armId: world.armId(group) },
          body: { location, kind: 'StorageV2', sku: { name: 'Standard_LRS' }, tags: { by: 'tenant' } },
        }),
      ],
      seen: (world) => hasReadyCondition(world, types.armResource, `sign-${name}`),
      async broken(world) {
        const sent = await writesTo(
          world,
          new RegExp(`resourceGroups/hos(\\t|%09)?tile(%23|%3f)?$|sign${name}acct$`, 'i'),
        );
        return unless(sent.length === 0, `written: ${sent.map(({ path }) => path).join(', ')}`);
      },
    }),
  ),
  {
    point: 'D',
    name: 'the subscription id of a Secret has a ?',
    writes: (world) => [
      written(
        types.secret,
        'query',
        undefined,
        {},
        {
          stringData: {
            AZURE_SUBSCRIPTION_ID: `${world.azure.subscriptionId}/resourceGroups/${good}?x=`,
            AZURE_TENANT_ID: world.azure.tenantId,
            AZURE_CLIENT_ID: world.azure.defaultApp.clientId,
            AZURE_CLIENT_SECRET: world.azure.defaultApp.secret,
          },
        },
      ),
      written(types.group, 'query', { location }, { [annotations.credentialFrom]: 'query' }),
    ],
    seen: (world) => hasReadyCondition(world, types.group, 'query'),
    async broken(world) {
      const ready = condition(await world.admin.get(types.group, { namespace: hostile, name: 'query' }));
      return unless(ready?.status !== 'True', 'the object is Ready');
    },
  },
];
