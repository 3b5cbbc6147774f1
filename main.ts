/**
 * The cdk8s app: writes dist/*.k8s.yaml, the same bytes for the same input. Environment:
 *   AZIMUTH_IMAGE       the image that the cluster pulls     (default: azimuth:<version of package.json>)
 *   AZIMUTH_PROGRAMS    some of operator, pod-identity, key-vault-volumes (FlexVolumes), key-vault-csi (the provider of the
 *                       Secrets Store CSI driver) and machine-secrets, separated by ; (default: operator, since pod
 *                       identities take the machine's metadata endpoint away from pods)
 *   AZIMUTH_SECRETS_AUDIENCE  with machine-secrets: accepted audiences of the secret endpoint, separated by ;
 *                       (default: no endpoint)
 *   AZIMUTH_SECRETS_LOCATION  the region whose vaults the endpoint reads (default: the home vaults)
 *   AZIMUTH_MULTI_TENANT  true: the multi-tenant profile, docs/guides/multi-tenant.md (default: false)
 *   AZIMUTH_TENANT_NAMESPACES  namespaces of tenants to make, separated by ; (default: none)
 *   AZURE_OPERATOR_CREDENTIAL_SCOPES  where each namespace may reach with the operator's own credential:
 *                       team-a=/subscriptions/<id>/resourceGroups/team-a;*=/subscriptions/<id>/resourceGroups/shared
 *   AZIMUTH_IDENTITY_SCOPES  which user-assigned identities each namespace may use, in the same form
 *   AZIMUTH_FEDERATED_ACCOUNTS  service accounts whose pods use identities of type 3, separated by ;, or * (default: none)
 *   AZIMUTH_KINDS       the kinds of Azure resources to serve (default: *, all of them), as globs over group/Kind:
 *                       resources.azure.com/*;storage.azure.com/*
 *   AZIMUTH_VERSIONS    all, newest or used:<file or folder>: which versions of the kinds to serve; the last is the
 *                       newest and those that the manifests there name (default: all)
 *   AZIMUTH_DASHBOARD   true: a Grafana dashboard of the operator too, in a ConfigMap (default: false)
 *   KUBERNETES_VERSION  oldest API server to serve           (default: 1.27)
 */
import { readFileSync } from 'node:fs';
import { App } from 'cdk8s';
import { booleanOf, listOf } from './constructs/environment.ts';
import { Platform } from './constructs/platform.ts';
import { programsOf } from './constructs/program-list.ts';
import { versionsOf } from './constructs/version-choice.ts';

const { env } = process;
const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

try {
  const app = new App();
  const platform = new Platform(app, 'azimuth', {
    version,
    image: env['AZIMUTH_IMAGE'] ?? `azimuth:${version}`,
    kinds: env['AZIMUTH_KINDS'] || undefined,
    versions: versionsOf(env['AZIMUTH_VERSIONS'] || 'all'),
    dashboard: booleanOf('AZIMUTH_DASHBOARD', env) ? {} : false,
    multiTenant: booleanOf('AZIMUTH_MULTI_TENANT', env),
    tenantNamespaces: listOf(env['AZIMUTH_TENANT_NAMESPACES']),
    kubernetesVersion: env['KUBERNETES_VERSION'],
    ...programsOf(env),
  });
  for (const note of platform.notes) process.stderr.write(`azimuth: ${note}\n`);
  app.synth();
} catch (error) {
  // The exit code of every program for wrong configuration.
  process.stderr.write(`azimuth: ${(error as Error).message}\n`);
  process.exitCode = 2;
}
