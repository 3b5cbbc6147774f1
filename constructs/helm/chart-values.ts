import { podSchema, podValues } from './pod-values.ts';

/** The values of the chart with their defaults, and for each the sentence that `values.yaml` has above it. */
export const valueGroups: readonly (readonly [name: string, note: string, value: unknown])[] = [
  [
    'image',
    'Image of all programs. A digest (sha256:...) wins over the tag.',
    { repository: 'azimuth', tag: '', digest: '' },
  ],
  [
    'nodeImage',
    'Image of the programs on nodes, with iptables and the driver; empty: that of all programs.',
    {
      repository: '',
      tag: '',
      digest: '',
    },
  ],
  ['imagePullSecrets', 'Names of Secrets for the registry of the images, in the namespaces of the pods.', []],
  ['tenantId', 'Tenant of Microsoft Entra ID.', ''],
  ['subscriptionId', 'Subscription of resources whose objects name none.', ''],
  ['multiTenant', 'The multi-tenant profile, docs/guides/multi-tenant.md.', false],
  ['definitions', 'The definitions of the kinds. An upgrade changes them, an uninstall keeps them.', { enabled: true }],
  [
    'operator',
    'Azure resources as custom resources. With a client id the chart makes the Secret with the settings.',
    {
      enabled: true,
      replicas: 2,
      clientId: '',
      settingsSecret: 'azimuth-operator-settings',
      env: {},
      pod: podValues,
    },
  ],
  [
    'podIdentity',
    'Pod identities: the controller and the daemon on every node.',
    {
      enabled: false,
      replicas: 2,
      clientId: '',
      settingsSecret: 'azimuth-identity-settings',
      allowAccessToSecrets: true,
      env: {},
      pod: podValues,
      node: { env: {}, pod: podValues },
    },
  ],
  [
    'keyVaultVolumes',
    'Key Vault volumes: FlexVolumes, and the provider of the Secrets Store CSI driver.',
    {
      flex: false,
      csi: false,
      env: {},
      pod: podValues,
    },
  ],
  [
    'machineSecrets',
    'Secrets of machines. With audiences also the endpoint that machines poll.',
    {
      enabled: false,
      audiences: [],
      replicas: 2,
      clientId: '',
      settingsSecret: 'azimuth-secrets-settings',
      env: {},
      pod: podValues,
    },
  ],
  ['deployments', 'Deployments into several locations.', { enabled: false }],
  [
    'ui',
    'The page of resources, for `kubectl port-forward`. `hosts` are further names under which browsers reach it.',
    { enabled: false, hosts: [], pod: podValues },
  ],
  ['dashboard', 'A Grafana dashboard of each program, in a ConfigMap.', false],
  [
    'monitoring',
    'PodMonitors and alerts for the Prometheus operator, with the labels that Prometheus selects.',
    { enabled: false, interval: '30s', labels: {} },
  ],
  [
    'metricsAuthentication',
    'Readers of the metrics of programs on nodes need a token; their ports are open to every pod.',
    true,
  ],
  ['metricsReaders', 'Service accounts that may read these, as namespace/name; PodMonitors have their own.', []],
  ['metricsFrom', 'Namespaces whose pods may read the metrics; one at least.', ['monitoring']],
];

/** A schema that names a wrong or unknown value before anything is installed. */
export function valuesSchema(): object {
  const properties = Object.fromEntries(
    valueGroups.map(([name, description, value]) => [name, { description, ...typeOf(value) }]),
  );
  // Helm itself passes `global`.
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    additionalProperties: false,
    properties: { ...properties, global: { type: 'object' } },
  };
}

function typeOf(value: unknown): object {
  if (value === podValues) return podSchema;
  // A list that must not be empty has a default.
  if (Array.isArray(value)) return { type: 'array', items: { type: 'string' }, minItems: Math.min(value.length, 1) };
  if (typeof value === 'number') return { type: 'integer', minimum: 0 };
  if (typeof value !== 'object' || value === null) return { type: typeof value };
  const entries = Object.entries(value);
  if (entries.length === 0) return { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(entries.map(([name, child]) => [name, typeOf(child)])),
  };
}
