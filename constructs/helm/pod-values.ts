import { parse } from 'yaml';

/** The values for the pods of a program; an empty member keeps what the synthesis writes. */
export const podValues = {
  annotations: {},
  labels: {},
  nodeSelector: {},
  tolerations: [],
  affinity: {},
  priorityClassName: '',
  resources: {},
} as const;

const texts = { type: 'object', additionalProperties: { type: 'string' } };
const memory = { type: 'string', pattern: '^[1-9][0-9]*(Mi|Gi)$' };
const amounts = { type: 'object', properties: { memory }, additionalProperties: { type: ['string', 'number'] } };

/** The schema of `podValues`. Memory is a whole number of Mi or Gi, because the heap of the program follows it. */
export const podSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    annotations: texts,
    labels: texts,
    nodeSelector: texts,
    tolerations: { type: 'array', items: { type: 'object' } },
    affinity: { type: 'object' },
    priorityClassName: { type: 'string' },
    resources: { type: 'object', additionalProperties: false, properties: { limits: amounts, requests: amounts } },
  },
};

/** Where the values of a workload's pods are. */
const valuesOfWorkload: Readonly<Record<string, string>> = {
  'azimuth-operator': 'operator',
  'azimuth-secrets': 'machineSecrets',
  'azimuth-identity': 'podIdentity',
  'azimuth-nmi': 'podIdentity.node',
  'azimuth-volumes': 'keyVaultVolumes',
  'azimuth-ui': 'ui',
};

const memberToken = 'azimuth-value-pod-';
const heapToken = 'azimuth-value-heap';

/** Templates that the members of the pods include. */
export const podHelpers = `{{- define "azimuth.resources" -}}
{{- $memory := dig "limits" "memory" "" .set -}}
{{- if $memory }}{{ $_ := set .base.requests "memory" $memory }}{{ end -}}
{{- toYaml (mergeOverwrite .base .set) -}}
{{- end }}

{{- define "azimuth.mebibytes" -}}
{{- if hasSuffix "Gi" . }}{{ mul (trimSuffix "Gi" .) 1024 }}{{ else }}{{ trimSuffix "Mi" . }}{{ end -}}
{{- end }}

{{- define "azimuth.heap" -}}
{{- $memory := dig "limits" "memory" (printf "%dMi" (int .memory)) .set -}}
{{- max 64 (sub (add .heap (include "azimuth.mebibytes" $memory)) .memory) -}}
{{- end }}
`;

/**
 * A workload with a token in place of each member of its pods that values change; other objects as they are. The heap of
 * the program grows and shrinks with the memory of its container.
 */
export function withPodTokens(object: object): object {
  const { kind, metadata, spec } = object as { kind: string; metadata: { name: string }; spec: Workload };
  const path = valuesOfWorkload[metadata.name];
  if (path === undefined || !/^(Deployment|DaemonSet)$/.test(kind)) return object;
  const values = `.Values.${path}.pod`;
  const { labels, annotations = {} } = spec.template.metadata;
  const {
    nodeSelector = {},
    tolerations = [],
    affinity = {},
    priorityClassName = '',
    containers,
    ...pod
  } = spec.template.spec;
  const token = (member: string, base: unknown) => ({ [memberToken + member]: JSON.stringify({ values, base }) });
  const template = {
    metadata: { ...token('labels', labels), ...token('annotations', annotations) },
    spec: {
      ...pod,
      ...token('nodeSelector', nodeSelector),
      ...token('tolerations', tolerations),
      ...token('affinity', affinity),
      ...token('priorityClassName', priorityClassName),
      ...token('imagePullSecrets', []),
      containers: containers.map(({ resources, env = [], ...container }) => ({
        ...container,
        env: env.map((variable) => withHeapToken(variable, values, resources.limits.memory)),
        ...token('resources', resources),
      })),
    },
  };
  return { ...object, spec: { ...spec, template } };
}

function withHeapToken(
  variable: Readonly<Record<string, unknown>>,
  values: string,
  limit: string,
): Readonly<Record<string, unknown>> {
  const { name, value } = variable;
  if (name !== 'NODE_OPTIONS' || typeof value !== 'string') return variable;
  const memoryMebibytes = limit.replace(/Mi$/, '');
  const heap = (size: string) => `=${heapToken}/${values}/${size}/${memoryMebibytes}`;
  return { name, value: value.replace(/(--max-old-space-size)=(\d+)/, (_, option, size) => option + heap(size)) };
}

/** The lines of the template in place of the line of a token; undefined for any other line. */
export function podLines(line: string): string[] | undefined {
  if (!line.includes(memberToken)) return undefined;
  const [[key = '', text = ''] = []] = Object.entries(parse(line.trim()) as Record<string, string>);
  const { values, base } = JSON.parse(text) as { values: string; base: unknown };
  const member = key.slice(memberToken.length);
  const indent = line.search(/\S/);
  const given = `${values}.${member}`;
  const json = `\`${JSON.stringify(base)}\``;
  const below = `{{- toYaml . | nindent ${indent + 2} }}`;
  const written = (source: string, ...lines: string[]) =>
    [`{{- with ${source} }}`, ...lines, '{{- end }}'].map((each) => ' '.repeat(indent) + each);
  switch (member) {
    case 'resources':
      return [
        `${' '.repeat(indent)}resources:`,
        `${' '.repeat(indent + 2)}{{- include "azimuth.resources" (dict "base" (fromJson ${json}) "set" ${given}) | nindent ${indent + 2} }}`,
      ];
    case 'imagePullSecrets':
      return written(
        '.Values.imagePullSecrets',
        'imagePullSecrets:',
        '  {{- range . }}',
        '  - name: {{ . | quote }}',
        '  {{- end }}',
      );
    case 'priorityClassName':
      return written(`${given} | default ${JSON.stringify(base)}`, 'priorityClassName: {{ . }}');
    case 'tolerations':
      return written(`${given} | default (fromJsonArray ${json})`, 'tolerations:', `  ${below}`);
    default:
      return written(`mergeOverwrite (fromJson ${json}) ${given}`, `${member}:`, `  ${below}`);
  }
}

/** The text with the size of a heap in place of each token. */
export function withHeapSizes(text: string): string {
  return text.replaceAll(
    new RegExp(`${heapToken}/([.\\w]+)/(\\d+)/(\\d+)`, 'g'),
    '{{ include "azimuth.heap" (dict "set" $1.resources "heap" $2 "memory" $3) }}',
  );
}

interface Workload {
  readonly template: {
    readonly metadata: { readonly labels: object; readonly annotations?: object };
    readonly spec: {
      readonly nodeSelector?: object;
      readonly tolerations?: readonly object[];
      readonly affinity?: object;
      readonly priorityClassName?: string;
      readonly containers: readonly (Readonly<Record<string, unknown>> & {
        readonly env?: readonly Readonly<Record<string, unknown>>[];
        readonly resources: { readonly limits: { readonly memory: string } };
      })[];
    };
  };
}
