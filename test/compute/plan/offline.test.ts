import { expect, test } from '@jest/globals';
import { actions, deployment, group, network, plan } from './support.ts';

test('without a cluster everything is new, in the order of the graph and of the waves', () => {
  const waves = { strategy: { waves: [['northeurope'], ['westeurope']] } };
  const found = plan([network('net', 'rg'), deployment(waves), group('rg')]);
  expect(found.problems).toEqual([]);
  expect(actions(found)).toEqual([
    'Create rg',
    'Create net',
    'Create shop',
    'Create rg-northeurope',
    'Create net-northeurope',
    'Create rg-westeurope',
    'Create net-westeurope',
  ]);
  expect(found.changes[4]).toMatchObject({
    namespace: 'team',
    deployment: 'shop',
    location: 'northeurope',
    after: ['ResourceGroup.resources.azure.com/rg-northeurope'],
  });
});

test('each problem is reported with its document and path, and nothing is left out for one of them', () => {
  const wrong = deployment({
    strategy: { waves: [['uksouth']] },
    template: { manifests: [group('rg-${location}', { location: '${region}' }), { kind: 'Pod' }] },
  });
  const { problems } = plan([
    group('a', { location: 7 }),
    network('net', 'a', { unknown: true }),
    wrong,
    deployment({ locations: [] }),
    'text',
    group('same'),
    group('same'),
  ]);
  const paths = problems.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'documents[0].spec.location',
      'documents[1].spec.unknown',
      'documents[2].spec.strategy.waves[0]',
      'documents[2].spec.template.manifests[0].spec.location',
      'documents[3].spec.locations',
      'documents[4]',
      'documents[6].metadata.name',
    ]),
  );
});

test('the same problem in each location is one problem', () => {
  const manifests = [group('rg-${location}', { location: '${region}' })];
  const { problems } = plan([deployment({ template: { manifests } })]);
  expect(problems).toHaveLength(1);
});

test('a cycle is a problem, and the plan still has an order', () => {
  const peering = (name: string, other: string) =>
    network(name, 'rg', {
      bgpCommunities: undefined,
      ddosProtectionPlan: {
        reference: { group: 'network.azure.com', kind: 'VirtualNetwork', name: other },
      },
    });
  const found = plan([peering('a', 'b'), peering('b', 'a')]);
  expect(found.problems.map(({ message }) => message).join()).toMatch(/wait for each other: .*a -> .*b -> .*a/);
  expect(found.changes).toHaveLength(2);
});

test('one object that a manifest and a deployment make is a problem', () => {
  const { problems } = plan([group('rg-westeurope'), deployment()]);
  expect(problems).toMatchObject([{ path: 'documents[1].spec.template' }]);
});

test('a machine is checked as the operator checks it', () => {
  const machine = {
    apiVersion: 'compute.azure.com/v1api20220301',
    kind: 'VirtualMachine',
    metadata: { name: 'web' },
    spec: {
      location: 'westeurope',
      owner: { name: 'rg' },
      osProfile: {
        adminUsername: 'admin',
        adminPassword: { name: 'password', key: 'value' },
        linuxConfiguration: { ssh: { publicKeys: [{ keyData: 'ssh-rsa x', path: '/root/.ssh/authorized_keys' }] } },
      },
    },
  };
  const paths = plan([machine]).problems.map(({ path }) => path);
  const at = 'documents[0] VirtualMachine.compute.azure.com/web properties.osProfile';
  expect(paths).toEqual(
    expect.arrayContaining([`${at}.adminUsername`, `${at}.linuxConfiguration.ssh.publicKeys[0].keyData`]),
  );
});

test('a machine may name a vault by its ARM id: the subscription of the machine is known in Azure only', () => {
  const vault =
    '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/kv';
  const certificateUrl = 'https://kv.vault.azure.net/secrets/web/0123456789abcdef0123456789abcdef';
  const machine = {
    apiVersion: 'compute.azure.com/v1api20220301',
    kind: 'VirtualMachine',
    metadata: { name: 'web' },
    spec: {
      location: 'westeurope',
      owner: { name: 'rg' },
      osProfile: {
        adminUsername: 'operations',
        linuxConfiguration: { disablePasswordAuthentication: true },
        secrets: [{ sourceVault: { reference: { armId: vault } }, vaultCertificates: [{ certificateUrl }] }],
      },
    },
  };
  expect(plan([machine]).problems.filter(({ message }) => message.includes('subscription'))).toEqual([]);
});

test('a certificate as a text is a problem of an extension of its own and of one in a scale set', () => {
  const url = 'https://kv.vault.azure.net/secrets/web';
  const vault = (observedCertificates: unknown) => ({
    publisher: 'Microsoft.Azure.KeyVault',
    type: 'KeyVaultForLinux',
    typeHandlerVersion: '3.0',
    settings: { secretsManagementSettings: { observedCertificates } },
  });
  const object = (kind: string, name: string, spec: object) => ({
    apiVersion: 'compute.azure.com/v1api20220301',
    kind,
    metadata: { name },
    spec: { location: 'westeurope', ...spec },
  });
  const extensions = [{ name: 'kv', ...vault([{ url }, url]) }];
  const { problems } = plan([
    object('VirtualMachine', 'web', { owner: { name: 'rg' } }),
    object('VirtualMachinesExtension', 'text', { owner: { name: 'web' }, ...vault(url) }),
    object('VirtualMachinesExtension', 'object', { owner: { name: 'web' }, ...vault([{ url }]) }),
    object('VirtualMachineScaleSet', 'set', {
      owner: { name: 'rg' },
      virtualMachineProfile: { extensionProfile: { extensions } },
    }),
  ]);
  const at = 'settings.secretsManagementSettings.observedCertificates';
  expect(problems.map(({ path }) => path).filter((path) => path.includes('observed'))).toEqual([
    `documents[1] VirtualMachinesExtension.compute.azure.com/text properties.${at}`,
    `documents[3] VirtualMachineScaleSet.compute.azure.com/set properties.virtualMachineProfile.extensionProfile.extensions[kv].properties.${at}[1]`,
  ]);
});

test('a password that stands where a reference to a Secret belongs is in no message', () => {
  const machine = {
    apiVersion: 'compute.azure.com/v1api20220301',
    kind: 'VirtualMachine',
    metadata: { name: 'web' },
    spec: { location: 'westeurope', owner: { name: 'rg' }, osProfile: { adminPassword: 'hunter2-as-text' } },
  };
  const found = plan([machine]);
  expect(found.problems).toMatchObject([{ path: 'documents[0].spec.osProfile.adminPassword' }]);
  expect(JSON.stringify(found)).not.toContain('hunter2');
});

test('objects of other kinds are named, and not planned', () => {
  const found = plan([{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { a: 'c2VjcmV0' } }]);
  expect(found).toEqual({
    changes: [],
    problems: [],
    notes: ['1 objects of other kinds are not in the plan: team Secret/s'],
  });
});

test('an annotation that leaves a field to others and names none is a problem', () => {
  const found = plan([group('rg', {}, { annotations: { 'azimuth.dev/ignore-fields': 'nonsense' } })]);
  expect(found.problems).toMatchObject([
    {
      path: 'documents[0] ResourceGroup.resources.azure.com/rg metadata.annotations',
      message: expect.stringContaining('nonsense'),
    },
  ]);
});
