import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import type { PlannedChange } from '../../runtime/compute/plan/change.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ResourceType } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { clusterPlan } from '../../runtime/plan/make-plan.ts';
import {
  actions,
  group as anyGroup,
  network as anyNetwork,
  changeOf,
  deployment,
  placed,
} from '../compute/plan/support.ts';
import { accounts, type Cluster, core, groups, startViewWorld } from '../view/world.ts';

const now = Date.parse('2026-01-01T00:00:00Z');
const networks = resourceOf(kindOf('network.azure.com', 'VirtualNetwork'));
const deployments = resourceOf(kindOf('azimuth.dev', 'ComputeDeployment'));
const namespace = 'demo';
let world: Cluster;

beforeAll(async () => {
  world = await startViewWorld([
    kindOf('network.azure.com', 'VirtualNetwork'),
    kindOf('azimuth.dev', 'ComputeDeployment'),
  ]);
});
afterAll(() => world?.close());

/** Under the version that the cluster serves. */
const group: typeof anyGroup = (...args) => ({ ...anyGroup(...args), apiVersion: apiVersionOf(groups) });
const network: typeof anyNetwork = (...args) => ({ ...anyNetwork(...args), apiVersion: apiVersionOf(networks) });
const plan = (documents: readonly unknown[], client: KubeClient = world.client, fieldManager = 'kubectl') =>
  clusterPlan(client, placed(documents), { namespace, now, fieldManager });
const apply = (type: ResourceType, manifest: object & { metadata: object }, fieldManager = 'kubectl') => {
  const object = { ...manifest, metadata: { ...manifest.metadata, namespace } } as unknown as KubeObject;
  return world.client.apply(type, object, { fieldManager });
};
const account = (owner: string, spec: object = {}) => ({
  apiVersion: apiVersionOf(accounts),
  kind: 'StorageAccount',
  metadata: { name: 'photos' },
  spec: { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: owner }, ...spec },
});
const shown = ({ path, before, after }: PlannedChange['paths'][number]) => ({ path, before, after });

test('it shows what an apply would create, change and leave, and writes nothing', async () => {
  await apply(groups, group('same', { tags: { a: '1' } }));
  await apply(groups, group('changed', { tags: { a: '1', b: '2' } }));
  const stored = await world.client.list(groups, { namespace });
  const found = await plan([
    group('same', { tags: { a: '1' } }),
    group('changed', { tags: { a: '2' } }),
    group('created'),
    network('net', 'same'),
  ]);
  expect(found).toMatchObject({ problems: [], notes: [] });
  expect(actions(found)).toEqual(['None same', 'Modify changed', 'Create created', 'Create net']);
  expect(changeOf(found, 'changed').paths.map(shown)).toEqual([
    { path: 'spec.tags.a', before: '1', after: '2' },
    { path: 'spec.tags.b', before: '2', after: undefined },
  ]);
  expect((await world.client.list(groups, { namespace })).items).toEqual(stored.items);
});

test('values that the API server itself sets are no change', async () => {
  const applied = account('same', { networkAcls: { defaultAction: 'Deny' } });
  await apply(accounts, applied);
  const wrapped: KubeClient = {
    ...boundTo(world.client),
    // As a mutating webhook does.
    apply: async (type, object, options) => {
      const stored = await world.client.apply(type, object, options);
      return { ...stored, spec: { ...stored['spec'], kind: 'StorageV2' } };
    },
  };
  const other = account('same', { kind: 'Storage', networkAcls: { defaultAction: 'Deny' } });
  expect(actions(await plan([other], wrapped))).toEqual(['None photos']);
  expect(changeOf(await plan([other]), 'photos').paths.map(shown)).toEqual([
    { path: 'spec.kind', before: 'StorageV2', after: 'Storage' },
  ]);
});

test('fields of another manager stay; changing one needs --force-conflicts, and a note says so', async () => {
  await apply(groups, group('shared', { tags: { mine: '1' } }));
  const partial: { metadata: object; spec: object } = { ...group('shared'), spec: { tags: { theirs: '1' } } };
  await apply(groups, partial, 'somebody');
  expect(actions(await plan([group('shared', { tags: { mine: '1' } })]))).toEqual(['None shared']);
  const found = await plan([group('shared', { tags: { mine: '1', theirs: '2' } })]);
  expect(changeOf(found, 'shared').paths.map(shown)).toEqual([{ path: 'spec.tags.theirs', before: '1', after: '2' }]);
  expect(found.notes).toEqual([
    expect.stringMatching(/^ResourceGroup.*\/shared: .*theirs.*"somebody".* --force-conflicts$/),
  ]);
  const gone = await plan([group('shared')], world.client, 'somebody');
  expect(changeOf(gone, 'shared').paths.map(shown)).toEqual([
    { path: 'spec.tags.theirs', before: '1', after: undefined },
  ]);
});

test('what the API server refuses is a problem, but for a change that Azure does not make', async () => {
  const wrapped: KubeClient = {
    ...boundTo(world.client),
    apply: (type, object, options) =>
      world.client.apply(type, { ...object, spec: { ...object['spec'], location: 7 } }, options),
  };
  expect((await plan([group('refused')], wrapped)).problems).toMatchObject([
    {
      path: 'documents[0] ResourceGroup.resources.azure.com/refused',
      message: expect.stringContaining('spec.location'),
    },
  ]);
  await apply(groups, group('there'));
  await world.setStatus(groups, namespace, 'there', { id: '/subscriptions/s/resourceGroups/there' });
  const found = await plan([group('there', { azureName: 'other' })]);
  expect(found.problems).toEqual([]);
  expect(changeOf(found, 'there')).toMatchObject({ action: 'Replace' });
});

test('a kind or a version that the cluster does not serve is a problem', async () => {
  const vault = {
    apiVersion: 'keyvault.azure.com/v1api20210401preview',
    kind: 'Vault',
    metadata: { name: 'vault' },
    spec: {
      location: 'westeurope',
      owner: { name: 'same' },
      properties: { tenantId: '00000000-0000-0000-0000-000000000000', sku: { family: 'A', name: 'standard' } },
    },
  };
  const { problems } = await plan([vault]);
  expect(problems).toMatchObject([
    { message: 'the cluster does not serve Vault of keyvault.azure.com/v1api20210401preview: apply its CRD first' },
  ]);
  const old = { ...network('net', 'same'), apiVersion: 'network.azure.com/v1api20201101' };
  const { message } = (await plan([old])).problems[0] ?? {};
  expect(message).toMatch(
    /does not serve VirtualNetwork of .*v1api20201101: write network\.azure\.com\/v\S+, or apply/,
  );
});

test('a kind that neither the cluster nor the definitions of the files have is a problem', async () => {
  const object = (apiVersion: string, kind: string) => ({ apiVersion, kind, metadata: { name: 'a' } });
  const definition = {
    ...object('apiextensions.k8s.io/v1', 'CustomResourceDefinition'),
    spec: { group: 'example.com', names: { kind: 'Widget' }, versions: [{ name: 'v1' }] },
  };
  const { problems } = await plan([
    object('v1', 'ConfigMap'),
    object('cert-manager.io/v1', 'Certificate'),
    object('v1', 'Cnfigmap'),
    object('../../v1', 'Pod'),
    object('example.com/v1', 'Widget'),
    object('example.com/v2', 'Widget'),
    definition,
  ]);
  const unserved = (what: string) => `the cluster does not serve ${what}: correct it, or apply its CRD first`;
  expect(problems).toEqual([
    { path: 'documents[1].kind', message: unserved('Certificate of cert-manager.io/v1') },
    { path: 'documents[2].kind', message: 'there is no Cnfigmap of v1: did you mean ConfigMap of v1?' },
    { path: 'documents[3].kind', message: unserved('Pod of ../../v1') },
    { path: 'documents[5].kind', message: unserved('Widget of example.com/v2') },
  ]);
});

test('a version whose kinds the API server does not show gives a note', async () => {
  const wrapped: KubeClient = {
    ...boundTo(world.client),
    raw: async (path, signal) => (path === '/api/v1' ? ({} as never) : await world.client.raw(path, signal)),
  };
  const found = await plan([{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }], wrapped);
  expect(found.problems).toEqual([]);
  expect(found.notes.join()).toMatch(/could not be read: the kinds of v1: get .*expected an APIResourceList/);
});

test('references are searched for in the cluster: owners by their objects, Secrets by their metadata', async () => {
  const resource = {
    apiVersion: 'compute.azure.com/v1api20220301',
    kind: 'VirtualMachine',
    metadata: { name: 'web' },
    spec: {
      location: 'westeurope',
      owner: { name: 'none' },
      osProfile: { adminUsername: 'azureuser', adminPassword: { name: 'login', key: 'password' } },
    },
  };
  const secrets = core('secrets', 'Secret');
  const missing = async () => {
    const { problems } = await plan([resource]);
    return problems.map(({ message }) => /there is no (\S+)/.exec(message)?.[1]).filter(Boolean);
  };
  expect(await missing()).toEqual(['ResourceGroup.resources.azure.com/none', 'Secret/login']);
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'login', namespace },
    data: { password: 'eA==' },
  };
  await world.client.create(secrets, secret);
  expect(await missing()).toEqual(['ResourceGroup.resources.azure.com/none']);
});

test('what a deployment owns in the cluster and its template lacks is deleted', async () => {
  const manifests = [network('net-${location}', 'rg-${location}'), group('rg-${location}')];
  const goal = { locations: [{ name: 'westeurope' }], template: { manifests } };
  const { metadata } = await apply(deployments, deployment(goal));
  const owner = { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ComputeDeployment', name: 'shop', uid: metadata.uid };
  const owned = { ownerReferences: [{ ...owner, controller: true }], labels: { 'azimuth.dev/deployment': 'shop' } };
  const annotations = { 'azimuth.dev/goal': 'hash' };
  await apply(groups, group('rg-westeurope', {}, { ...owned, annotations }), 'azimuth-deployments');
  await apply(groups, group('rg-uksouth', {}, owned), 'azimuth-deployments');
  await apply(groups, group('foreign', {}, { labels: owned.labels }));
  const found = await plan([deployment(goal)]);
  expect(found.problems).toEqual([]);
  expect(actions(found)).toEqual(['None shop', 'None rg-westeurope', 'Create net-westeurope', 'Delete rg-uksouth']);
});

test('a location that another field manager has set stays, as after an apply, and so do its objects', async () => {
  const template = { manifests: [group('rg-${location}')] };
  const both = { locations: [{ name: 'westeurope' }, { name: 'uksouth' }], template };
  const named = (goal: object) => ({ ...deployment(goal), metadata: { name: 'kept' } });
  const { metadata } = await apply(deployments, named(both), 'somebody');
  const owner = { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ComputeDeployment', name: 'kept', uid: metadata.uid };
  const owned = { ownerReferences: [{ ...owner, controller: true }], labels: { 'azimuth.dev/deployment': 'kept' } };
  for (const name of ['kept-westeurope', 'kept-uksouth'])
    await apply(groups, group(name, {}, owned), 'azimuth-deployments');
  const kept = { manifests: [group('kept-${location}')] };
  await apply(deployments, named({ ...both, template: kept }), 'somebody');
  const file = named({ locations: [{ name: 'westeurope' }], template: kept });
  const found = await plan([file]);
  expect(found.problems).toEqual([]);
  expect(actions(found).filter((each) => each.startsWith('Delete'))).toEqual([]);
  expect(found.notes.join()).toContain('what other field managers have set');
  // The manager that has set the location takes it away.
  expect(actions(await plan([file], world.client, 'somebody'))).toContain('Delete kept-uksouth');
});

test('without the right to apply it compares by GET; without the right to read the state is unknown', async () => {
  const rule = (resources: readonly string[], verbs: readonly string[]) => ({
    apiGroups: ['resources.azure.com', 'network.azure.com'],
    resources,
    verbs,
  });
  const { kubeconfig } = await world.reader('plan-reader', [rule(['resourcegroups'], ['get'])], namespace);
  const client = createKubeClient(loadKubeConnection({ kubeconfig }));
  try {
    const found = await plan([group('same', { tags: { a: '2' } }), network('net', 'same')], client);
    expect(found.problems).toEqual([]);
    expect(actions(found)).toEqual(['Modify same', 'Unknown net']);
    expect(found.notes.join('\n')).toMatch(/ResourceGroup.*same: compared by GET.*cannot patch resource/);
    expect(found.notes.join('\n')).toContain('you may not read VirtualNetwork in the namespace demo');
  } finally {
    await client.close();
  }
});

/** The methods of a client, to be replaced one by one. */
function boundTo(client: KubeClient): KubeClient {
  const names = ['get', 'tryGet', 'list', 'create', 'replace', 'patch', 'apply', 'delete', 'raw', 'close'] as const;
  return Object.fromEntries(names.map((name) => [name, client[name].bind(client)])) as unknown as KubeClient;
}
