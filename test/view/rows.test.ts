import { expect, test } from '@jest/globals';
import { mostLinks } from '../../runtime/view/model/row.ts';
import { viewKinds } from '../../runtime/view/model/view-kinds.ts';
import { account, group, notReady, object, ready, rowOf, rowsOf } from './support.ts';

test('a resource has the state of its Ready condition, its region, its ARM id, and its owner', () => {
  const row = rowOf(account('photos', 'demo', { ...ready, id: '/subscriptions/s/x' }));
  expect(row).toMatchObject({
    id: 'storage.azure.com/StorageAccount/demo/photos',
    state: 'Ready',
    reason: 'Succeeded',
    location: 'westeurope',
    armId: '/subscriptions/s/x',
    links: [{ type: 'owner', to: 'resources.azure.com/ResourceGroup/demo/demo', text: 'ResourceGroup/demo' }],
  });
});

test.each([
  [notReady('WaitingForOwner', 'Warning'), 'Blocked'],
  [notReady('SecretNotFound', 'Warning'), 'Blocked'],
  [notReady('Reconciling', 'Info'), 'Reconciling'],
  [notReady('TooManyRequests', 'Warning'), 'Blocked'],
  [notReady('SkuNotAvailable', 'Error'), 'Failed'],
  [{ conditions: [{ type: 'Ready', status: 'Unknown', reason: 'X' }] }, 'Unknown'],
  [{ conditions: [{ type: 'Ready', status: 'True', reason: 'Succeeded', observedGeneration: 0 }] }, 'Reconciling'],
  [{}, 'Unknown'],
  [undefined, 'Unknown'],
])('%j is %s', (status, state) => {
  expect(rowOf({ ...group('demo'), status }).state).toBe(state);
});

test('an object under deletion is Deleting whatever its condition says', () => {
  const found = group('demo');
  found.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  expect(rowOf(found).state).toBe('Deleting');
});

test.each([
  ['Running', 'Reconciling'],
  ['Suspended', 'Blocked'],
  ['Paused', 'Blocked'],
  ['Succeeded', 'Ready'],
  ['Superseded', 'Ready'],
  ['Cancelled', 'Failed'],
  ['toString', 'Unknown'],
])('a ComputeRun in the state %s is %s', (state, wanted) => {
  const status = { state, message: 'of the run' };
  const row = rowOf(object('azimuth.dev/v1alpha1', 'ComputeRun', 'web-1', { spec: { deployment: 'web' }, status }));
  expect(row).toMatchObject({ state: wanted, message: 'of the run' });
});

test('an identity owns its bindings, and a binding its assignments', () => {
  const api = 'aadpodidentity.k8s.io/v1';
  const binding = rowOf(object(api, 'AzureIdentityBinding', 'b', { spec: { azureIdentity: 'i', selector: 's' } }));
  const spec = { azureBindingRef: { metadata: { name: 'b', namespace: 'demo' } }, pod: 'p' };
  const assigned = rowOf(
    object(api, 'AzureAssignedIdentity', 'a', {
      metadata: { namespace: 'kube-system' },
      spec,
      status: { status: 'Assigned' },
    }),
  );
  expect(binding.links).toEqual([
    { type: 'owner', to: 'aadpodidentity.k8s.io/AzureIdentity/demo/i', text: 'AzureIdentity/i' },
  ]);
  expect(assigned).toMatchObject({ state: 'Ready', links: [{ type: 'owner', text: 'AzureIdentityBinding/b' }] });
  expect(assigned.links[0]?.to).toBe(binding.id);
});

test('a pod shows its Key Vault volumes and nothing else of it', () => {
  const volumes = [
    { name: 'certs', flexVolume: { driver: 'azure/kv', secretRef: { name: 'creds' }, options: { tenantid: 't' } } },
    { name: 'csi', csi: { driver: 'secrets-store.csi.k8s.io', volumeAttributes: { secretProviderClass: 'spc' } } },
    { name: 'tmp', emptyDir: {} },
  ];
  const env = [{ name: 'PASSWORD', value: 'hunter2' }];
  const pod = object('v1', 'Pod', 'web', { spec: { volumes, containers: [{ env }] }, status: { phase: 'Pending' } });
  const rows = rowsOf(pod);
  expect(rows).toMatchObject([
    { kind: 'Volume', name: 'web/certs', state: 'Reconciling', links: [{ type: 'secret', text: 'Secret/creds' }] },
    { kind: 'Volume', name: 'web/csi', links: [{ type: 'owner', text: 'SecretProviderClass/spc' }] },
  ]);
  expect(JSON.stringify(rows)).not.toContain('hunter2');
  expect(rowsOf(object('v1', 'Pod', 'plain', { spec: { volumes: [{ name: 'tmp', emptyDir: {} }] } }))).toEqual([]);
});

test('a row has no member of the spec but names and the location', () => {
  const spec = { tags: { note: 'hunter2' }, operatorSpec: { secretExpressions: [{ name: 'n', value: 'hunter2' }] } };
  expect(JSON.stringify(rowOf(account('photos', 'demo', ready, spec)))).not.toContain('hunter2');
});

test('texts of tenants are cut and printable', () => {
  const message = `\u001b[2Jgone\u202e\u0000\nnext${'x'.repeat(10_000)}`;
  const row = rowOf(group('demo', notReady('\u001b]0;title\u0007', 'Error', message)));
  expect(row.message).toMatch(/^\\u001b\[2Jgone\\u202e\\u0000\\nnextx+\.\.\.$/);
  expect(row.message.length).toBeLessThan(400);
  expect(row.reason).toBe('\\u001b]0;title\\u0007');
});

test.each([
  null,
  'text',
  7,
  [],
  { owner: 5 },
  { owner: { name: ['x'] } },
  { owner: { name: { toString: 'x' } }, location: {} },
  { operatorSpec: { managedSecrets: [null, 1, { managedSecret: {} }], keyVault: 3 } },
])('a spec of any form makes a row of every kind: %j', (spec) => {
  for (const { type, rowsOf: make } of viewKinds) {
    const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`;
    for (const status of [spec, { conditions: [spec, { type: 'Ready', status: spec }] }]) {
      const rows = make(object(apiVersion, type.kind, 'x', { spec, status }));
      for (const row of rows)
        for (const text of Object.values(row)) expect(['string', 'object']).toContain(typeof text);
    }
  }
});

test('an object with thousands of references keeps its owner', () => {
  const references = Array.from({ length: 5000 }, (_, index) => ({ group: 'g', kind: 'K', name: `n${index}` }));
  const ownerReferences = [{ apiVersion: 'azimuth.dev/v1alpha1', kind: 'ComputeDeployment', name: 'web', uid: 'u' }];
  const owned = object('azimuth.dev/v1alpha1', 'ManagedSecret', 's', {
    spec: { references },
    metadata: { ownerReferences },
  });
  expect(rowOf(owned).links[0]).toMatchObject({ type: 'owner', text: 'ComputeDeployment/web' });
});

test('an object with thousands of references keeps the first ones', () => {
  const references = Array.from({ length: 5000 }, (_, index) => ({ group: 'g', kind: 'K', name: `n${index}` }));
  const row = rowOf(object('azimuth.dev/v1alpha1', 'ManagedSecret', 's', { spec: { references } }));
  expect(row.links).toHaveLength(mostLinks);
});

test('references with long names leave a row short, and its owner is in it', () => {
  const long = 'x'.repeat(250);
  const references = Array.from({ length: 50 }, (_, index) => ({ group: long, kind: long, name: `${long}${index}` }));
  const ownerReferences = [{ apiVersion: 'azimuth.dev/v1alpha1', kind: 'ComputeDeployment', name: 'web', uid: 'u' }];
  const metadata = { ownerReferences };
  const row = rowOf(object('azimuth.dev/v1alpha1', 'ManagedSecret', 's', { spec: { references }, metadata }));
  expect(JSON.stringify(row).length).toBeLessThan(10_000);
  expect(row.links[0]).toMatchObject({ type: 'owner', text: 'ComputeDeployment/web' });
  expect(row.links.length).toBeGreaterThan(2);
});

test('an identity refers to the UserAssignedIdentity that it takes its ids from', () => {
  const spec = { type: 0, identityRef: { name: 'shop' } };
  expect(rowOf(object('aadpodidentity.k8s.io/v1', 'AzureIdentity', 'i', { spec })).links).toEqual([
    {
      type: 'reference',
      to: 'managedidentity.azure.com/UserAssignedIdentity/demo/shop',
      text: 'UserAssignedIdentity/shop',
    },
  ]);
});
