import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { apiVersionOf, type ResourceType } from '../../runtime/kube/client/types.ts';
import { clusterPlan } from '../../runtime/plan/make-plan.ts';
import { actions, changeOf, placed } from '../compute/plan/support.ts';
import { readerOf } from '../import/support.ts';
import { secrets, startWorld, types, untilReady, type World } from '../operator/support.ts';

let world: World;
let reader: ReturnType<typeof readerOf>;
const manifest = (type: ResourceType, name: string, spec: object, metadata: object = {}) => ({
  apiVersion: apiVersionOf(type),
  kind: type.kind,
  metadata: { name, ...metadata },
  spec,
});
const group = (name: string, spec: object = {}, metadata: object = {}) =>
  manifest(types.group, name, { location: 'westeurope', ...spec }, metadata);
const account = (name: string, spec: object = {}, metadata: object = {}) =>
  manifest(
    types.account,
    name,
    {
      location: 'westeurope',
      kind: 'StorageV2',
      sku: { name: 'Standard_LRS' },
      owner: { name: 'rg' },
      tags: { team: 'one', cost: 'a' },
      ...spec,
    },
    metadata,
  );
const apply = async (type: ResourceType, { metadata, spec }: ReturnType<typeof manifest>) => {
  const { name, ...more } = metadata;
  await world.apply(type, name, spec, more);
  return await untilReady(world, type, name);
};
const plan = async (...documents: readonly object[]) => {
  const azure = { reader, subscriptionId: world.azure.env()['AZURE_SUBSCRIPTION_ID'] };
  const writes = () => world.azure.journal.entries({ service: 'arm' }).filter(({ method }) => method !== 'GET').length;
  const before = writes();
  const found = await clusterPlan(world.client, placed(documents), {
    namespace: 'default',
    now: 0,
    fieldManager: 'test',
    azure,
  });
  expect(writes()).toBe(before);
  return found;
};
const idOf = async (type: ResourceType, name: string) => (await world.get(type, name))['status'].id as string;

beforeAll(async () => {
  world = await startWorld({ kinds: 'entra.azure.com/SecurityGroup' });
  reader = readerOf(world.azure);
  const operator = await world.startOperator();
  await apply(types.group, group('rg'));
  await apply(types.account, account('drifted'));
  await apply(types.account, account('deleted'));
  // From here on nobody repairs what changes in Azure.
  await operator.stop();
});
afterAll(() => world?.close());

test('what is in sync in the cluster and in Azure is no change', async () => {
  const found = await plan(group('rg'), account('drifted'));
  expect(found).toMatchObject({ problems: [], notes: [] });
  expect(actions(found)).toEqual(['None rg', 'None drifted']);
});

test('a value that somebody has changed in Azure is a change, but for fields that are left to others', async () => {
  const id = await idOf(types.account, 'drifted');
  await world.portal.arm('PATCH', id, '2023-01-01', { tags: { team: 'intruder', cost: 'a' } });
  const found = await plan(account('drifted'));
  expect(changeOf(found, 'drifted')).toMatchObject({
    action: 'Modify',
    paths: [{ path: 'tags.team', before: 'intruder', after: 'one', isInAzure: true }],
  });
  const ignored = { annotations: { 'azimuth.dev/ignore-fields': 'tags.team' } };
  const left = changeOf(await plan(account('drifted', {}, ignored)), 'drifted');
  expect(left.paths.map(({ path }) => path)).toEqual(['metadata.annotations.azimuth.dev/ignore-fields']);
  const skipped = { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } };
  const change = changeOf(await plan(account('drifted', {}, skipped)), 'drifted');
  expect(change.paths.some(({ isInAzure }) => isInAzure)).toBe(false);
  expect(change.notes).toEqual(['nothing is written to Azure (reconcile-policy skip)']);
});

test('a change of the spec is not shown a second time as a difference in Azure', async () => {
  const found = await plan(account('drifted', { tags: { team: 'two', cost: 'b' } }));
  expect(changeOf(found, 'drifted').paths.map(({ path }) => path)).toEqual(['spec.tags.team', 'spec.tags.cost']);
});

test('a resource that somebody has deleted in Azure is created again', async () => {
  await world.portal.arm('DELETE', await idOf(types.account, 'deleted'), '2023-01-01');
  expect(changeOf(await plan(account('deleted')), 'deleted')).toMatchObject({
    action: 'Create',
    notes: [expect.stringContaining('Azure does not have the resource')],
  });
});

test('a resource that exists and has no object yet is adopted; its difference and another region show', async () => {
  const rg = await idOf(types.group, 'rg');
  const id = `${rg}/providers/Microsoft.Storage/storageAccounts/adopted`;
  await world.portal.arm('PUT', id, '2023-01-01', {
    location: 'northeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_GRS' },
    properties: {},
  });
  const found = changeOf(await plan(account('adopted', { tags: undefined })), 'adopted');
  expect(found).toMatchObject({ action: 'Create', notes: [expect.stringContaining('adopts it')] });
  expect(found.paths).toEqual([
    { path: 'location', before: 'northeurope', after: 'westeurope', isInAzure: true, isFixed: true },
    { path: 'sku.name', before: 'Standard_GRS', after: 'Standard_LRS', isInAzure: true },
  ]);
});

test('an ARM id that nobody knows yet gives a note; one that a tenant has forged is not used', async () => {
  const forged = group('forged');
  await world.apply(types.group, 'forged', forged.spec, {
    annotations: { 'serviceoperator.azure.com/resource-id': await idOf(types.account, 'drifted') },
  });
  const asked = world.azure.journal.entries({ service: 'arm' }).length;
  expect(changeOf(await plan(forged), 'forged').notes).toEqual([expect.stringContaining('is created there')]);
  const entries = world.azure.journal.entries({ service: 'arm' }).slice(asked);
  const paths = entries.map(({ path }) => path);
  expect(paths.some((path) => /resourcegroups\/forged/i.test(path))).toBe(true);
  expect(paths.some((path) => /drifted/.test(path))).toBe(false);
  const azure = { reader, subscriptionId: undefined };
  const options = { namespace: 'default', now: 0, fieldManager: 'test', azure };
  const { notes } = await clusterPlan(world.client, placed([group('unknown')]), options);
  expect(notes).toEqual([expect.stringMatching(/not compared for ResourceGroup.*unknown.*AZURE_SUBSCRIPTION_ID/)]);
});

test('what is no resource of ARM gives a note, and ARM is not asked for it', async () => {
  const asked = world.azure.journal.entries({ service: 'arm' }).length;
  const type = resourceOf(kindOf('entra.azure.com', 'SecurityGroup'));
  const found = await plan(manifest(type, 'team', { displayName: 'Team', mailNickname: 'team' }));
  expect(found.notes).toEqual([expect.stringMatching(/not compared for SecurityGroup.*team: another service/)]);
  expect(changeOf(found, 'team').action).toBe('Create');
  expect(world.azure.journal.entries({ service: 'arm' })).toHaveLength(asked);
});

test('no secret of the cluster or of Azure is in the plan', async () => {
  await world.client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'login', namespace: 'default' },
    data: { password: Buffer.from('hunter2-secret').toString('base64') },
  });
  const rg = await idOf(types.group, 'rg');
  const id = `${rg}/providers/Microsoft.Web/sites/web`;
  await world.portal.arm('PUT', id, '2022-03-01', {
    location: 'westeurope',
    properties: { siteConfig: { connectionString: 'hunter2-old', adminPassword: 'hunter2-older' } },
  });
  const site = manifest(types.armResource, 'web', {
    type: 'Microsoft.Web/sites@2022-03-01',
    owner: { name: 'rg' },
    body: {
      location: 'westeurope',
      properties: { siteConfig: { connectionString: 'hunter2-new', adminPassword: 'hunter2-newer' } },
    },
  });
  const found = await plan(site);
  expect(changeOf(found, 'web').paths).toEqual([
    { path: 'properties.siteConfig.connectionString', isSecret: true, isInAzure: true },
    { path: 'properties.siteConfig.adminPassword', isSecret: true, isInAzure: true },
  ]);
  expect(JSON.stringify(found)).not.toContain('hunter2');
});

test('what the caller may not read in Azure is unknown, with the reason', async () => {
  const other = '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/foreign';
  const foreign = manifest(types.account, 'foreign', { ...account('x').spec, owner: { armId: other } });
  const { action, notes } = changeOf(await plan(foreign), 'foreign');
  expect(action).toBe('Unknown');
  expect(notes).toEqual([expect.stringMatching(/^unknown: Azure cannot be compared: .*SubscriptionNotFound/)]);
});
