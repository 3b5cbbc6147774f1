/** Templates for the images: a digest wins over a tag, and the node programs have the image of all unless one is set. */
export const helpers = `{{- define "azimuth.imageOf" -}}
{{- $tag := default .chart.AppVersion .image.tag -}}
{{- if .image.digest }}{{ .image.repository }}@{{ .image.digest }}{{ else }}{{ .image.repository }}:{{ $tag }}{{ end -}}
{{- end }}

{{- define "azimuth.image" -}}
{{ include "azimuth.imageOf" (dict "image" .Values.image "chart" .Chart) }}
{{- end }}

{{- define "azimuth.nodeImage" -}}
{{ include "azimuth.imageOf" (dict "image" (ternary .Values.nodeImage .Values.image (ne .Values.nodeImage.repository "")) "chart" .Chart) }}
{{- end }}
`;

const secret = (condition: string, values: string, program: string, subscription: boolean) => `{{- if ${condition} }}
---
apiVersion: v1
kind: Secret
metadata:
  name: {{ .Values.${values}.settingsSecret }}
  namespace: {{ .Release.Namespace }}
  labels:
    app.kubernetes.io/name: azimuth
    app.kubernetes.io/component: ${program}
    app.kubernetes.io/part-of: azimuth
stringData:
  AZURE_TENANT_ID: {{ required "tenantId is needed with ${values}.clientId" .Values.tenantId | quote }}
  AZURE_CLIENT_ID: {{ .Values.${values}.clientId | quote }}
${
  subscription
    ? `  AZURE_SUBSCRIPTION_ID: {{ required "subscriptionId is needed with ${values}.clientId" .Values.subscriptionId | quote }}\n`
    : ''
}{{- end }}
`;

/** The Secrets with the ids of the programs' identities. Ids are no secrets: the programs sign in by federation. */
export const settings = [
  secret('and .Values.operator.enabled .Values.operator.clientId', 'operator', 'operator', true),
  secret('and .Values.podIdentity.enabled .Values.podIdentity.clientId', 'podIdentity', 'identity', false),
  secret(
    'and .Values.machineSecrets.enabled .Values.machineSecrets.audiences .Values.machineSecrets.clientId',
    'machineSecrets',
    'secrets',
    false,
  ),
].join('');

/** The text that Helm prints after an installation or upgrade. */
export const notes = `Azimuth {{ .Chart.AppVersion }} is installed in {{ .Release.Namespace }}.
{{- if and .Values.operator.enabled (not .Values.operator.clientId) }}

The operator starts once the Secret {{ .Values.operator.settingsSecret }} exists.
{{- end }}

An uninstall keeps the definitions and their objects, and changes nothing in Azure: docs/guides/helm.md.
`;
