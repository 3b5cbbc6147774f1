import { App, Chart } from 'cdk8s';
import { stringify } from 'yaml';
import { deploymentKinds, machineKinds, podIdentityKinds } from '../../runtime/api/kinds.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';
import { Crds } from '../crds.ts';
import { Platform, type PlatformProps } from '../platform.ts';
import { helpers, notes, settings } from './chart-text.ts';
import { valueGroups, valuesSchema } from './chart-values.ts';
import { isShared, type Part, parts } from './parts.ts';
import { podHelpers } from './pod-values.ts';
import { templateText, tokens } from './template-text.ts';
import { mergeVariants, subsets, type Variant } from './variants.ts';

/** Properties of a chart; its values decide the rest at installation. */
export interface HelmChartProps
  extends Pick<PlatformProps, 'version' | 'kinds' | 'versions' | 'descriptions' | 'kubernetesVersion'> {
  /** The kinds of Azure resources that the chart defines. */
  readonly defined: readonly KindDefinition[];
}

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
    'templates/_helpers.tpl': `${helpers}\n${podHelpers}`,
    'templates/settings.yaml': settings,
    'templates/definitions.yaml': definitions(props),
    'templates/NOTES.txt': notes,
    ...Object.fromEntries(files),
  };
}

const wrapped = (condition: string, text: string) => `{{- if ${condition} }}\n${text}{{- end }}\n`;

/** The definitions, those of each part below its condition. */
function definitions({ defined, versions, descriptions, kubernetesVersion }: HelmChartProps): string {
  const groups: readonly (readonly [string, readonly KindDefinition[]])[] = [
    ['.Values.operator.enabled', defined],
    ['.Values.podIdentity.enabled', podIdentityKinds],
    ['.Values.machineSecrets.enabled', machineKinds],
    ['.Values.deployments.enabled', deploymentKinds],
  ];
  const texts = groups.map(([condition, served]) => {
    const chart = new Chart(new App(), 'definitions');
    new Crds(chart, 'Crds', { kinds: served, versions, descriptions, kubernetesVersion });
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
    .map(
      ([name, note, value]) =>
        `# ${note}\n${stringify({ [name]: value }, { lineWidth: 0, aliasDuplicateObjects: false })}`,
    )
    .join('\n');
}
