/** Stacks that the version before explicit providers made: their states are in `former-stacks`, as `pulumi stack export` wrote them. */
import { globSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startLanguageHost } from './language-host.ts';
import { type ProviderWork, startProvider } from './providers.ts';
import { PulumiCli } from './pulumi-cli.ts';

const closers: { close(): unknown }[] = [];
let pulumi: PulumiCli;

/** Makes nothing: a preview of unchanged settings has no reason to. */
const previewOnly: ProviderWork = {
  unknown: {},
  replacedBy: () => ['scope', 'resourceName', 'resourceGroupName', 'vaultName', 'principalId', 'roleDefinitionId'],
  create: async (type) => Promise.reject(new Error(`a preview made ${type}`)),
  remove: async (type) => Promise.reject(new Error(`a preview removed ${type}`)),
  invoke: async () => ({ kubeconfigs: [{ name: 'clusterUser', value: 'a3ViZQ==' }] }),
};

beforeAll(async () => {
  const language = await startLanguageHost();
  const azure = await startProvider(previewOnly);
  closers.push(language, azure);
  const ports = { language: language.port, azure: azure.port, kubernetes: azure.port };
  pulumi = new PulumiCli(process.env['AZIMUTH_PULUMI'] ?? '', ports);
  closers.push(pulumi);
}, 60_000);
afterAll(async () => {
  for (const closer of closers.reverse()) await closer.close();
  for (const file of globSync('stacks/*/Pulumi.dev.yaml')) rmSync(file);
});

const subscriptionId = '00000000-0000-4000-8000-00000000cafe';
const tenantId = '00000000-0000-4000-8000-00000000feed';
const resourceGroupName = 'base';
const settings = {
  cluster: { subscriptionId, resourceGroupName, location: 'westeurope' },
  vault: { tenantId, resourceGroupName, 'locations.stackvault': 'westeurope', purgeProtection: 'false' },
  identity: {
    subscriptionId,
    tenantId,
    resourceGroupName,
    programs: 'operator;machine-secrets',
    kinds: 'resources.azure.com/*',
    oidcIssuerUrl: 'https://issuer.example/',
    keyVaults: 'stackvault',
    'keyVaultIds.stackvault': `/subscriptions/${subscriptionId}/resourceGroups/base/providers/Microsoft.KeyVault/vaults/stackvault`,
    'workloads.web.serviceAccounts[0]': 'shop/web',
  },
};

/** The role of the operator has an action that the former version did not need. */
const newActions = {
  cluster: [],
  vault: [],
  identity: ['update azimuth:index:OperatorIdentity$azure-native:authorization:RoleDefinition azimuth-operator'],
} as const;

test.each(['cluster', 'vault', 'identity'] as const)(
  'a preview of the stack %s of the former version, with the same settings, replaces nothing',
  async (stack) => {
    await pulumi.init(stack, settings[stack]);
    await pulumi.run(stack, ['stack', 'import', '--file', resolve(`test/pulumi/former-stacks/${stack}.json`)]);
    const before = await pulumi.state(stack);
    const preview = JSON.parse(await pulumi.run(stack, ['preview', '--json']));
    const steps: readonly { op: string; urn: string }[] = preview.steps;
    const changes = steps
      .filter(({ op }) => op !== 'same')
      .map(({ op, urn }) => `${op} ${urn.split('::').slice(2).join(' ')}`);
    expect(changes.toSorted()).toEqual([...newActions[stack], 'update pulumi:providers:azure-native azure']);
    expect(preview.changeSummary).toEqual({ same: before.length - changes.length, update: changes.length });
  },
  120_000,
);

test('vaults that are listed by their ids get the same roles', async () => {
  await pulumi.run('identity', ['config', 'rm', 'keyVaults']);
  await pulumi.run('identity', ['config', 'rm', 'keyVaultIds']);
  const id = settings.identity['keyVaultIds.stackvault'];
  await pulumi.run('identity', ['config', 'set', '--path', 'keyVaultIds[0]', id]);
  const { steps } = JSON.parse(await pulumi.run('identity', ['preview', '--json'])) as { steps: { op: string }[] };
  expect(steps.map(({ op }) => op).filter((op) => !['same', 'update'].includes(op))).toEqual([]);
}, 120_000);
