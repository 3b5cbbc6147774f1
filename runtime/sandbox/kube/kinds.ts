import { createHash } from 'node:crypto';
import { crdBehaviour } from './custom-resources.ts';
import { eventFromCore, eventToCore } from './events.ts';
import { namespaceBehaviour } from './namespaces.ts';
import type { Behaviour, Column } from './resource.ts';
import { sameJson } from './same-json.ts';
import { forbiddenField, invalidValue, required } from './status.ts';
import type { Cause, Unstructured } from './types.ts';

const name: Column = { name: 'Name', type: 'string', format: 'name', value: ({ metadata }) => metadata.name };
const age: Column = { name: 'Age', type: 'date', value: ({ metadata }) => metadata.creationTimestamp };
const column = (title: string, value: Column['value'], type = 'string', priority = 0): Column => ({
  name: title,
  type,
  priority,
  value,
});
const table = (...columns: Column[]): { columns: Column[] } => ({ columns: [name, ...columns, age] });
const size = (value: unknown) => (value && typeof value === 'object' ? Object.keys(value).length : 0);

const immutable = (object: Unstructured, old: Unstructured | undefined, ...members: string[]): Cause[] =>
  old === undefined
    ? []
    : members
        .filter((member) => !sameJson(object[member], old[member]))
        .map((member) => invalidValue(member, object[member] ?? '', 'field is immutable'));

const configKeys = (object: Unstructured, ...members: string[]): Cause[] =>
  members.flatMap((member) =>
    Object.keys(object[member] ?? {})
      .filter((key) => !/^[-._a-zA-Z0-9]+$/.test(key) || key.length > 253 || key === '.' || key.startsWith('..'))
      .map((key) =>
        invalidValue(
          `${member}[${key}]`,
          key,
          "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        ),
      ),
  );

/** Secrets and ConfigMaps with `immutable: true` never change again. */
const frozen = (object: Unstructured, old: Unstructured | undefined, ...members: string[]): Cause[] => {
  if (!old?.['immutable']) return [];
  const causes = members
    .filter((member) => !sameJson(object[member], old[member]))
    .map((member) => forbiddenField(member, 'field is immutable when `immutable` is set'));
  if (!object['immutable']) causes.unshift(forbiddenField('immutable', 'field is immutable when `immutable` is set'));
  return causes;
};

const secret: Behaviour = {
  ...table(
    column('Type', ({ type }) => type),
    column('Data', ({ data }) => size(data), 'string'),
  ),
  selectableFields: ['type'],
  prepare: (object) => {
    object['type'] ||= 'Opaque';
    for (const [key, value] of Object.entries(object['stringData'] ?? {})) {
      object['data'] = { ...object['data'], [key]: Buffer.from(String(value)).toString('base64') };
    }
    delete object['stringData'];
    if (object['data'] && size(object['data']) === 0) delete object['data'];
  },
  validate: (object, old) => {
    const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
    const data: [string, unknown][] = Object.entries(object['data'] ?? {});
    return [
      ...configKeys(object, 'data'),
      // The value itself is not repeated: it is secret.
      ...data
        .filter(([, value]) => typeof value === 'string' && !base64.test(value))
        .map(([key]) => invalidValue(`data[${key}]`, '<omitted>', 'illegal base64 data')),
      ...immutable(object, old, 'type'),
      ...frozen(object, old, 'data'),
    ];
  },
};

const configMap: Behaviour = {
  ...table(column('Data', ({ data, binaryData }) => size(data) + size(binaryData))),
  validate: (object, old) => [
    ...configKeys(object, 'data', 'binaryData'),
    ...frozen(object, old, 'data', 'binaryData'),
  ],
};

const ready = (pod: Unstructured) => {
  const statuses: Unstructured[] = pod['status']?.containerStatuses ?? [];
  return `${statuses.filter((one) => one['ready']).length}/${pod['spec']?.containers?.length ?? 0}`;
};

const pod: Behaviour = {
  returnsDeleted: true,
  selectableFields: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  ...table(
    column('Ready', ready),
    column('Status', ({ status, metadata }) => (metadata.deletionTimestamp ? 'Terminating' : status?.phase)),
    column('Restarts', ({ status }) =>
      (status?.containerStatuses ?? []).reduce((sum: number, one: Unstructured) => sum + (one['restartCount'] ?? 0), 0),
    ),
    column('IP', ({ status }) => status?.podIP ?? '<none>', 'string', 1),
    column('Node', ({ spec }) => spec?.nodeName ?? '<none>', 'string', 1),
  ),
  prepare: (object, old) => {
    const { spec } = object;
    if (!spec || typeof spec !== 'object') return;
    spec.serviceAccountName ??= spec.serviceAccount ?? 'default';
    spec.serviceAccount = spec.serviceAccountName;
    if (!old) object['status'] = { phase: 'Pending', qosClass: qualityOf(spec) };
  },
  validate: (object, old) => {
    if (!old) return [];
    // Of a Pod's spec only these members may change once it exists.
    const fixed = ({ containers, initContainers, activeDeadlineSeconds, tolerations, ...rest }: Unstructured) => ({
      ...rest,
      containers: containers?.map(({ image: _image, ...container }: Unstructured) => container),
      initContainers: initContainers?.map(({ image: _image, ...container }: Unstructured) => container),
    });
    if (sameJson(fixed(object['spec'] ?? {}), fixed(old['spec'] ?? {}))) return [];
    return [
      forbiddenField(
        'spec',
        'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
      ),
    ];
  },
};

/** Guaranteed, Burstable or BestEffort, by the requests and limits of the containers. */
function qualityOf(spec: Unstructured): string {
  const containers: Unstructured[] = Array.isArray(spec['containers']) ? spec['containers'] : [];
  const named = containers.flatMap(({ resources = {} }) => [resources.requests, resources.limits]);
  if (named.every((amounts) => size(amounts) === 0)) return 'BestEffort';
  const guaranteed = containers.every(({ resources = {} }) =>
    ['cpu', 'memory'].every(
      (kind) =>
        resources.limits?.[kind] !== undefined &&
        String(resources.requests?.[kind] ?? resources.limits[kind]) === String(resources.limits[kind]),
    ),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

const workload = (...columns: Column[]): Behaviour => ({ generation: true, ...table(...columns) });
const selectorFixed = (object: Unstructured, old: Unstructured | undefined): Cause[] =>
  old && !sameJson(object['spec']?.selector, old['spec']?.selector)
    ? [invalidValue('spec.selector', object['spec']?.selector, 'field is immutable')]
    : [];

/** The selector must be there and match the template's labels. */
const selectorMatches = (object: Unstructured): Cause[] => {
  const { selector, template } = object['spec'] ?? {};
  if (!selector) return [required('spec.selector')];
  const labels = template?.metadata?.labels ?? {};
  const fits = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return fits
    ? []
    : [invalidValue('spec.template.metadata.labels', labels, '`selector` does not match template `labels`')];
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
  old && !sameJson(object['roleRef'], old['roleRef'])
    ? [invalidValue('roleRef', object['roleRef'], 'cannot change roleRef')]
    : [];
const role: Behaviour = {
  nameRule: 'path',
  columns: [name, { ...age, name: 'Created At' }],
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
  returnsDeleted: true,
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

/** What sets built-in kinds apart, by `plural.group` (and `/version` where versions differ). */
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
  'jobs.batch': workload(
    column('Completions', ({ spec, status }) => `${status?.succeeded ?? 0}/${spec?.completions ?? 1}`),
  ),
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
