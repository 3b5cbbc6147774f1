/** The parts of the Helm chart as data: which objects of the platform each has, and which values switch them on. */
import { MetricsReader } from '../monitoring/metrics-reader.ts';
import type { PlatformProps } from '../platform.ts';
import { replicaTokens, secretTokens, tokens } from './template-text.ts';

/** A part of the chart: the features that its objects depend on, and the platform for a choice of them. */
export interface Part {
  readonly file: string;
  /** Expression without which the part is left out. @default always */
  readonly condition?: string;
  readonly features: Readonly<Record<string, string>>;
  /** Which objects of the platform the part has, by their ids. @default all but those of other parts */
  readonly has?: (id: string) => boolean;
  platform(on: ReadonlySet<string>): Partial<PlatformProps>;
}

const nodeNamespace = `Namespace//${tokens.namespace}-nodes`;
/** Objects that several programs share; they have parts of their own. Helm makes the namespace of the release itself. */
export const isShared = (id: string) =>
  [nodeNamespace, `Namespace//${tokens.namespace}`].includes(id) ||
  isTenantRole(id) ||
  isDashboard(id) ||
  isMonitor(id) ||
  isReader(id);
const isDashboard = (id: string) => id.startsWith('ConfigMap/') && id.endsWith('-dashboard');
const isMonitor = (id: string) => /^(PodMonitor|PrometheusRule)\//.test(id);
const isReader = (id: string) => id.endsWith(`/${MetricsReader.roleName}`);
const isTenantRole = (id: string) => id.startsWith('ClusterRole//azimuth-tenant-');
const multiTenant = { multiTenant: '.Values.multiTenant' };
const metricsAuthentication = { metricsAuthentication: '.Values.metricsAuthentication' };
/** Expression for programs on nodes. */
const nodePrograms = 'or .Values.podIdentity.enabled .Values.keyVaultVolumes.flex .Values.keyVaultVolumes.csi';
const environment = (values: string) => ({ [tokens.environment]: values });

/** The programs with metrics, each as the values switch it on. */
const programs = {
  operator: '.Values.operator.enabled',
  secrets: 'and .Values.machineSecrets.enabled .Values.machineSecrets.audiences',
  podIdentity: '.Values.podIdentity.enabled',
  volumes: 'or .Values.keyVaultVolumes.flex .Values.keyVaultVolumes.csi',
};
const programsOf = (on: ReadonlySet<string>): Partial<PlatformProps> => ({
  ...(on.has('operator') && { operator: {} }),
  ...(on.has('secrets') && { machineSecrets: { endpoint: { audiences: [tokens.audience] } } }),
  ...(on.has('podIdentity') && { podIdentity: {} }),
  ...(on.has('volumes') && { keyVaultVolumes: {} }),
});

/** The parts of the chart, in the order of their files. */
export const parts: readonly Part[] = [
  {
    file: 'operator',
    condition: '.Values.operator.enabled',
    features: {
      machineSecrets: '.Values.machineSecrets.enabled',
      deployments: '.Values.deployments.enabled',
      ...multiTenant,
    },
    platform: (on) => ({
      operator: {
        replicas: replicaTokens.operator,
        settingsSecret: secretTokens.operator,
        env: environment('operator'),
      },
      machineSecrets: on.has('machineSecrets') ? {} : false,
      deployments: on.has('deployments'),
    }),
  },
  {
    file: 'machine-secrets',
    condition: 'and .Values.machineSecrets.enabled .Values.machineSecrets.audiences',
    features: multiTenant,
    platform: () => ({
      machineSecrets: {
        endpoint: {
          audiences: [tokens.audience],
          replicas: replicaTokens.secrets,
          settingsSecret: secretTokens.secrets,
          env: environment('machineSecrets'),
        },
      },
    }),
  },
  {
    file: 'pod-identity',
    condition: '.Values.podIdentity.enabled',
    features: { secrets: '.Values.podIdentity.allowAccessToSecrets', ...multiTenant, ...metricsAuthentication },
    platform: (on) => ({
      podIdentity: {
        controller: {
          ...(!on.has('secrets') && { secretNames: [] }),
          replicas: replicaTokens.identity,
          settingsSecret: secretTokens.identity,
          env: environment('podIdentity'),
        },
        node: { ...(!on.has('secrets') && { secretNames: [] }), env: environment('podIdentity.node') },
      },
    }),
  },
  {
    file: 'key-vault-volumes',
    features: {
      flex: '.Values.keyVaultVolumes.flex',
      csi: '.Values.keyVaultVolumes.csi',
      ...multiTenant,
      ...metricsAuthentication,
    },
    platform: (on) => ({
      keyVaultVolumes:
        on.has('flex') || on.has('csi')
          ? { flex: on.has('flex'), ...(on.has('csi') && { csi: {} }), env: environment('keyVaultVolumes') }
          : false,
    }),
  },
  {
    file: 'ui',
    condition: '.Values.ui.enabled',
    features: multiTenant,
    platform: () => ({ ui: { hosts: [tokens.pageHost] } }),
  },
  {
    file: 'node-namespace',
    condition: nodePrograms,
    features: {},
    has: (id) => id === nodeNamespace,
    platform: () => ({ podIdentity: {} }),
  },
  {
    file: 'dashboards',
    condition: '.Values.dashboard',
    features: programs,
    has: isDashboard,
    platform: (on) => ({ ...programsOf(on), dashboard: {} }),
  },
  {
    file: 'monitoring',
    condition: '.Values.monitoring.enabled',
    features: { ...programs, ...metricsAuthentication },
    has: isMonitor,
    platform: (on) => ({
      ...programsOf(on),
      monitoring: { interval: tokens.interval, labels: { [tokens.monitoringLabel]: '' } },
    }),
  },
  {
    file: 'metrics-reader',
    condition: `and .Values.metricsAuthentication (${nodePrograms})`,
    features: { monitoring: '.Values.monitoring.enabled', readers: '.Values.metricsReaders' },
    has: isReader,
    platform: (on) => ({
      metricsAuthentication: true,
      podIdentity: {},
      monitoring: on.has('monitoring') ? {} : false,
      metricsReaders: on.has('readers') ? [{ namespace: tokens.metricsReader, name: tokens.metricsReader }] : [],
    }),
  },
  {
    file: 'tenant-roles',
    condition: '.Values.multiTenant',
    features: {
      operator: '.Values.operator.enabled',
      podIdentity: '.Values.podIdentity.enabled',
      machineSecrets: '.Values.machineSecrets.enabled',
      deployments: '.Values.deployments.enabled',
    },
    has: isTenantRole,
    platform: (on) => ({
      ...(on.has('operator') && { operator: {} }),
      podIdentity: on.has('podIdentity') ? {} : false,
      machineSecrets: on.has('machineSecrets') ? {} : false,
      deployments: on.has('deployments'),
      multiTenant: true,
    }),
  },
];
