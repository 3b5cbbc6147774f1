/** `pulumi up`: the definitions and all programs of Azimuth in the cluster, with their settings; see Pulumi.yaml. */
import { Provider } from '@pulumi/kubernetes/provider.js';
import * as pulumi from '@pulumi/pulumi';
import { accountsOf } from '../../constructs/environment.ts';
import { kindsOf } from '../../constructs/kind-choice.ts';
import { programsOf } from '../../constructs/program-list.ts';
import { descriptionsOf, versionsOf } from '../../constructs/version-choice.ts';
import { Manifests } from '../components/manifests.ts';
import { Settings } from '../components/settings.ts';

type ProgramSettings = Record<string, Record<string, string>>;

const settings = new Settings();
const identities = (await settings.lastOutput<Record<string, string>>('identityStack', 'environment')) ?? {};
const known = (await settings.lastOutput<ProgramSettings>('identityStack', 'programSettings')) ?? {};
const own = Object.fromEntries(
  Object.entries({
    AZIMUTH_PROGRAMS: settings.text('programs'),
    AZIMUTH_KINDS: settings.text('kinds'),
    AZIMUTH_IDENTITY_SCOPES: settings.text('identityScopes'),
    AZURE_OPERATOR_CREDENTIAL_SCOPES: settings.text('credentialScopes'),
    AZIMUTH_FEDERATED_ACCOUNTS: settings.text('federatedAccounts'),
    AZIMUTH_SECRETS_AUDIENCE: settings.text('secretsAudience'),
    AZIMUTH_SECRETS_LOCATION: settings.text('secretsLocation'),
    AZIMUTH_UI_HOSTS: settings.text('uiHosts'),
    AZIMUTH_UI_CLOUD: settings.text('uiCloud'),
    AZIMUTH_CHECK_SERVICE_ACCOUNTS: settings.text('checkServiceAccounts'),
    AZIMUTH_ALLOW_ACCESS_GRANTS: settings.text('allowAccessGrants'),
    AZIMUTH_GATE_JOBS: settings.text('gateJobs'),
  }).filter(([, value]) => value !== undefined),
);
const environment: Record<string, string | undefined> = { ...identities, ...own };

const kubeconfig = settings.secret('kubeconfig') ?? settings.optionalFrom('clusterStack', 'kubeconfig');
const metricsFrom = settings.list('metricsFrom');
const manifests = new Manifests('azimuth', {
  image: settings.required('image'),
  nodeImage: settings.text('nodeImage'),
  version: settings.text('version') ?? '0.1.0',
  namespace: settings.text('namespace'),
  kinds: environment['AZIMUTH_KINDS'] && kindsOf(environment['AZIMUTH_KINDS']),
  versions: versionsOf(settings.text('versions') ?? 'all'),
  descriptions: descriptionsOf(settings.text('descriptions'), environment['AZIMUTH_KINDS']),
  kubernetesVersion: settings.text('kubernetesVersion'),
  multiTenant: settings.boolean('multiTenant') ?? false,
  tenantNamespaces: settings.list('tenantNamespaces'),
  dashboard: settings.boolean('dashboard') ? {} : false,
  monitoring: settings.boolean('monitoring') ? {} : false,
  ...(metricsFrom.length > 0 && { metricsFrom }),
  metricsAuthentication: settings.boolean('metricsAuthentication') ?? true,
  metricsReaders: accountsOf('AZIMUTH_METRICS_READERS', { AZIMUTH_METRICS_READERS: settings.text('metricsReaders') }),
  ...programsOf(environment),
  settings: { ...known, ...settings.object<ProgramSettings>('programSettings') },
  ...(kubeconfig && { provider: new Provider('cluster', { kubeconfig, enableServerSideApply: true }) }),
});
for (const note of manifests.notes) await pulumi.log.warn(note, manifests);

/** The namespace of the programs. */
export const namespace = manifests.namespace;
