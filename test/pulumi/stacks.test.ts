import { globSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { core, startWorld, types, untilReady, type World } from '../operator/support.ts';
import { startLanguageHost } from './language-host.ts';
import { startProvider } from './providers.ts';
import { PulumiCli, type StateResource } from './pulumi-cli.ts';
import { azureWork, kubernetesWork } from './sandbox-work.ts';

const program = process.env['AZIMUTH_PULUMI'] ?? '';
const closers: { close(): unknown }[] = [];
let world: World;
let pulumi: PulumiCli;
/** The subscription of the vaults; all else is in that of the account. */
let vaults: string;

beforeAll(async () => {
  world = await startWorld();
  closers.push(world);
  const { subscriptionId, defaultApp } = world.azure;
  vaults = world.azure.addSubscription().subscriptionId;
  world.azure.assignRole(defaultApp.objectId, 'Owner', `/subscriptions/${vaults}`);
  for (const each of [subscriptionId, vaults]) {
    await world.portal.arm('PUT', `/subscriptions/${each}/resourceGroups/base`, '2021-04-01', {
      location: 'westeurope',
    });
  }
  const language = await startLanguageHost();
  const azure = await startProvider(azureWork(world));
  const kubernetes = await startProvider(kubernetesWork(world));
  closers.push(language, azure, kubernetes);
  pulumi = new PulumiCli(program, { language: language.port, azure: azure.port, kubernetes: kubernetes.port });
  closers.push(pulumi);
}, 120_000);
afterAll(async () => {
  for (const closer of closers.reverse()) await closer.close();
  // The CLI writes the configuration of a stack beside Pulumi.yaml.
  for (const file of globSync('stacks/*/Pulumi.dev.yaml')) rmSync(file);
});

const common = () => ({
  tenantId: world.azure.tenantId,
  resourceGroupName: 'base',
});
const named = (resources: readonly StateResource[], type: string) =>
  resources.filter((resource) => resource.type.endsWith(type));
const nameOf = ({ urn }: StateResource) => urn.split('::').at(-1);

test('up, one stack after the other, makes vaults, identities, roles and the programs', async () => {
  await pulumi.init('cluster', { existingOidcIssuerUrl: 'https://issuer.example/' });
  await pulumi.run('cluster', ['up', '--yes']);
  await pulumi.init('vault', {
    ...common(),
    subscriptionId: vaults,
    'locations.stackvault': 'westeurope',
    purgeProtection: 'false',
    'tags.team': 'platform',
    protect: 'true',
  });
  await pulumi.run('vault', ['up', '--yes']);
  await pulumi.init('identity', {
    ...common(),
    subscriptionId: world.azure.subscriptionId,
    programs: 'operator;machine-secrets',
    kinds: 'resources.azure.com/*;storage.azure.com/*',
    clusterStack: 'organization/azimuth-cluster/dev',
    vaultStack: 'organization/azimuth-vault/dev',
    keyVaults: 'stackvault',
    'workloads.web.serviceAccounts[0]': 'shop/web',
  });
  const preview = await pulumi.run('identity', ['preview']);
  expect(preview).toMatch(/azure-native:managedidentity:UserAssignedIdentity\s+azimuth-operator\s+create/);
  await pulumi.run('identity', ['up', '--yes']);
  await pulumi.init('platform', {
    image: 'registry.example/azimuth:1',
    identityStack: 'organization/azimuth-identity/dev',
  });
  await pulumi.run('platform', ['up', '--yes']);
  const deployments = { ...core('deployments', 'Deployment'), group: 'apps' };
  await world.client.get(deployments, { namespace: 'azimuth-system', name: 'azimuth-operator' });
}, 900_000);

test('the resources of each stack are in the subscription of its settings', async () => {
  const [vault] = named(await pulumi.state('vault'), ':Vault');
  expect(vault?.id).toMatch(new RegExp(`^/subscriptions/${vaults}/resourceGroups/base/`));
  const identity = await pulumi.state('identity');
  const made = named(identity, ':UserAssignedIdentity').map(({ id }) => id?.split('/')[2]);
  expect(new Set(made)).toEqual(new Set([world.azure.subscriptionId]));
  const scopes = named(identity, ':RoleAssignment').map(({ inputs }) => inputs.scope);
  expect(scopes.filter((scope) => scope.startsWith(`/subscriptions/${vaults}/`))).toEqual(
    scopes.filter((scope) => scope.endsWith('/vaults/stackvault')),
  );
}, 60_000);

test('the settings tags and protect reach the resources of a stack', async () => {
  const [vault] = named(await pulumi.state('vault'), ':Vault');
  expect(vault).toMatchObject({ protect: true, inputs: { tags: { team: 'platform' } } });
  const [identity] = named(await pulumi.state('identity'), ':UserAssignedIdentity');
  expect(identity?.protect).toBeUndefined();
  expect(identity?.inputs.tags).toBeUndefined();
}, 60_000);

test('the identity that was made signs the operator in: its client id is in the settings of the program', async () => {
  const { programSettings } = (await pulumi.outputs('identity')) as {
    programSettings: Record<string, Record<string, string>>;
  };
  const [operator] = named(await pulumi.state('identity'), ':UserAssignedIdentity').filter(
    (each) => nameOf(each) === 'azimuth-operator',
  );
  const identity = (await world.portal.arm('GET', operator?.id ?? '', '2023-01-31')).body;
  expect(programSettings['azimuth-operator-settings']?.['AZURE_CLIENT_ID']).toBe(identity.properties.clientId);
  const settings = await world.client.get(core('secrets', 'Secret'), {
    namespace: 'azimuth-system',
    name: 'azimuth-operator-settings',
  });
  const { stringData, data } = settings as { stringData?: Record<string, string>; data?: Record<string, string> };
  const found = stringData?.['AZURE_CLIENT_ID'] ?? Buffer.from(data?.['AZURE_CLIENT_ID'] ?? '', 'base64').toString();
  expect(found).toBe(identity.properties.clientId);
}, 60_000);

test('programs depend on definitions and namespaces, and a definition that goes is kept', async () => {
  const state = await pulumi.state('platform');
  const definitions = named(state, ':CustomResourceDefinition');
  expect(definitions.length).toBeGreaterThan(3);
  expect(definitions.filter(({ retainOnDelete }) => retainOnDelete !== true)).toEqual([]);
  const [operator] = named(state, ':Deployment');
  const urns = new Set(operator?.dependencies);
  const missing = [...definitions, ...named(state, ':Namespace')].filter(({ urn }) => !urns.has(urn));
  expect(missing.map(nameOf)).toEqual([]);
}, 60_000);

test('the data of Secrets is a secret of the state', async () => {
  const [settings] = named(await pulumi.state('platform'), ':Secret').filter(
    (each) => nameOf(each) === 'azimuth-operator-settings',
  );
  const { stringData } = settings?.inputs ?? {};
  // The mark of a secret value in the state, with a ciphertext instead of the value.
  expect(stringData['4dabf18193072939515e22adb298388d']).toBe('1b47061264138c4ac30d75fd1eb44270');
  expect(JSON.stringify(stringData)).not.toContain(world.azure.subscriptionId);
}, 60_000);

test('a second up changes nothing, and a workload of another name shows as a new identity and one that goes', async () => {
  for (const stack of ['vault', 'identity', 'platform']) {
    await pulumi.run(stack, ['preview', '--expect-no-changes']);
  }
  await pulumi.run('identity', ['config', 'rm', '--path', 'workloads.web']);
  await pulumi.run('identity', ['config', 'set', '--path', 'workloads.api.serviceAccounts[0]', 'shop/web']);
  const preview = await pulumi.run('identity', ['preview', '--diff', '--json']);
  const steps: { op: string; urn: string }[] = JSON.parse(preview).steps;
  const identities = steps
    .filter(({ op, urn }) => op !== 'same' && urn.includes('UserAssignedIdentity::'))
    .map(({ op, urn }) => [op, urn.split('::').at(-1)]);
  expect(identities.sort()).toEqual([
    ['create', 'api'],
    ['delete', 'web'],
  ]);
}, 200_000);

test('destroy takes the programs away, keeps the definitions, and deletes nothing that the operator made', async () => {
  await world.apply(types.group, 'kept', { location: 'westeurope' });
  const operator = await world.startOperator();
  await untilReady(world, types.group, 'kept');
  await operator.stop();
  await pulumi.run('platform', ['destroy', '--yes']);
  await world.get(types.group, 'kept');
  const deployments = { ...core('deployments', 'Deployment'), group: 'apps' };
  const gone = await world.client.tryGet(deployments, { namespace: 'azimuth-system', name: 'azimuth-operator' });
  expect(gone).toBeUndefined();
}, 200_000);
