import { expect, test } from '@jest/globals';
import {
  actions,
  changeOf,
  cluster,
  deployment,
  group,
  network,
  owned,
  plan,
  stored,
  storedDeployment,
} from './support.ts';

const inAzure = { status: { id: '/subscriptions/s/resourceGroups/rg' } };

test('what is the same is no change, whatever the API server and others have added', () => {
  const present = stored(group('rg'), { labels: { other: 'x' }, annotations: { 'azimuth.dev/applied': '{}' } });
  present['spec'].azureName = 'rg';
  expect(plan([group('rg')], cluster({ ...present, ...inAzure }))).toMatchObject({
    changes: [{ action: 'None', paths: [] }],
    problems: [],
  });
});

test('a change has its paths: new, other, and gone where the manager had applied it', () => {
  const present = stored(group('rg', { tags: { a: '1', b: '2' } }));
  const found = plan([group('rg', { tags: { a: '2', c: '3' } }, { labels: { new: 'x' } })], cluster(present));
  expect(changeOf(found, 'rg')).toMatchObject({
    action: 'Modify',
    paths: [
      { path: 'metadata.labels', after: { new: 'x' } },
      { path: 'spec.tags.a', before: '1', after: '2' },
      { path: 'spec.tags.c', after: '3' },
      { path: 'spec.tags.b', before: '2' },
    ],
  });
});

test('what somebody else has set stays, also when the manager has set it too', () => {
  const present = stored(group('rg', { tags: { a: '1', b: '2' } }));
  const { managedFields = [] } = present.metadata;
  managedFields.push({ manager: 'other', fieldsV1: { 'f:spec': { 'f:tags': { 'f:b': {} } } } });
  expect(actions(plan([group('rg', { tags: { a: '1' } })], cluster(present)))).toEqual(['None rg']);
  present.metadata.managedFields = [];
  expect(actions(plan([group('rg')], cluster(present)))).toEqual(['None rg']);
});

test.each([
  ['spec.location', { location: 'northeurope' }],
  ['spec.azureName', { azureName: 'other' }],
])('%s of a resource that Azure has is a replacement, and a change before', (path, spec) => {
  const change = (object: object) => changeOf(plan([group('rg', spec)], cluster(object as never)), 'rg');
  expect(change({ ...stored(group('rg')), ...inAzure })).toMatchObject({
    action: 'Replace',
    paths: [{ path, isFixed: true }],
  });
  expect(change(stored(group('rg')))).toMatchObject({ action: 'Modify' });
});

test('another owner of a resource that Azure has is a replacement', () => {
  const present = { ...stored(network('net', 'old')), ...inAzure };
  const found = plan([group('new'), network('net', 'new')], cluster(present));
  expect(changeOf(found, 'net')).toMatchObject({
    action: 'Replace',
    paths: [{ path: 'spec.owner.name', isFixed: true }],
  });
});

test('of a deployment, objects that the goal lacks are deleted, users of them first, and the rest compared', () => {
  const same = [
    owned(group('rg-westeurope'), 'westeurope'),
    owned(network('net-westeurope', 'rg-westeurope'), 'westeurope'),
  ];
  const gone = [
    owned(group('rg-uksouth'), 'uksouth', { annotations: { 'serviceoperator.azure.com/reconcile-policy': 'skip' } }),
    owned(network('net-uksouth', 'rg-uksouth'), 'uksouth'),
  ];
  const goal = { locations: [{ name: 'westeurope' }] };
  const found = plan([deployment(goal)], cluster(storedDeployment(goal), ...same, ...gone));
  expect(found.problems).toEqual([]);
  expect(actions(found)).toEqual([
    'None shop',
    'None rg-westeurope',
    'None net-westeurope',
    'Delete net-uksouth',
    'Delete rg-uksouth',
  ]);
  expect(changeOf(found, 'rg-uksouth')).toMatchObject({
    location: 'uksouth',
    notes: ['the resource stays in Azure (reconcile-policy skip)'],
  });
});

test('a forged label or a foreign object is not taken for an object of the deployment', () => {
  const foreign = stored(group('rg-westeurope'), { labels: { 'azimuth.dev/deployment': 'shop' } });
  const found = plan([deployment()], cluster(storedDeployment(), foreign));
  expect(found.problems).toMatchObject([{ message: expect.stringContaining('is not of this deployment') }]);
  expect(found.changes.some(({ action }) => action === 'Delete')).toBe(false);
});

test('of the template only its difference is shown, as its objects show how', () => {
  const before = storedDeployment({ template: { manifests: [group('a')] }, retry: 'a' });
  const found = plan([deployment({ retry: 'b' })], cluster(before));
  expect(changeOf(found, 'shop')).toMatchObject({
    action: 'Modify',
    paths: [{ path: 'spec.retry', before: 'a', after: 'b' }, { path: 'spec.template' }],
  });
});

test('a reference to what is neither in the files nor in the cluster is a problem', () => {
  const { problems } = plan([network('net', 'missing')], cluster());
  expect(problems).toMatchObject([
    {
      path: 'documents[0] VirtualNetwork.network.azure.com/net spec.owner',
      message: expect.stringContaining('there is no ResourceGroup.resources.azure.com/missing in the namespace team'),
    },
  ]);
  expect(plan([network('net', 'there')], cluster(stored(group('there')))).problems).toEqual([]);
});

test('secrets are not shown: neither by name, nor in scripts, nor inside of what is new', () => {
  const resource = (body: object) => ({
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ArmResource',
    metadata: { name: 'web' },
    spec: { type: 'Microsoft.Web/sites@2022-03-01', scope: '/subscriptions/s/resourceGroups/rg', body },
  });
  const body = (value: string) => ({
    properties: {
      adminPassword: `${value}-1`,
      protectedSettings: { script: `${value}-2` },
      customData: `${value}-3`,
      list: [{ clientSecret: `${value}-4` }],
    },
  });
  const changed = plan([resource(body('new'))], cluster(stored(resource(body('old')))));
  expect(changeOf(changed, 'web').paths).toHaveLength(4);
  const created = plan([resource({ properties: { nested: body('new') } })], cluster(stored(resource({}))));
  expect(changeOf(created, 'web').action).toBe('Modify');
  for (const found of [changed, created]) expect(JSON.stringify(found)).not.toMatch(/(new|old)-\d/);
});

test('a ManagedSecret shows its version by number', () => {
  const secret = {
    apiVersion: 'azimuth.dev/v1alpha1',
    kind: 'ManagedSecret',
    metadata: { name: 'login' },
    spec: {
      kind: 'Password',
      home: { vault: { armId: '/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/vault' } },
    },
  };
  const present = { ...stored(secret), status: { version: 3 } };
  const found = plan([secret], cluster(present));
  expect(found.problems).toEqual([]);
  expect(changeOf(found, 'login')).toMatchObject({ action: 'None', notes: ['ManagedSecret login: version 3'] });
});

test('an object that could not be read is unknown', () => {
  const found = plan([group('rg')], { ...cluster(), object: () => 'Unknown' });
  expect(found.changes).toMatchObject([{ action: 'Unknown' }]);
});

test('a new object whose name Azure refuses is a problem, and one that exists is not', () => {
  const account = (name: string, spec: object = {}) => ({
    apiVersion: 'storage.azure.com/v1api20230101',
    kind: 'StorageAccount',
    metadata: { name },
    spec: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' }, ...spec },
  });
  const files = [
    group('rg'),
    account('my-account'),
    account('n'.repeat(39)),
    account('other-name', { azureName: 'other' }),
  ];
  const path = (index: number, name: string) =>
    `documents[${index}] StorageAccount.storage.azure.com/${name} metadata.name`;
  const [first, second] = [path(1, 'my-account'), path(2, 'n'.repeat(39))];
  expect(plan(files).problems).toEqual([
    { path: first, message: expect.stringMatching(/^expected a name in Azure of 3 to 24 .*, got "my-account"/) },
    { path: second, message: expect.any(String) },
  ]);
  const present = cluster(stored(account('my-account')));
  expect(plan(files, present).problems.map((problem) => problem.path)).toEqual([second]);
  expect(plan(files, { ...present, object: () => 'Unknown' }).problems).toEqual([]);
  const template = { manifests: [group(`${'g'.repeat(80)}-\${location}`)] };
  expect(plan([deployment({ template })]).problems).toEqual([
    { path: expect.stringContaining('documents[0].spec.template'), message: expect.stringContaining('1 to 90') },
    expect.anything(),
  ]);
});
