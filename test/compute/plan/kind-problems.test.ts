import { expect, test } from '@jest/globals';
import { plan } from './support.ts';

const object = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: 'a' } });
const planOf = (...documents: object[]) => plan(documents);

test.each([
  ['storage.azure.com/v1api20230101', 'StorageAcount', 'did you mean StorageAccount of storage.azure.com?'],
  ['storage.azure.com/v1api20230101', 'storageaccount', 'did you mean StorageAccount of storage.azure.com?'],
  ['storage.azure.com/v1api20230101', 'StorageAccounts', 'did you mean StorageAccount of storage.azure.com?'],
  ['storage.azure.com/v1api20230101', 'FileSystem', 'docs/reference/kinds.md lists the kinds'],
  ['storag.azure.com/v1api20230101', 'StorageAccount', 'did you mean StorageAccount of storage.azure.com?'],
  ['Storage.azure.com/v1api20230101', 'StorageAccount', 'did you mean StorageAccount of storage.azure.com?'],
  ['storag.azure.com/v1api20230101', 'StorageAcount', 'did you mean StorageAccount of storage.azure.com?'],
  ['storag.azure.com/v1api20230101', 'Container', 'did you mean the group storage.azure.com?'],
  ['azimut.dev/v1alpha1', 'ComputeDeployment', 'did you mean ComputeDeployment of azimuth.dev?'],
  ['aadpodidentity.k8s.io/v1', 'AzureIdentityBindings', 'did you mean AzureIdentityBinding of aadpodidentity.k8s.io?'],
  [
    'secrets-store.csi.x-k8s.io/v1',
    'SecretProviderclass',
    'did you mean SecretProviderClass of secrets-store.csi.x-k8s.io?',
  ],
  [
    'secret-store.csi.x-k8s.io/v1',
    'SecretProviderClass',
    'did you mean SecretProviderClass of secrets-store.csi.x-k8s.io?',
  ],
  ['v1', 'StorageAccount', 'did you mean StorageAccount of storage.azure.com?'],
  ['storage/v1', 'StorageAccount', 'did you mean StorageAccount of storage.azure.com?'],
  ['v1', 'Secrt', 'did you mean Secret of v1?'],
  ['apps/v1', 'Deploymnet', 'did you mean Deployment of apps?'],
])('%s %s is a problem without a cluster too', (apiVersion, kind, suggestion) => {
  const { problems, notes } = planOf(object(apiVersion, kind));
  expect(problems).toEqual([
    { path: 'documents[0].kind', message: `there is no ${kind} of ${apiVersion}: ${suggestion}` },
  ]);
  expect(notes.join()).not.toContain('is not checked');
});

test.each([
  ['cert-manager.io/v1', 'Certificate'],
  ['monitoring.coreos.com/v1', 'ServiceMonitor'],
  ['secrets-store.csi.x-k8s.io/v1', 'SecretProviderClass'],
  ['secret-sync.x-k8s.io/v1alpha1', 'SecretSync'],
  ['snapshot.storage.k8s.io/v1', 'VolumeSnapshotClass'],
  ['azure.upbound.io/v1beta1', 'ResourceGroup'],
  ['azure.microsoft.com/v1alpha1', 'StorageAccount'],
  ['rbac.authorization.k8s.io/v1', 'Role'],
])("%s %s is a note, since the kind may be somebody else's", (apiVersion, kind) => {
  const { problems, notes } = planOf(object(apiVersion, kind));
  expect(problems).toEqual([]);
  expect(notes).toContain(`whether the cluster serves ${kind} of ${apiVersion} is not checked`);
});

test('kinds of Kubernetes, of pod identity and of definitions among the manifests give neither', () => {
  const definition = {
    ...object('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
    spec: { group: 'storage.azure.com', names: { kind: 'StorageAccountsLock' }, versions: [{ name: 'v2' }] },
  };
  const { problems, notes } = planOf(
    object('v1', 'Secret'),
    object('batch/v1', 'Job'),
    object('apps/v1', 'Deployment'),
    object('aadpodidentity.k8s.io/v1', 'AzureIdentity'),
    object('storage.azure.com/v2', 'StorageAccountsLock'),
    definition,
  );
  expect(problems).toEqual([]);
  expect(notes.join()).not.toContain('Secret of');
  expect(notes).toContain(
    'whether the cluster serves CustomResourceDefinition of apiextensions.k8s.io/v1 is not checked',
  );
});

test('a manifest without apiVersion or kind is a problem', () => {
  const metadata = { name: 'a' };
  expect(planOf({ kind: 'StorageAccount', metadata }, { apiVersion: 'v1', metadata }).problems).toMatchObject([
    { path: 'documents[0]', message: expect.stringContaining('needs apiVersion') },
    { path: 'documents[1]' },
  ]);
});
