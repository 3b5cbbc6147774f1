/** Plans of templates in the form of `az deployment group what-if`. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ArmError } from '../../runtime/azure/arm/errors.ts';
import { clusterPlan } from '../../runtime/plan/make-plan.ts';
import { offlinePlan } from '../../runtime/plan/offline-plan.ts';
import { documentsOf } from '../../runtime/plan/read-documents.ts';
import { renderPlan } from '../../runtime/plan/render.ts';
import { schema } from '../compute/deployments/arm-templates.ts';
import { identityModule, roleModule } from '../compute/deployments/rounds/azd-template.ts';
import { readerOf } from '../import/support.ts';
import { startWorld, type World } from '../operator/support.ts';

const account = (name: string, sku = 'Standard_LRS', more: object = {}) => ({
  type: 'Microsoft.Storage/storageAccounts',
  apiVersion: '2023-01-01',
  name,
  location: 'westeurope',
  kind: 'StorageV2',
  sku: { name: sku },
  ...more,
});
const network = {
  type: 'Microsoft.Network/virtualNetworks',
  apiVersion: '2020-11-01',
  name: 'net',
  location: 'westeurope',
  properties: { addressSpace: { addressPrefixes: ['10.0.0.0/16'] } },
};

let world: World;
let groupId: string;
beforeAll(async () => {
  world = await startWorld({ deployments: true, kinds: 'network.azure.com/VirtualNetwork' });
  groupId = `/subscriptions/${world.azure.env()['AZURE_SUBSCRIPTION_ID']}/resourceGroups/shop`;
  await world.portal.arm('PUT', groupId, '2021-04-01', { location: 'westeurope' });
  for (const name of ['same', 'changed', 'other']) {
    const { type, apiVersion, ...body } = account(name);
    await world.portal.arm('PUT', `${groupId}/providers/${type}/${name}`, apiVersion, { ...body, properties: {} });
  }
});
afterAll(() => world?.close());

function documents(resources: readonly object[], resourceGroup = groupId, parameters: object = {}) {
  const text = JSON.stringify({ $schema: schema, contentVersion: '1.0.0.0', parameters, resources });
  return documentsOf([{ name: 'shop.json', text }], { resourceGroup, location: 'westeurope' });
}
const options = { namespace: 'default', now: 0, fieldManager: 'test' };
const live = async (resources: readonly object[], parameters: object = {}) => {
  const azure = { reader: readerOf(world.azure), subscriptionId: undefined };
  return await clusterPlan(world.client, documents(resources, groupId, parameters), { ...options, azure });
};
/** As `-o json` has them, in the order of their last names. */
const changesOf = (plan: Parameters<typeof renderPlan>[0]) => {
  const { status, properties } = JSON.parse(renderPlan(plan, 'json', { colours: false }));
  expect(status).toBe('Succeeded');
  return Object.fromEntries(
    properties.changes.map((each: { resourceId: string }) => [each.resourceId.split('/').at(-1), each]),
  );
};

test('with Azure each resource of the group has its change, and -o json has them beside the plan', async () => {
  const plan = await live([account('same'), account('changed', 'Standard_GRS'), network]);
  expect(plan.problems).toEqual([]);
  const { same, changed, net, other } = changesOf(plan);
  expect(net).toEqual({
    resourceId: `${groupId}/providers/Microsoft.Network/virtualNetworks/net`,
    changeType: 'Create',
    after: { ...network, id: net.resourceId, apiVersion: expect.any(String) },
  });
  expect(same).toMatchObject({ changeType: 'NoChange', before: { name: 'same' }, after: { name: 'same' }, delta: [] });
  expect(changed).toMatchObject({
    changeType: 'Modify',
    delta: [{ path: 'sku.name', propertyChangeType: 'Modify', before: 'Standard_LRS', after: 'Standard_GRS' }],
  });
  expect(other).toMatchObject({ changeType: 'Ignore', before: { name: 'other' } });
  expect(renderPlan(plan, 'text', { colours: false })).toMatch(
    /\nResource changes: 1 to create, 1 to modify, 1 no change, 1 to ignore\.$/,
  );
});

test('the embedded Azure gives the same changes for the same template', async () => {
  const resources = [account('same'), account('changed', 'Standard_GRS', { tags: { team: 'shop' } }), network];
  const template = { $schema: schema, contentVersion: '1.0.0.0', resources };
  const path = `${groupId}/providers/Microsoft.Resources/deployments/shop/whatIf`;
  const answer = await world.portal.arm('POST', path, '2021-04-01', {
    properties: { mode: 'Incremental', template },
  });
  const planned = changesOf(await live(resources));
  const changes: { resourceId: string; changeType: string; delta?: object }[] = answer.body.properties.changes;
  expect(changes).toHaveLength(Object.keys(planned).length);
  for (const { resourceId, changeType, delta } of changes)
    expect(planned[resourceId.split('/').at(-1) ?? '']).toMatchObject({ changeType, ...(delta && { delta }) });
});

test('a value that is known after apply is an expression, and a secret a mark', async () => {
  const identity = {
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    apiVersion: '2023-01-31',
    name: 'id',
    location: 'westeurope',
  };
  const tags = { owner: "[reference('id').clientId]", password: 'top secret' };
  const plan = await live([identity, account('same', 'Standard_LRS', { dependsOn: ['id'], tags })]);
  const { same } = changesOf(plan);
  expect(same.after.tags).toEqual({ owner: "[reference('id').clientId]", password: '(secret)' });
  expect(same.delta).toEqual([{ path: 'tags.password', propertyChangeType: 'Create', after: '(secret)' }]);
  expect(renderPlan(plan, 'json', { colours: false })).not.toContain('top secret');
});

test('without Azure a resource is new, and one that no kind knows the id of is so too', () => {
  const { net } = changesOf(offlinePlan(documents([network], 'shop'), options));
  const zeros = '/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/shop';
  expect(net).toMatchObject({
    resourceId: `${zeros}/providers/Microsoft.Network/virtualNetworks/net`,
    changeType: 'Create',
    after: { name: 'net', properties: network.properties },
  });
});

test('a resource that may not be read is Unsupported with the reason', async () => {
  const info = { status: 403, code: 'AuthorizationFailed', message: 'no', retryClass: 'none' } as const;
  const refuse = (path: string) => {
    throw new ArmError('GET', path, info as ConstructorParameters<typeof ArmError>[2]);
  };
  const reader = { tryGet: async (path: string) => refuse(path), pages: (path: string) => refuse(path) };
  const azure = { reader, subscriptionId: undefined };
  const plan = await clusterPlan(world.client, documents([account('same')]), { ...options, azure });
  const reason = expect.stringContaining('you may not read it');
  expect(changesOf(plan)).toEqual({
    same: expect.objectContaining({ changeType: 'Unsupported', unsupportedReason: reason }),
  });
  expect(plan.notes).toEqual([expect.stringMatching(/the other resources of .*shop are not shown: you may not/)]);
});

test('a template with problems has no changes, and a plan without a template no what-if', () => {
  const failed = offlinePlan(documents([{ ...network, name: '[nope()]' }]), options);
  expect(JSON.parse(renderPlan(failed, 'json', { colours: false }))).toMatchObject({
    status: 'Failed',
    error: { code: 'InvalidTemplate', message: expect.stringContaining('nope') },
    properties: { changes: [] },
  });
  const group = { apiVersion: 'resources.azure.com/v1api20200601', kind: 'ResourceGroup', metadata: { name: 'rg' } };
  const documented = [{ manifest: { ...group, spec: { location: 'westeurope' } }, place: 'rg.yaml' }];
  const plain = JSON.parse(renderPlan(offlinePlan(documented, options), 'json', { colours: false }));
  expect(Object.keys(plain)).toEqual(['changes', 'problems', 'notes']);
});

test('a resource whose name an answer of Azure decides is unsupported, with the reason', () => {
  const name = "[format('{0}/logs', parameters('account'))]";
  const container = { type: 'Microsoft.Storage/storageAccounts/fileServices', apiVersion: '2023-01-01', name };
  const inner = {
    type: 'Microsoft.Resources/deployments',
    apiVersion: '2022-09-01',
    name: 'inner',
    properties: {
      mode: 'Incremental',
      expressionEvaluationOptions: { scope: 'inner' },
      parameters: { account: { value: "[reference('same').primaryLocation]" } },
      template: {
        $schema: schema,
        contentVersion: '1.0.0.0',
        parameters: { account: { type: 'string' } },
        resources: [container],
      },
    },
  };
  const plan = offlinePlan(documents([account('same'), inner]), options);
  expect(plan.problems).toEqual([]);
  expect(Object.entries(changesOf(plan)).map(([id, { changeType }]) => [id, changeType])).toEqual([
    ['same', 'Create'],
    [`logs', parameters('account'))]`, 'Unsupported'],
  ]);
  const note = plan.notes.find((each) => each.includes('fileServices'));
  expect(note).toContain('the name of a resource is decided when ');
  expect(note).toContain("/storageAccounts/same answers: [format('{0}/logs', parameters('account'))]");
});

test('with Azure a name that its answer decides is in the plan; without the resource it stays undecided', async () => {
  const template = [roleModule('app'), identityModule('app')];
  const assignments = (plan: Parameters<typeof renderPlan>[0]) =>
    Object.values(changesOf(plan)).filter(({ resourceId }) => resourceId.includes('/roleAssignments/'));
  expect(assignments(await live(template))).toMatchObject([
    {
      changeType: 'Unsupported',
      unsupportedReason: expect.stringMatching(/is decided when .*Identities\/app answers/),
    },
  ]);
  const id = `${groupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/app`;
  const { body } = await world.portal.arm('PUT', id, '2023-01-31', { location: 'westeurope' });
  const [planned, ...others] = assignments(await live(template));
  expect(others).toEqual([]);
  expect(planned).toMatchObject({
    resourceId: expect.stringMatching(/roleAssignments\/[0-9a-f-]{36}$/),
    changeType: 'Create',
    after: { properties: { principalId: body.properties.principalId } },
  });
});
