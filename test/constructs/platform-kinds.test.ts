import { expect, test } from '@jest/globals';
import { ApiObject, App, Chart, Lazy } from 'cdk8s';
import { Platform, type PlatformProps, ResourceGroup, StorageAccount } from '../../constructs/index.ts';
import { armKinds } from '../../runtime/api/kinds.ts';
import type { Manifest } from './manifests.ts';

/** An app with a platform and then the objects; the last value of each is what the synthesis has. */
function synthesized(props: Partial<PlatformProps> = {}, objects: (chart: Chart) => void = () => undefined) {
  const app = new App();
  const platform = new Platform(app, 'azimuth', { image: 'azimuth:test', version: 'test', ...props });
  objects(new Chart(app, 'shop'));
  const manifests: Manifest[] = app.charts.flatMap((chart) => chart.toJson());
  const defined = manifests
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .map(({ metadata }) => metadata.name);
  const operator = manifests.find(
    ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'azimuth-operator',
  );
  const role = manifests.find(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === 'azimuth-operator');
  return { platform, manifests, defined, args: operator?.spec.template.spec.containers[0].args.join(' ') ?? '', role };
}
const resources = ({ rules }: Manifest): string[] =>
  rules.flatMap(({ apiGroups, resources: plurals }: Manifest) =>
    plurals.map((each: string) => `${each}.${apiGroups[0]}`),
  );

function account(chart: Chart): void {
  const group = new ResourceGroup(chart, 'group', { spec: { location: 'westeurope' } });
  const spec = { owner: group, location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' } } as const;
  new StorageAccount(chart, 'account', { spec });
}
const subnet = (chart: Chart) =>
  new ApiObject(chart, 'subnet', {
    apiVersion: 'network.azure.com/v1api20240301',
    kind: 'VirtualNetworksSubnet',
    // Resolved at the synthesis only.
    spec: Lazy.any({ produce: () => ({ owner: { name: 'network' }, addressPrefix: '10.0.0.0/24' }) }),
  });

test('by default the kinds of the objects of the app are defined, with their owners, also of objects made later', () => {
  const { defined, platform } = synthesized({}, (chart) => {
    account(chart);
    subnet(chart);
  });
  expect(defined).toEqual([
    'armresources.azimuth.dev',
    'resourcegroups.resources.azure.com',
    'storageaccounts.storage.azure.com',
    'virtualnetworks.network.azure.com',
    'virtualnetworkssubnets.network.azure.com',
  ]);
  expect(platform.crds.kinds.map(({ plural, group }) => `${plural}.${group}`).sort()).toEqual([...defined].sort());
  expect(platform.notes).toEqual([]);
});

test('by default the operator serves what the cluster defines, so that definitions of former manifests stay in use', () => {
  const { args, role, manifests } = synthesized({ multiTenant: true, operator: { credentialScopes: { '*': ['/'] } } });
  expect(args).not.toContain('--kinds');
  const all = armKinds.map(({ plural, group }) => `${plural}.${group}`);
  expect(resources(role)).toEqual(expect.arrayContaining(all));
  const edit = manifests.find(({ metadata }) => metadata.name === 'azimuth-tenant-edit');
  expect(resources(edit)).toEqual(expect.arrayContaining(all));
});

test('an app whose objects name no kind gets ArmResource and a note that says how to name kinds', () => {
  const { defined, platform } = synthesized();
  expect(defined).toEqual(['armresources.azimuth.dev']);
  expect(platform.notes).toEqual([expect.stringMatching(/only ArmResource: .*AZIMUTH_KINDS.*used:.*azimuth kinds/)]);
  expect(synthesized({ operator: false, podIdentity: {} }).platform.notes).toEqual([]);
});

test('a list of globs defines and serves exactly these kinds, and a note names each object of another kind', () => {
  const { defined, platform, args, role } = synthesized(
    { kinds: ['resources.azure.com/*', 'cache.azure.com/Redis'] },
    account,
  );
  expect([...defined].sort()).toEqual(['redis.cache.azure.com', 'resourcegroups.resources.azure.com']);
  expect(args).toContain('--kinds=resources.azure.com/*;cache.azure.com/Redis');
  expect(resources(role)).not.toContain('storageaccounts.storage.azure.com');
  expect(platform.notes).toEqual([
    'shop/account/Resource needs the kind storage.azure.com/StorageAccount, which this platform does not define: add it to ' +
      '`kinds` (AZIMUTH_KINDS), unless the cluster has it from elsewhere.',
  ]);
  expect(() => synthesized({ kinds: [] })).toThrow('kinds (AZIMUTH_KINDS)');
});
