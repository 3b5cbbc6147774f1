import { expect, test } from '@jest/globals';
import {
  OrganisationRules,
  type RuleContext,
  type RuleSettings,
} from '../../../constructs/rules/organisation-rules.ts';

interface Violation {
  readonly ruleName: string;
  readonly fix: string;
  readonly violatingResources: readonly { readonly resourceName: string; readonly locations: readonly string[] }[];
}

/** The violations of a manifest as `rule object: fields`. */
async function violations(settings: RuleSettings, ...objects: object[]): Promise<string[]> {
  const found: Violation[] = [];
  let status = '';
  const context: RuleContext = {
    manifests: ['dist/app.yaml'],
    parseManifest: () => objects,
    report: {
      addViolation: (violation) => void found.push(violation),
      submit: (given) => {
        status = given;
      },
    },
  };
  await new OrganisationRules(settings).validate(context);
  expect(status).toBe(found.length === 0 ? 'success' : 'failure');
  return found.flatMap(({ ruleName, violatingResources }) =>
    violatingResources.map(({ resourceName, locations }) => `${ruleName} ${resourceName}: ${locations.join(', ')}`),
  );
}

const azure = (type: string, spec: object) => {
  const [group, kind] = type.split('/');
  return { apiVersion: `${group}/v1`, kind, metadata: { name: 'x' }, spec };
};
const pod = (container: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { template: { spec: { containers: [container] } } },
});

test('without settings the rules find secrets that are written down', async () => {
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { password: 'x', none: '' } };
  const env = [
    { name: 'DB_PASSWORD', value: 'x' },
    { name: 'API_KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    { name: 'TOKEN', value: '$(OTHER)' },
    { name: 'KEYBOARD', value: 'qwerty' },
  ];
  const body = { properties: { administratorLoginPassword: 'x', clientSecret: 'y', passwordPolicy: 'strict' } };
  expect(await violations({}, secret, pod({ env }), azure('azimuth.dev/ArmResource', { body }))).toEqual([
    'noSecretLiterals s: stringData.password',
    'noSecretLiterals web: spec.template.spec.containers[0].env[0].value',
    'noSecretLiterals x: spec.body.properties.administratorLoginPassword, spec.body.properties.clientSecret',
  ]);
  expect(await violations({ noSecretLiterals: false }, secret)).toEqual([]);
});

test('regions are compared as Azure compares them, in kinds of Azure only', async () => {
  const settings = { allowedRegions: ['westeurope'] };
  const account = (location: string) => azure('storage.azure.com/StorageAccount', { location });
  expect(await violations(settings, account('West Europe'), account('global'), { spec: { location: 'mars' } })).toEqual(
    [],
  );
  expect(
    await violations(settings, account('eastus'), azure('azimuth.dev/ArmResource', { body: { location: 'eastus' } })),
  ).toEqual(['allowedRegions x: spec.location', 'allowedRegions x: spec.body.location']);
});

test('tiers and sizes are allowed by kind', async () => {
  const allowedSkus = {
    'keyvault.azure.com/Vault': ['standard'],
    'compute.azure.com/VirtualMachine': ['Standard_D2s_v5'],
  };
  const machine = (vmSize: string) => azure('compute.azure.com/VirtualMachine', { hardwareProfile: { vmSize } });
  const vault = azure('keyvault.azure.com/Vault', { properties: { sku: { family: 'A', name: 'premium' } } });
  const other = azure('storage.azure.com/StorageAccount', { sku: { name: 'Premium_LRS' } });
  expect(await violations({ allowedSkus }, machine('Standard_D2s_v5'), machine('Standard_M128'), vault, other)).toEqual(
    ['allowedSkus x: spec.hardwareProfile.vmSize', 'allowedSkus x: spec.properties.sku.name'],
  );
});

test('managed identities take the place of client secrets and account keys', async () => {
  const to = { name: 's', key: 'k' };
  const found = await violations(
    { managedIdentityOnly: true },
    azure('aadpodidentity.k8s.io/AzureIdentity', { type: 1 }),
    azure('aadpodidentity.k8s.io/AzureIdentity', { type: 0 }),
    azure('storage.azure.com/StorageAccount', { operatorSpec: { secrets: { key1: to, blobEndpoint: to } } }),
    {
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { volumes: [{ flexVolume: { driver: 'azure/kv', secretRef: { name: 's' } } }] },
    },
  );
  expect(found).toEqual([
    'managedIdentityOnly x: spec.type',
    'managedIdentityOnly x: spec.operatorSpec.secrets.key1',
    'managedIdentityOnly p: spec.volumes[0].flexVolume.secretRef',
  ]);
});

test('a vault takes the place of Kubernetes Secrets', async () => {
  const to = { name: 's', key: 'k' };
  const redis = (operatorSpec: object) => azure('cache.azure.com/Redis', { operatorSpec });
  expect(
    await violations(
      { vaultOnly: true },
      redis({ secrets: { primaryKey: to }, secretExpressions: [{ ...to, value: 'secret.primaryKey' }] }),
      redis({ keyVault: { vault: 'v' }, configMaps: { host: to } }),
    ),
  ).toEqual(['vaultOnly x: spec.operatorSpec.secrets.primaryKey, spec.operatorSpec.secretExpressions[0]']);
});

test('a setting that no rule has, and one of the wrong form, are refused together', () => {
  const settings = { allowedRegion: ['westeurope'], vaultOnly: 'yes', allowedSkus: ['x'] } as unknown as RuleSettings;
  expect(() => new OrganisationRules(settings)).toThrow(
    /cdk8s\.yaml: Expected one of .*allowedRegions.*, got `allowedRegion`; Expected `vaultOnly` to be true or false, got `"yes"`; Expected `allowedSkus` to be lists/,
  );
});
