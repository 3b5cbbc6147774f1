import { expect, test } from '@jest/globals';
import { App, Chart, Testing } from 'cdk8s';
import { booleanOf, scopesOf } from '../../constructs/environment.ts';
import { Platform, type PlatformProps } from '../../constructs/platform.ts';
import { programsOf } from '../../constructs/program-list.ts';
import { identityConfig } from '../../runtime/identity/config.ts';
import { nmiConfig } from '../../runtime/nmi/config/config.ts';
import { operatorConfig } from '../../runtime/operator/config.ts';
import { agentConfig } from '../../runtime/volumes/agent/config.ts';
import type { Manifest } from './manifests.ts';

const kinds = 'storage.azure.com/StorageAccount;resources.azure.com/*';
const everything: Partial<PlatformProps> = { kinds, podIdentity: {}, keyVaultVolumes: {} };

function platform(props: Partial<PlatformProps>): { manifests: Manifest[]; notes: readonly string[] } {
  const app = new App();
  const { notes } = new Platform(app, 'azimuth', { image: 'azimuth:test', version: 'test', ...props });
  const charts = app.node.children.filter((child): child is Chart => child instanceof Chart);
  return { manifests: charts.flatMap((chart) => Testing.synth(chart)), notes };
}

const containers = (manifests: Manifest[]): Manifest[] =>
  manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
const named = (manifests: Manifest[], kind: string, name: string) =>
  manifests.find((each) => each.kind === kind && each.metadata.name === name);
const scopes = {
  'team-a': ['/subscriptions/s/resourceGroups/team-a'],
  '*': ['/subscriptions/s/resourceGroups/shared'],
};

test('one setting puts every program under the profile, and without it none is', () => {
  const under = containers(platform({ ...everything, multiTenant: true }).manifests);
  expect(under.map(({ name }) => name).sort()).toEqual(['identity', 'nmi', 'operator', 'volumes']);
  for (const { args } of under) expect(args).toContain('--multi-tenant=true');
  for (const name of ['identity', 'nmi']) {
    expect(under.find((each) => each.name === name).args).toContain('--forceNamespaced=true');
  }
  for (const { args } of containers(platform(everything).manifests)) expect(args.join(' ')).not.toContain('tenant');
});

test('scopes reach the operator, and controller and daemons alike', () => {
  const { manifests, notes } = platform({
    ...everything,
    multiTenant: true,
    operator: { credentialScopes: scopes },
    identityScopes: scopes,
  });
  const text = 'team-a=/subscriptions/s/resourceGroups/team-a;*=/subscriptions/s/resourceGroups/shared';
  const argsOf = (name: string) => containers(manifests).find((each) => each.name === name).args;
  expect(argsOf('operator')).toContain(`--operator-credential-scopes=${text}`);
  for (const name of ['identity', 'nmi', 'volumes']) expect(argsOf(name)).toContain(`--identity-scopes=${text}`);
  const read = (name: string, configOf: (argv: string[], env: Record<string, string>) => unknown) =>
    configOf(
      argsOf(name)
        .slice(1)
        .map((arg: string) => arg.replace('$(HOST_IP)', '10.0.0.1')),
      { NODENAME: 'n' },
    );
  const rules = [
    { namespace: 'team-a', scope: '/subscriptions/s/resourcegroups/team-a' },
    { namespace: '*', scope: '/subscriptions/s/resourcegroups/shared' },
  ];
  expect(read('operator', operatorConfig)).toMatchObject({ multiTenant: true, credentialScopes: rules });
  expect(read('identity', identityConfig)).toMatchObject({ multiTenant: true, forceNamespaced: true, scopes: rules });
  expect(read('nmi', nmiConfig)).toMatchObject({ multiTenant: true, forceNamespaced: true, scopes: rules });
  expect(read('volumes', agentConfig)).toMatchObject({ multiTenant: true, identityScopes: rules });
  expect(notes).toEqual([]);
});

test('without scopes the platform says what the profile does not allow then', () => {
  const { notes } = platform({ ...everything, multiTenant: true });
  expect(notes).toEqual([
    expect.stringMatching(/operator.credentialScopes.*aso-credential/),
    expect.stringMatching(/`identityScopes`.*type 0/),
  ]);
  expect(platform({ multiTenant: true, operator: false, keyVaultVolumes: {} }).notes).toHaveLength(1);
  expect(platform({ kinds, multiTenant: true, operator: { credentialScopes: scopes } }).notes).toEqual([]);
  expect(platform(everything).notes).toEqual([]);
});

test('tenants get roles with exactly their kinds: no exceptions, no assigned identities, nothing aggregated', () => {
  const { manifests } = platform({ ...everything, multiTenant: true });
  const edit = named(manifests, 'ClusterRole', 'azimuth-tenant-edit');
  const view = named(manifests, 'ClusterRole', 'azimuth-tenant-view');
  const resources = (role: Manifest) => role.rules.map((rule: Manifest) => [rule.apiGroups[0], rule.resources]);
  expect(resources(edit)).toEqual([
    ['aadpodidentity.k8s.io', ['azureidentities', 'azureidentitybindings']],
    ['resources.azure.com', ['resourcegroups']],
    ['storage.azure.com', ['storageaccounts']],
  ]);
  expect(resources(view)).toEqual(resources(edit));
  expect(new Set(view.rules.flatMap((rule: Manifest) => rule.verbs))).toEqual(new Set(['get', 'list', 'watch']));
  expect(edit.rules[0].verbs).toContain('deletecollection');
  const forTenants = JSON.stringify([edit, view]);
  expect(forTenants).not.toMatch(/aggregate|\*|status|secrets/);
  expect(named(platform(everything).manifests, 'ClusterRole', 'azimuth-tenant-edit')).toBeUndefined();
});

test('the roles of tenants have no kind of the whole cluster: no consent to the features of a subscription', () => {
  const machines = { ...everything, machineSecrets: {}, deployments: true, multiTenant: true };
  const { manifests } = platform(machines);
  const edit = named(manifests, 'ClusterRole', 'azimuth-tenant-edit');
  const plurals: string[] = edit.rules.flatMap(({ resources }: Manifest) => resources);
  const scopeOf = (plural: string) =>
    manifests.find(({ kind, spec }) => kind === 'CustomResourceDefinition' && spec.names.plural === plural)?.spec.scope;
  expect(plurals).toEqual(expect.arrayContaining(['managedsecrets', 'computedeployments', 'computeruns']));
  expect(new Set(plurals.map(scopeOf))).toEqual(new Set(['Namespaced']));
});

test('namespaces of tenants enforce Pod Security baseline and are not pruned with their manifest', () => {
  const { manifests } = platform({ multiTenant: true, kinds, tenantNamespaces: ['team-a'] });
  expect(named(manifests, 'Namespace', 'team-a').metadata).toMatchObject({
    labels: { 'pod-security.kubernetes.io/enforce': 'baseline' },
    annotations: {
      'argocd.argoproj.io/sync-options': 'Prune=false,Delete=false',
      'kustomize.toolkit.fluxcd.io/prune': 'disabled',
      'helm.sh/resource-policy': 'keep',
    },
  });
});

test('what contradicts the profile is refused at synth, with the prop', () => {
  const refused = (props: Partial<PlatformProps>) => {
    const app = new App();
    new Platform(app, 'azimuth', { image: 'azimuth:test', version: 'test', kinds, multiTenant: true, ...props });
    return () => app.synth();
  };
  expect(refused({ podIdentity: { forceNamespaced: false } })).toThrow(/`podIdentity.forceNamespaced`/);
  expect(refused({ keyVaultVolumes: { settings: { machineIdentities: 'any' } } })).toThrow(
    /`settings.machineIdentities`/,
  );
  expect(refused({ operator: { allowAccessGrants: true } })).toThrow(
    /`allowAccessGrants` to be false with `multiTenant`/,
  );
  expect(refused({ tenantNamespaces: ['Team A'] })).toThrow(/`tenantNamespaces`.*`Team A`/);
  expect(refused({ operator: { credentialScopes: { 'team-a': ['/subscriptions/s?x=y'] } } })).toThrow(
    /`credentialScopes`/,
  );
  expect(refused({ podIdentity: {}, identityScopes: { 'a b': ['/'] } })).toThrow(/`identityScopes`.*`a b`/);
});

test('variables of main.ts are read like those of the programs, and other words are refused', () => {
  expect(['true', 'T', '1'].map((value) => booleanOf('X', { X: value }))).toEqual([true, true, true]);
  expect(['false', 'f', '0', ' ', undefined].map((value) => booleanOf('X', { X: value }))).not.toContain(true);
  expect(() => booleanOf('AZIMUTH_DASHBOARD', { AZIMUTH_DASHBOARD: 'yes' })).toThrow(
    'Expected AZIMUTH_DASHBOARD to be true or false, got `yes`',
  );
  expect(scopesOf('X', {})).toBeUndefined();
  expect(scopesOf('X', { X: 'a=/x; *=/ ;a=/y' })).toEqual({ a: ['/x', '/y'], '*': ['/'] });
  for (const text of ['a', 'a=x', '=/x'])
    expect(() => scopesOf('X', { X: text })).toThrow(/^Expected X to be namespace=/);
  expect(
    programsOf({
      AZIMUTH_PROGRAMS: 'operator;pod-identity',
      AZURE_OPERATOR_CREDENTIAL_SCOPES: 'a=/x',
      AZIMUTH_IDENTITY_SCOPES: 'b=/y',
    }),
  ).toMatchObject({ operator: { credentialScopes: { a: ['/x'] } }, identityScopes: { b: ['/y'] } });
});
