import { createHash } from 'node:crypto';
import { equal } from '../../json.ts';
import { namespaceBehaviour } from '../controllers/namespaces.ts';
import type { Behaviour, Column } from '../model/resource.ts';
import { invalidValue, required } from '../model/status.ts';
import type { Cause, Unstructured } from '../model/types.ts';
import { eventFromCore, eventToCore } from '../storage/events.ts';
import { ageColumn, column, nameColumn, size, table } from '../tables/columns.ts';
import { configMap, secret } from './config-kinds.ts';
import { crdBehaviour } from './custom-resources.ts';
import { pod } from './pod-kind.ts';

const workload = (...columns: Column[]): Behaviour => ({ generation: true, ...table(...columns) });
const selectorFixed = (object: Unstructured, old: Unstructured | undefined): Cause[] =>
  old && !equal(object['spec']?.selector, old['spec']?.selector)
    ? [invalidValue('spec.selector', object['spec']?.selector, 'field is immutable')]
    : [];

/** The selector must be there and match the template's labels. */
const selectorMatches = (object: Unstructured): Cause[] => {
  const { selector, template } = object['spec'] ?? {};
  // The schema requires both.
  if (!selector || !template) return [];
  if (template.spec?.containers?.length === 0) return [required('spec.template.spec.containers')];
  const labels = template?.metadata?.labels ?? {};
  const fits = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return fits
    ? []
    : [
        {
          reason: 'FieldValueInvalid',
          message: `Invalid value: map[string]string${JSON.stringify(labels)}: \`selector\` does not match template \`labels\``,
          field: 'spec.template.metadata.labels',
        },
      ];
};

const deployment: Behaviour = {
  ...workload(
    column('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 1}`),
    column('Up-to-date', ({ status }) => status?.updatedReplicas ?? 0, 'integer'),
    column('Available', ({ status }) => status?.availableReplicas ?? 0, 'integer'),
  ),
  validate: (object, old) => [...selectorMatches(object), ...selectorFixed(object, old)],
};

const reference = ({ roleRef }: Unstructured) => `${roleRef?.kind}/${roleRef?.name}`;
const binding: Behaviour = {
  nameRule: 'path',
  ...table(column('Role', reference)),
  validate: (object, old) => immutableRole(object, old),
};
const immutableRole = (object: Unstructured, old: Unstructured | undefined): Cause[] =>
  old && !equal(object['roleRef'], old['roleRef'])
    ? [
        {
          reason: 'FieldValueInvalid',
          message: `Invalid value: rbac.RoleRef{APIGroup:"${object['roleRef']?.apiGroup ?? ''}", Kind:"${object['roleRef']?.kind ?? ''}", Name:"${object['roleRef']?.name ?? ''}"}: cannot change roleRef`,
          field: 'roleRef',
        },
      ]
    : [];
const role: Behaviour = {
  nameRule: 'path',
  columns: [nameColumn, { ...ageColumn, name: 'Created At' }],
  validate: ({ rules }) =>
    (rules ?? []).flatMap((rule: Unstructured, index: number) => {
      const lacking = (member: string) => !rule[member]?.length;
      const path = `rules[${index}]`;
      const causes = lacking('verbs') ? [required(`${path}.verbs`, 'verbs must contain at least one value')] : [];
      if (!lacking('nonResourceURLs')) return causes;
      if (lacking('apiGroups'))
        causes.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
      if (lacking('resources'))
        causes.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
      return causes;
    }),
};

const eventFields = (object: string, reporter: string) => [
  ...['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'].map(
    (one) => `${object}.${one}`,
  ),
  'reason',
  'type',
  'source',
  reporter,
];
const event: Behaviour = {
  createOnUpdate: true,
  columns: [
    column(
      'Last Seen',
      (one) =>
        one['lastTimestamp'] ??
        one['deprecatedLastTimestamp'] ??
        one['series']?.lastObservedTime ??
        one['eventTime'] ??
        one['metadata'].creationTimestamp,
      'date',
    ),
    column('Type', ({ type }) => type),
    column('Reason', ({ reason }) => reason),
    column('Object', ({ involvedObject, regarding }) => {
      const about = involvedObject ?? regarding ?? {};
      return `${String(about.kind ?? '').toLowerCase()}/${about.name ?? ''}`;
    }),
    column('Message', ({ message, note }) => message ?? note),
  ],
};
const subject =
  (involved: string) =>
  (object: Unstructured): Cause[] => {
    const namespace = object[involved]?.namespace;
    return namespace !== undefined && namespace !== '' && namespace !== object['metadata'].namespace
      ? [invalidValue('involvedObject.namespace', namespace, 'does not match event.namespace')]
      : [];
  };

/** An address of the service network that depends on the name only, so that runs are alike. */
const clusterAddress = ({ namespace, name }: Unstructured) => {
  const hash = createHash('sha256').update(`${namespace}/${name}`).digest();
  return `10.96.${hash[0]}.${hash[1]}`;
};
const service: Behaviour = {
  nameRule: 'label1035',
  ...table(
    column('Type', ({ spec }) => spec?.type),
    column('Cluster-IP', ({ spec }) => spec?.clusterIP),
    column('Port(s)', ({ spec }) =>
      (spec?.ports ?? []).map((port: Unstructured) => `${port['port']}/${port['protocol'] ?? 'TCP'}`).join(','),
    ),
  ),
  prepare: (object, old) => {
    const { spec } = object;
    if (!spec || typeof spec !== 'object' || spec.type === 'ExternalName') return;
    spec.clusterIP ||= old?.['spec']?.clusterIP || clusterAddress(object['metadata']);
    spec.clusterIPs ??= [spec.clusterIP];
  },
};

/** Behaviours of built-in kinds, by `plural.group`. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  namespaces: namespaceBehaviour,
  secrets: secret,
  configmaps: configMap,
  serviceaccounts: { returnsDeleted: true, ...table(column('Secrets', ({ secrets }) => size(secrets))) },
  pods: pod,
  nodes: {
    selectableFields: ['spec.unschedulable'],
    ...table(
      column('Status', ({ status }) =>
        status?.conditions?.some((one: Unstructured) => one['type'] === 'Ready' && one['status'] === 'True')
          ? 'Ready'
          : 'NotReady',
      ),
      column('Version', ({ status }) => status?.nodeInfo?.kubeletVersion),
    ),
  },
  services: service,
  endpoints: { createOnUpdate: true },
  events: {
    ...event,
    selectableFields: eventFields('involvedObject', 'reportingComponent'),
    validate: subject('involvedObject'),
  },
  'events.events.k8s.io': {
    ...event,
    selectableFields: eventFields('regarding', 'reportingController'),
    toStorage: eventToCore,
    fromStorage: eventFromCore,
    validate: subject('regarding'),
  },
  'leases.coordination.k8s.io': {
    createOnUpdate: true,
    unconditionalUpdate: false,
    ...table(column('Holder', ({ spec }) => spec?.holderIdentity)),
    validate: ({ spec }) => [
      ...(spec?.leaseDurationSeconds <= 0
        ? [invalidValue('spec.leaseDurationSeconds', spec.leaseDurationSeconds, 'must be greater than 0')]
        : []),
      ...(spec?.leaseTransitions < 0
        ? [invalidValue('spec.leaseTransitions', spec.leaseTransitions, 'must be greater than or equal to 0')]
        : []),
    ],
  },
  'deployments.apps': deployment,
  'replicasets.apps': {
    ...workload(
      column('Desired', ({ spec }) => spec?.replicas, 'integer'),
      column('Current', ({ status }) => status?.replicas ?? 0, 'integer'),
      column('Ready', ({ status }) => status?.readyReplicas ?? 0, 'integer'),
    ),
    validate: (object, old) => [...selectorMatches(object), ...selectorFixed(object, old)],
  },
  'statefulsets.apps': {
    ...workload(column('Ready', ({ spec, status }) => `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 1}`)),
    validate: (object) => selectorMatches(object),
  },
  'daemonsets.apps': {
    ...workload(
      column('Desired', ({ status }) => status?.desiredNumberScheduled ?? 0, 'integer'),
      column('Ready', ({ status }) => status?.numberReady ?? 0, 'integer'),
    ),
    validate: (object, old) => [...selectorMatches(object), ...selectorFixed(object, old)],
  },
  'jobs.batch': {
    ...workload(column('Completions', ({ spec, status }) => `${status?.succeeded ?? 0}/${spec?.completions ?? 1}`)),
    prepare: ({ metadata, spec }, old) => {
      if (old || !spec?.template || spec.manualSelector) return;
      const own = { 'controller-uid': metadata.uid };
      const labels = { ...spec.template.metadata?.labels, ...own, 'job-name': metadata.name };
      spec.template.metadata = { ...spec.template.metadata, labels };
      spec.selector = { matchLabels: own };
    },
  },
  'priorityclasses.scheduling.k8s.io': { generation: true },
  'storageclasses.storage.k8s.io': { returnsDeleted: true },
  'csidrivers.storage.k8s.io': { returnsDeleted: true },
  'poddisruptionbudgets.policy': { generation: true, unconditionalUpdate: false },
  'networkpolicies.networking.k8s.io': { generation: true },
  'roles.rbac.authorization.k8s.io': role,
  'clusterroles.rbac.authorization.k8s.io': role,
  'rolebindings.rbac.authorization.k8s.io': binding,
  'clusterrolebindings.rbac.authorization.k8s.io': binding,
  'customresourcedefinitions.apiextensions.k8s.io': crdBehaviour,
};

/** Where objects of a group and plural are kept. The two event APIs share one bucket. */
export const bucketOf = (group: string, plural: string) =>
  group === '' || (group === 'events.k8s.io' && plural === 'events') ? plural : `${plural}.${group}`;
