import { App, Chart } from 'cdk8s';
import { stringify } from 'yaml';
import { deploymentKinds, machineKinds, podIdentityKinds } from '../../runtime/api/kinds.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';
import { Crds } from '../crds.ts';
import { MetricsReader } from '../monitoring/metrics-reader.ts';
import { Platform, type PlatformProps } from '../platform.ts';
import { helpers, notes, settings } from './chart-text.ts';
import { valueGroups, valuesSchema } from './chart-values.ts';
import { replicaTokens, secretTokens, templateText, tokens } from './template-text.ts';
import { mergeVariants, subsets, type Variant } from './variants.ts';

/** Properties of a chart; its values decide the rest at installation. */
export interface HelmChartProps extends Pick<PlatformProps, 'version' | 'kinds' | 'versions' | 'kubernetesVersion'> {
  /** The kinds of Azure resources that the chart defines. */
  readonly defined: readonly KindDefinition[];
}

/** A part of the chart: the features that its objects depend on, and the platform for a choice of them. */
interface Part {
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
const isShared = (id: string) =>
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

const parts: readonly Part[] = [
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
    features: { ...multiTenant, ...metricsAuthentication },
    platform: () => ({
      podIdentity: {
        controller: {
          replicas: replicaTokens.identity,
          settingsSecret: secretTokens.identity,
          env: environment('podIdentity'),
        },
        node: { env: environment('podIdentity.node') },
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

/**
 * The files of a Helm chart by path: one template for each part of the platform, the definitions among the templates,
 * so that an upgrade changes them, and values for the settings that people change. The same properties give the same
 * bytes.
 */
export function helmChart(props: HelmChartProps): Record<string, string> {
  const { version, kubernetesVersion = '1.27' } = props;
  const files = parts.map((part) => {
    const text = mergeVariants(variantsOf(part, props), part.features);
    return [`templates/${part.file}.yaml`, part.condition ? wrapped(part.condition, text) : text] as const;
  });
  const chart = {
    apiVersion: 'v2',
    name: 'azimuth',
    description: 'Azure identities, secrets and resources for Kubernetes workloads',
    type: 'application',
    version,
    appVersion: version,
    kubeVersion: `>=${kubernetesVersion}.0-0`,
  };
  return {
    'Chart.yaml': stringify(chart),
    'values.yaml': valuesText(),
    'values.schema.json': `${JSON.stringify(valuesSchema(), undefined, 2)}\n`,
    'templates/_helpers.tpl': helpers,
    'templates/settings.yaml': settings,
    'templates/definitions.yaml': definitions(props),
    'templates/NOTES.txt': notes,
    ...Object.fromEntries(files),
  };
}

const wrapped = (condition: string, text: string) => `{{- if ${condition} }}\n${text}{{- end }}\n`;

/** The definitions, those of each part below its condition. */
function definitions({ defined, versions, kubernetesVersion }: HelmChartProps): string {
  const groups: readonly (readonly [string, readonly KindDefinition[]])[] = [
    ['.Values.operator.enabled', defined],
    ['.Values.podIdentity.enabled', podIdentityKinds],
    ['.Values.machineSecrets.enabled', machineKinds],
    ['.Values.deployments.enabled', deploymentKinds],
  ];
  const texts = groups.map(([condition, served]) => {
    const chart = new Chart(new App(), 'definitions');
    new Crds(chart, 'Crds', { kinds: served, versions, kubernetesVersion });
    return wrapped(condition, chart.toJson().map(templateText).join(''));
  });
  return wrapped('.Values.definitions.enabled', texts.join(''));
}

function variantsOf(part: Part, { defined: _, ...props }: HelmChartProps): Variant[] {
  return subsets(Object.keys(part.features)).map((on) => {
    const app = new App();
    new Platform(app, 'azimuth', {
      ...props,
      image: tokens.image,
      nodeImage: tokens.nodeImage,
      namespace: tokens.namespace,
      operator: false,
      metricsFrom: [tokens.metricsFrom],
      multiTenant: on.has('multiTenant'),
      metricsAuthentication: on.has('metricsAuthentication'),
      ...part.platform(on),
    });
    const programs = app.charts.find(({ node }) => node.id === 'azimuth-programs');
    const { has = (id) => !isShared(id) } = part;
    const objects = ((programs?.toJson() ?? []) as ManifestObject[])
      .filter((object) => has(idOf(object)))
      .map((object) => [idOf(object), templateText(object)] as const);
    return { on, objects: new Map(objects) };
  });
}

interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: object };
}

const idOf = ({ kind, metadata }: ManifestObject) => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`;

function valuesText(): string {
  return valueGroups
    .map(([name, note, value]) => `# ${note}\n${stringify({ [name]: value }, { lineWidth: 0 })}`)
    .join('\n');
}
