import { stringify } from 'yaml';
import { podLines, withHeapSizes, withPodTokens } from './pod-values.ts';

/** Tokens that stand for values while the objects are made, and the templates that replace them. */
export const tokens = {
  image: 'azimuth-value-image',
  nodeImage: 'azimuth-value-node-image',
  namespace: 'azimuth-value-namespace',
  audience: 'azimuth-value-audience',
  environment: 'AZIMUTH_VALUE_ENVIRONMENT',
  metricsFrom: 'azimuth-value-metrics-from',
  monitoringLabel: 'azimuth-value-monitoring-label',
  interval: 'azimuth-value-interval',
  metricsReader: 'azimuth-value-metrics-reader',
  pageHost: 'azimuth-value-page-host',
} as const;

/** Replicas by program, as numbers that no manifest has. */
export const replicaTokens = { operator: 424201, identity: 424202, secrets: 424203 } as const;

/** Secrets with settings by program. */
export const secretTokens = {
  operator: 'azimuth-value-operator-settings',
  identity: 'azimuth-value-identity-settings',
  secrets: 'azimuth-value-secrets-settings',
} as const;

const valuesOf = { operator: 'operator', identity: 'podIdentity', secrets: 'machineSecrets' } as const;

const replacements: readonly (readonly [token: string, template: string])[] = [
  [tokens.nodeImage, '{{ include "azimuth.nodeImage" . }}'],
  [tokens.image, '{{ include "azimuth.image" . }}'],
  [tokens.namespace, '{{ .Release.Namespace }}'],
  [tokens.interval, '{{ .Values.monitoring.interval }}'],
  [tokens.audience, '{{ join "," .Values.machineSecrets.audiences }}'],
  ...Object.entries(valuesOf).flatMap(([program, values]) => {
    const name = program as keyof typeof valuesOf;
    return [
      [String(replicaTokens[name]), `{{ int .Values.${values}.replicas }}`],
      [secretTokens[name], `{{ .Values.${values}.settingsSecret }}`],
    ] as const;
  }),
];

/**
 * An object as a document of a template: text that Helm would read as a template is quoted, and the tokens become
 * templates. The token of the environment is an entry of `env` whose value is the name of the program's values.
 */
export function templateText(object: object): string {
  // One schema serves all versions of a definition: YAML writes it once, which keeps the release below Helm's limit.
  const lines = stringify(withPodTokens(shared(object)), { lineWidth: 0, version: '1.1' })
    .replaceAll('{{', '{{ "{{" }}')
    .split('\n');
  const text = lines.flatMap((line, index) => {
    if (line.endsWith(`- kind: ServiceAccount`) && lines[index + 1]?.includes(tokens.metricsReader))
      return readers(line);
    if (line.includes(tokens.metricsReader)) return [];
    if (line.includes(tokens.environment)) return [environment(line, lines[index + 1] ?? '')];
    if (line.includes(tokens.metricsFrom)) return range(line, '$name', '.Values.metricsFrom', '- {{ $name | quote }}');
    if (line.includes(tokens.monitoringLabel)) {
      return range(line, '$name, $value', '.Values.monitoring.labels', '{{ $name }}: {{ $value | quote }}');
    }
    if (line.includes(tokens.pageHost)) return range(line, '$name', '.Values.ui.hosts', '- --host={{ $name }}');
    return lines[index - 1]?.includes(tokens.environment) ? [] : (podLines(line) ?? [line]);
  });
  const filled = replacements.reduce((all, [token, template]) => all.replaceAll(token, template), text.join('\n'));
  return `---\n${withHeapSizes(filled)}`;
}

/** An entry for each of the values, in place of the line of the token. */
function range(line: string, variables: string, values: string, entry: string): string[] {
  const indent = ' '.repeat(line.search(/\S/));
  return [`${indent}{{- range ${variables} := ${values} }}`, `${indent}${entry}`, `${indent}{{- end }}`];
}

/** The subjects for the readers of metrics, in place of the one with the token. */
function readers(line: string): string[] {
  const subject =
    '- { kind: ServiceAccount, namespace: {{ splitList "/" $reader | first | quote }}, name: {{ splitList "/" $reader | last | quote }} }';
  return range(line, '$reader', '.Values.metricsReaders', subject);
}

/** The entries of `env` for the values of a program, in place of the two lines of the token. */
function environment(line: string, next: string): string {
  const indent = ' '.repeat(line.indexOf('-'));
  const values = next.slice(next.indexOf(':') + 1).trim();
  const entry = `- name: {{ $name }}\n${indent}  value: {{ $value | quote }}`;
  return range(line, '$name, $value', `.Values.${values}.env`, entry).join('\n');
}

/** The same object where equal schemas of versions are one object, so that YAML writes references to it. */
function shared(object: object): object {
  const { spec } = object as { spec?: { versions?: readonly { schema?: object }[] } };
  if (!spec?.versions) return object;
  const known = new Map<string, object>();
  const versions = spec.versions.map(({ schema, ...version }) => {
    if (!schema) return version;
    const text = JSON.stringify(schema);
    const same = known.get(text) ?? schema;
    known.set(text, same);
    return { ...version, schema: same };
  });
  return { ...object, spec: { ...spec, versions } };
}
