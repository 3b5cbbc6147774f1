import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { App } from 'cdk8s';
import { parse } from 'yaml';
import { Platform } from '../../constructs/platform.ts';
import { Manifests } from '../../stacks/components/manifests.ts';
import { roleId } from '../../stacks/components/role-grant.ts';
import { parseWorkloads } from '../../stacks/components/workloads.ts';
import { scratch } from '../fakes/scratch.ts';
import { runStack, type StackRun } from './mocked-stack.ts';

const assignable = '4633458b-17de-408a-b874-0445c86b69e6';
const officer = 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7';
const secretsUser = '4633458b-17de-408a-b874-0445c86b69e6';
const nodes = '/subscriptions/sub/resourceGroups/nodes';
const workloads = {
  web: {
    serviceAccounts: ['shop/web'],
    roles: [
      {
        role: 'Key Vault Secrets User',
        scope: '/subscriptions/sub/resourceGroups/rg',
        reason: 'Reads the secrets of the shop.',
      },
    ],
  },
};

let cluster: StackRun;
let vault: StackRun;
let identity: StackRun;
let platform: StackRun;

// One run after the other, each with the outputs of those before: the sequence of the guide.
beforeAll(async () => {
  cluster = await runStack('cluster', { subscriptionId: 'sub', resourceGroupName: 'rg', location: 'westeurope' });
  vault = await runStack('vault', {
    resourceGroupName: 'rg',
    subscriptionId: 'sub-of-vaults',
    tenantId: 'tenant',
    locations: JSON.stringify({ shopvault: 'westeurope', 'shopvault-north': 'northeurope' }),
  });
  identity = await runStack(
    'identity',
    {
      subscriptionId: 'sub',
      tenantId: 'tenant',
      resourceGroupName: 'rg',
      programs: 'operator;pod-identity;machine-secrets',
      oidcIssuerUrl: 'https://issuer.example/',
      nodeResourceGroupId: nodes,
      vaultStack: 'organization/azimuth-vault/dev',
      keyVaults: 'shopvault',
      operatorKeyVault: 'shopvault',
      assignableRoles: JSON.stringify([assignable]),
      workloads: JSON.stringify(workloads),
    },
    { 'organization/azimuth-vault/dev': vault.outputs },
  );
  platform = await runStack(
    'platform',
    {
      image: 'registry.example/azimuth:1',
      identityStack: 'organization/azimuth-identity/dev',
      clusterStack: 'organization/azimuth-cluster/dev',
      secretsAudience: 'api://secrets',
      programs: 'operator;pod-identity;key-vault-volumes;key-vault-csi;machine-secrets;deployments;ui',
      uiHosts: 'azimuth.example',
      uiCloud: 'AzureUSGovernmentCloud',
      checkServiceAccounts: 'true',
      dashboard: 'true',
      monitoring: 'true',
      metricsFrom: 'prometheus',
    },
    { 'organization/azimuth-identity/dev': identity.outputs, 'organization/azimuth-cluster/dev': cluster.outputs },
  );
}, 120_000);

test('the cluster signs tokens of service accounts, enforces network policies, and gives its kubeconfig', () => {
  const [made] = cluster.of('ManagedCluster');
  expect(made?.inputs).toMatchObject({
    oidcIssuerProfile: { enabled: true },
    securityProfile: { workloadIdentity: { enabled: true } },
    networkProfile: { networkPolicy: 'cilium' },
  });
  expect(cluster.outputs['kubeconfig']).toBe('kube');
  expect(cluster.outputs['nodeResourceGroupId']).toBe('/subscriptions/sub/resourceGroups/rg-azimuth-nodes');
});

test.each([
  ['cluster', () => cluster, 'sub'],
  ['vault', () => vault, 'sub-of-vaults'],
  ['identity', () => identity, 'sub'],
])('the resources of the stack %s go into the subscription of its settings', (_, run, subscriptionId) => {
  const [provider, ...others] = run().of('pulumi:providers:azure-native');
  expect(others).toEqual([]);
  expect(provider?.inputs).toMatchObject({ subscriptionId });
  const resources = run()
    .of('azure-native:')
    .filter(({ type }) => !type.startsWith('pulumi:'));
  expect(resources).not.toEqual([]);
  for (const each of resources) expect(each.provider).toContain('pulumi:providers:azure-native::azure::');
});

test('an Azure of the configuration stays, and the subscription of the stack goes before its own', async () => {
  const { of } = await runStack('vault', {
    resourceGroupName: 'rg',
    tenantId: 'tenant',
    locations: JSON.stringify({ shopvault: 'westeurope' }),
    'azure-native:environment': 'usgovernment',
    'azure-native:useMsi': 'true',
    'azure-native:subscriptionId': 'sub-of-provider',
  });
  const [provider] = of('pulumi:providers:azure-native');
  expect(provider?.inputs).toMatchObject({
    environment: 'usgovernment',
    useMsi: 'true',
    subscriptionId: 'sub-of-provider',
  });
});

test('vaults are named by a list of their ids too', async () => {
  const id = '/subscriptions/other/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/listed';
  const common = { subscriptionId: 'sub', tenantId: 'tenant', resourceGroupName: 'rg', programs: 'operator' };
  const settings = { ...common, oidcIssuerUrl: 'https://issuer.example/' };
  const { of } = await runStack('identity', { ...settings, keyVaultIds: JSON.stringify([id]) });
  const grants = of('RoleAssignment').map(({ name, inputs }) => [name, inputs.scope]);
  expect(grants).toContainEqual(['azimuth-operator-vault-listed', id]);
  await expect(runStack('identity', { ...settings, keyVaultIds: JSON.stringify(['listed']) })).rejects.toThrow(
    'Expected `keyVaultIds` to be a list of ARM ids, got `listed`',
  );
});

test('the vaults are in their regions and decide by roles alone', () => {
  const made = vault.of('keyvault:Vault').map(({ inputs }) => inputs);
  expect(made.map(({ vaultName, location }) => [vaultName, location])).toEqual([
    ['shopvault', 'westeurope'],
    ['shopvault-north', 'northeurope'],
  ]);
  for (const { properties } of made) {
    expect(properties).toMatchObject({
      enableRbacAuthorization: true,
      enablePurgeProtection: true,
      tenantId: 'tenant',
    });
  }
});

test('the identities trust the service accounts that the manifests name', () => {
  const subjects = identity.of('FederatedIdentityCredential').map(({ inputs }) => inputs.subject);
  const manifests = new Platform(new App(), 'azimuth', {
    image: 'i',
    version: '0',
    podIdentity: {},
    machineSecrets: { endpoint: { audiences: ['a'] } },
  });
  const { operator, identityController, secretEndpoint, namespace } = manifests;
  const accounts = [operator, identityController, secretEndpoint].map(
    (program) => `system:serviceaccount:${namespace}:${program?.serviceAccountName}`,
  );
  expect(new Set(subjects)).toEqual(new Set([...accounts, 'system:serviceaccount:shop:web']));
  for (const { inputs } of identity.of('FederatedIdentityCredential')) {
    expect(inputs).toMatchObject({ issuer: 'https://issuer.example/', audiences: ['api://AzureADTokenExchange'] });
  }
});

test('the custom role has the actions of the kinds served, no wildcard and no power to assign roles', () => {
  const [role] = identity.of('RoleDefinition');
  const actions: string[] = role?.inputs.permissions[0].actions;
  expect(actions).toEqual(
    expect.arrayContaining([
      'Microsoft.Storage/storageAccounts/write',
      'Microsoft.Storage/storageAccounts/listKeys/action',
      'Microsoft.DocumentDB/databaseAccounts/listConnectionStrings/action',
      'Microsoft.EventHub/namespaces/authorizationRules/listKeys/action',
      'Microsoft.ContainerService/managedClusters/listClusterAdminCredential/action',
      'Microsoft.Resources/subscriptions/resourceGroups/delete',
      'Microsoft.Storage/register/action',
      'Microsoft.Compute/virtualMachineScaleSets/manualUpgrade/action',
    ]),
  );
  expect(actions.filter((action) => action.includes('*') || /^Microsoft\.Authorization/i.test(action))).toEqual([]);
});

const assignments = () => identity.of('RoleAssignment').map(({ name, inputs }) => ({ name, ...inputs }));

test('each role assignment says why it exists', () => {
  expect(assignments()).not.toHaveLength(0);
  for (const { description } of assignments()) expect(description).toMatch(/^[A-Z].{20,}\.$/);
});

test('assigning roles is granted apart and only for the roles listed', () => {
  const conditional = assignments().filter(({ condition }) => condition !== undefined);
  expect(conditional.map(({ name }) => name)).toEqual(['azimuth-operator-assignments']);
  expect(conditional[0].condition).toContain(`GuidEquals {${assignable}}`);
});

test('the secrets of the vaults listed may be written by the operator and read by the endpoint, and of no other', () => {
  const holders = (guid: string, prefix: string) =>
    assignments().filter(({ name, roleDefinitionId }) => name.startsWith(prefix) && roleDefinitionId.endsWith(guid));
  expect(holders(officer, 'azimuth-').map(({ name, scope }) => [name, scope])).toEqual([
    ['azimuth-operator-vault-shopvault', '/subscriptions/sub/made/shopvault'],
  ]);
  expect(holders(secretsUser, 'azimuth-').map(({ name }) => name)).toEqual(['azimuth-secrets-vault-shopvault']);
});

test('the controller may attach identities of workloads, and not those of programs', () => {
  const scopes = assignments()
    .filter(({ name }) => name.startsWith('azimuth-identity-'))
    .map(({ scope }) => scope);
  expect(scopes).toEqual([nodes, nodes, '/subscriptions/sub/made/web']);
});

test('a namespace may use the identities of its own service accounts', () => {
  const { environment } = identity.outputs as { environment: Record<string, string> };
  const id = '/subscriptions/sub/resourceGroups/rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/web';
  expect(environment['AZIMUTH_IDENTITY_SCOPES']).toBe(`shop=${id}`);
});

test('the kinds of a folder are those of the definitions, of the program and of its role', async () => {
  const files = scratch();
  const account = {
    apiVersion: 'storage.azure.com/v20250601',
    kind: 'StorageAccount',
    metadata: { namespace: 'shop', name: 'photos' },
    spec: { owner: { name: 'shop' } },
  };
  // JSON is YAML too.
  files.write('photos.yaml', account);
  const kinds = `used:${files.path}`;
  try {
    const common = { subscriptionId: 'sub', tenantId: 'tenant', resourceGroupName: 'rg', programs: 'operator', kinds };
    const { outputs, of } = await runStack('identity', { ...common, oidcIssuerUrl: 'https://issuer.example/' });
    const named = 'resources.azure.com/ResourceGroup;storage.azure.com/StorageAccount';
    expect(outputs['environment']).toMatchObject({ AZIMUTH_KINDS: named });
    const actions = JSON.stringify(of('RoleDefinition').map(({ inputs }) => inputs.permissions));
    expect(actions).toContain('Microsoft.Storage/storageAccounts/');
    expect(actions).not.toContain('Microsoft.Compute/');
    const cluster = await runStack('platform', { image: 'i', programs: 'operator', kinds });
    const defined = cluster.of(':CustomResourceDefinition').map(({ inputs }) => inputs.spec.names.kind);
    expect(defined.sort()).toEqual(['ResourceGroup', 'StorageAccount']);
    const operator = cluster.of(':Deployment').map(({ inputs }) => JSON.stringify(inputs.spec));
    expect(operator.join()).toContain(named);
  } finally {
    files.remove();
  }
});

test('definitions, namespaces and programs go to the cluster one by one', () => {
  const kinds = platform.of('kubernetes:').map(({ inputs }) => inputs.kind as string);
  expect(kinds).toEqual(expect.arrayContaining(['CustomResourceDefinition', 'Namespace', 'Deployment', 'DaemonSet']));
  const names = platform
    .of(':Deployment')
    .map(({ name }) => name)
    .sort();
  expect(names).toEqual([
    'apps/v1/Deployment/azimuth-system/azimuth-identity',
    'apps/v1/Deployment/azimuth-system/azimuth-operator',
    'apps/v1/Deployment/azimuth-system/azimuth-secrets',
    'apps/v1/Deployment/azimuth-system/azimuth-ui',
  ]);
  const daemons = platform.of(':DaemonSet').map(({ name }) => name);
  expect(daemons.map((name) => name.split('/').at(-1)).sort()).toEqual(['azimuth-nmi', 'azimuth-volumes']);
});

test('the settings of the platform reach the programs, as the variables of a synthesis do', () => {
  const objects = (kind: string) => platform.of(`:${kind}`).map(({ inputs }) => inputs);
  const deployment = (name: string) =>
    JSON.stringify(objects('Deployment').find(({ metadata }) => metadata.name === name));
  expect(deployment('azimuth-ui')).toContain('azimuth.example');
  expect(deployment('azimuth-operator')).toContain('AZIMUTH_CHECK_SERVICE_ACCOUNTS');
  expect(objects('PodMonitor').length).toBeGreaterThan(0);
  expect(objects('ConfigMap').some(({ metadata }) => /dashboard/.test(metadata.name))).toBe(true);
  expect(JSON.stringify(objects('NetworkPolicy'))).toContain('"prometheus"');
});

test('every variable of a synthesis is a setting of the platform', () => {
  const variables = ['main.ts', 'constructs/program-list.ts'].flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/(?:env\[|Of\()'((?:AZIMUTH|AZURE|KUBERNETES)_[A-Z_]+)'/g),
  ]);
  const { config } = parse(readFileSync('stacks/platform/Pulumi.yaml', 'utf8'));
  const known = Object.keys(config).map((name) => name.replace('azimuth:', '').toLowerCase());
  const missing = variables
    .map(([, variable = '']) => variable)
    .filter((variable) => {
      const name = variable
        .replace(/^(AZIMUTH|AZURE_OPERATOR)_/, '')
        .replaceAll('_', '')
        .toLowerCase();
      return !known.includes(name);
    });
  expect(variables.length).toBeGreaterThan(10);
  expect(missing).toEqual([]);
});

test('the settings Secrets have ids and nothing that could sign in', () => {
  const settings = platform.of('core/v1:Secret').filter(({ name }) => name.endsWith('-settings'));
  const keys = settings.map(({ name, inputs }) => {
    const data = inputs.stringData.value ?? inputs.stringData;
    return [name, Object.keys(data).sort()];
  });
  expect(Object.fromEntries(keys)).toEqual({
    'azimuth-operator-settings': [
      'AZURE_CLIENT_ID',
      'AZURE_OPERATOR_KEYVAULT',
      'AZURE_SUBSCRIPTION_ID',
      'AZURE_TENANT_ID',
    ],
    'azimuth-identity-settings': ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID'],
    'azimuth-secrets-settings': ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID'],
  });
});

test.each(['cluster', 'identity', 'platform', 'vault'])(
  'Pulumi.yaml of %s declares every setting that the stack reads',
  (directory) => {
    const { name, config } = parse(readFileSync(`stacks/${directory}/Pulumi.yaml`, 'utf8'));
    const index = readFileSync(`stacks/${directory}/index.ts`, 'utf8');
    const shared = index.includes('azure-options.ts') ? readFileSync('stacks/components/azure-options.ts', 'utf8') : '';
    const source = index + shared;
    const calls = source.matchAll(
      /settings\s*\.(?:required|text|number|boolean|object|secret|list|from|optionalFrom|entryFrom|lastOutput)(?:<[^(]*>)?\(([^)]*)\)/g,
    );
    const read = new Set<string>();
    for (const [, given = ''] of calls) {
      const texts = [...given.matchAll(/'([^']+)'/g)].map(([, text]) => text as string);
      // Of two names, the first is a stack and the second its output; lastOutput reads no setting of the second name.
      for (const text of texts.slice(0, 2)) read.add(text);
    }
    for (const output of ['environment']) read.delete(output);
    expect(Object.keys(config).sort()).toEqual([...read].map((setting) => `${name}:${setting}`).sort());
  },
);

test.each(['cluster', 'identity', 'vault'] as const)(
  'the sample of the stack %s makes its resources',
  async (directory) => {
    const { config } = parse(readFileSync(`stacks/${directory}/Pulumi.sample.yaml`, 'utf8'));
    const values = Object.entries(config).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]);
    const others = {
      'organization/azimuth-cluster/dev': { ...cluster.outputs, oidcIssuerUrl: 'https://issuer.example/' },
      'organization/azimuth-vault/dev': vault.outputs,
    };
    const made = await runStack(directory, Object.fromEntries(values), others);
    const tagged = [...made.of(':ManagedCluster'), ...made.of('keyvault:Vault'), ...made.of(':UserAssignedIdentity')];
    expect(tagged.length).toBeGreaterThan(0);
    for (const { inputs } of tagged) expect(inputs.tags).toEqual({ team: 'platform' });
  },
);

test('the sample of the platform makes the programs of the identities', async () => {
  const { config } = parse(readFileSync('stacks/platform/Pulumi.sample.yaml', 'utf8'));
  const others = {
    'organization/azimuth-identity/dev': identity.outputs,
    'organization/azimuth-cluster/dev': cluster.outputs,
  };
  const made = await runStack('platform', config, others);
  expect(made.of(':Deployment').map(({ name }) => name)).toEqual(
    expect.arrayContaining([expect.stringContaining('azimuth-operator'), expect.stringContaining('azimuth-secrets')]),
  );
});

test('a tag that is no text is refused', async () => {
  const config = { resourceGroupName: 'rg', tenantId: 't', locations: '{"shopvault":"westeurope"}', tags: '{"a":1}' };
  await expect(runStack('vault', config)).rejects.toThrow('Expected the tag `a` to be a text, got 1');
});

test('problems of the constructs end the run, each with its path', () => {
  const program = { image: 'i', version: '1', multiTenant: true, podIdentity: { forceNamespaced: false } };
  const make = () => new Manifests('wrong', { ...program, tenantNamespaces: ['Team_A'] });
  expect(make).toThrow(/\[wrong\] .*got `Team_A`/);
  expect(make).toThrow(/\[wrong\] .*`podIdentity.forceNamespaced` not to be false/);
});

test.each([
  ['a role of another name', () => roleId('Owner of all', nodes), /one of Key Vault.*got `Owner of all`/],
  ['a scope outside of subscriptions', () => roleId('Reader', '/'), /in a subscription, got `\/`/],
  [
    'a service account without namespace',
    () => parseWorkloads({ a: { serviceAccounts: ['web'] } }),
    /namespace\/name, got `web`/,
  ],
  [
    'a role without a reason',
    () => parseWorkloads({ a: { serviceAccounts: ['a/b'], roles: [{ role: 'Reader', scope: nodes, reason: '' }] } }),
    /role, scope and reason/,
  ],
])('%s is refused', (_, run, message) => {
  expect(run).toThrow(message);
});
