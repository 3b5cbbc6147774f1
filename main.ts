/**
 * The cdk8s app: writes dist/*.k8s.yaml, and beside them the files of GitOps tools (docs/guides/gitops.md). The same input
 * gives the same bytes. `--format helm` writes a Helm chart in their place (docs/guides/helm.md). `--output FOLDER` writes
 * into another folder than dist, such as one of a GitOps repository: Git ignores dist. Environment:
 *   AZIMUTH_IMAGE       the image that the cluster pulls     (default: azimuth:<version of package.json>)
 *   AZIMUTH_NODE_IMAGE  the image of the programs on nodes, with iptables and the driver (default: AZIMUTH_IMAGE)
 *   AZIMUTH_PROGRAMS    some of operator, pod-identity, key-vault-volumes (FlexVolumes), key-vault-csi (the provider of the
 *                       Secrets Store CSI driver), machine-secrets, deployments and ui (the page of resources), separated
 *                       by ; (default: operator, since pod identities take the machine's metadata endpoint away from pods)
 *   AZIMUTH_SECRETS_AUDIENCE  with machine-secrets: accepted audiences of the secret endpoint, separated by ;
 *                       (default: no endpoint)
 *   AZIMUTH_SECRETS_LOCATION  the region whose vaults the endpoint reads (default: the home vaults)
 *   AZIMUTH_UI_HOSTS    with ui: host names under which browsers reach the page, separated by ; (default: loopback)
 *   AZIMUTH_UI_CLOUD    with ui: the cloud whose portal the page links to (default: AzurePublicCloud)
 *   AZIMUTH_MULTI_TENANT  true: the multi-tenant profile, docs/guides/multi-tenant.md (default: false)
 *   AZIMUTH_TENANT_NAMESPACES  namespaces of tenants to make, separated by ; (default: none)
 *   AZURE_OPERATOR_CREDENTIAL_SCOPES  where each namespace may reach with the operator's own credential:
 *                       team-a=/subscriptions/<id>/resourceGroups/team-a;*=/subscriptions/<id>/resourceGroups/shared
 *   AZIMUTH_IDENTITY_SCOPES  which user-assigned identities each namespace may use, in the same form
 *   AZIMUTH_FEDERATED_ACCOUNTS  service accounts whose pods use identities of type 3, separated by ;, or * (default: none)
 *   AZIMUTH_CHECK_SERVICE_ACCOUNTS  true: the operator reports service accounts that no federated credential trusts
 *                       (default: false)
 *   AZIMUTH_GATE_JOBS   true: checks of deployments may be Jobs, which the operator may then create (default: false)
 *   AZIMUTH_KINDS       the kinds of Azure resources to define and to serve: used:<file or folder> for those that the
 *                       manifests there name, globs over group/Kind, or * for all:
 *                       resources.azure.com/*;storage.azure.com/*
 *                       (default: defines ArmResource and the kinds of this app's own charts, and serves those whose
 *                       definitions in the cluster are Azimuth's)
 *   AZIMUTH_VERSIONS    all, newest or used:<file or folder>: which versions of the kinds to serve; the last is the
 *                       newest and those that the manifests there name (default: all)
 *   AZIMUTH_DESCRIPTIONS  newest, all or none: which versions of the kinds have what Azure says about their fields
 *                       (default: newest with used: of AZIMUTH_KINDS in the built package, otherwise none)
 *   AZIMUTH_DASHBOARD   true: a Grafana dashboard of each program too, in a ConfigMap (default: false)
 *   AZIMUTH_MONITORING  true: PodMonitors and alerts for the Prometheus operator too (default: false)
 *   AZIMUTH_METRICS_FROM  namespaces that may read metrics, separated by ; (default: monitoring)
 *   AZIMUTH_METRICS_AUTHENTICATION  false: every pod may read the metrics of programs on nodes (default: true, readers need
 *                       a token)
 *   AZIMUTH_METRICS_READERS  service accounts that may read these, as namespace/name separated by ; (default: that of the
 *                       PodMonitors)
 *   KUBERNETES_VERSION  oldest API server to serve           (default: 1.27)
 */
import { App } from 'cdk8s';
import { accountsOf, booleanOf, listOf } from './constructs/environment.ts';
import { imageNote, synthesisArguments, write } from './constructs/gitops/formats.ts';
import { kindsOf } from './constructs/kind-choice.ts';
import { Platform } from './constructs/platform.ts';
import { programsOf } from './constructs/program-list.ts';
import { descriptionsOf, versionsOf } from './constructs/version-choice.ts';
import { version } from './runtime/base/version.ts';

const { env } = process;

try {
  const { format, output } = synthesisArguments(process.argv.slice(2));
  const app = new App(output === undefined ? {} : { outdir: output });
  const props = {
    version,
    image: env['AZIMUTH_IMAGE'] ?? `azimuth:${version}`,
    ...(env['AZIMUTH_NODE_IMAGE'] && { nodeImage: env['AZIMUTH_NODE_IMAGE'] }),
    kinds: env['AZIMUTH_KINDS'] ? kindsOf(env['AZIMUTH_KINDS']) : undefined,
    versions: versionsOf(env['AZIMUTH_VERSIONS'] || 'all'),
    descriptions: descriptionsOf(env['AZIMUTH_DESCRIPTIONS'], env['AZIMUTH_KINDS']),
    monitoring: booleanOf('AZIMUTH_MONITORING', env) ? {} : (false as const),
    ...(env['AZIMUTH_METRICS_FROM'] && { metricsFrom: listOf(env['AZIMUTH_METRICS_FROM']) }),
    metricsAuthentication: booleanOf('AZIMUTH_METRICS_AUTHENTICATION', env, true),
    metricsReaders: accountsOf('AZIMUTH_METRICS_READERS', env),
    dashboard: booleanOf('AZIMUTH_DASHBOARD', env) ? {} : false,
    multiTenant: booleanOf('AZIMUTH_MULTI_TENANT', env),
    tenantNamespaces: listOf(env['AZIMUTH_TENANT_NAMESPACES']),
    kubernetesVersion: env['KUBERNETES_VERSION'],
    ...programsOf(env),
  };
  const platform = new Platform(app, 'azimuth', props);
  // Charts of your own stand here: without AZIMUTH_KINDS the platform defines the kinds of their objects too.
  for (const note of platform.notes) process.stderr.write(`azimuth: ${note}\n`);
  const written = write(format, app, platform, props);
  const image = imageNote(props.image);
  if (image !== undefined) process.stdout.write(`azimuth: ${image}\n`);
  process.stdout.write(`azimuth: wrote ${written}\n`);
} catch (error) {
  process.stderr.write(`azimuth: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
