import type { SchemaNode } from './schema-node.ts';

/**
 * The gaps of generated/builtin-types.json (Kubernetes 1.20), as data. Sources: the API reference of Kubernetes 1.32
 * for the members, `pkg/apis/<group>/<version>/defaults.go` for the defaults that hold whenever the surrounding object
 * is present. Defaults that depend on other members are in builtin-defaults.ts. Members that are named nowhere are kept
 * too.
 */
interface Amendment {
  /** Members added since 1.20, or that have had another merge type since. */
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Named as required in the definition, though the API server takes an object without them. */
  readonly optional?: readonly string[];
}

const text: SchemaNode = { type: 'string' };
const flag: SchemaNode = { type: 'boolean' };
const int32: SchemaNode = { type: 'integer', format: 'int32' };
const int64: SchemaNode = { type: 'integer', format: 'int64' };
const texts: SchemaNode = { type: 'array', items: text };
const intOrString: SchemaNode = { $ref: '#/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString' };
const labelSelector: SchemaNode = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector' };
const appArmor: SchemaNode = { type: 'object', properties: { type: text, localhostProfile: text } };
const grpc: SchemaNode = { type: 'object', properties: { port: int32, service: text } };

const workload = { revisionHistoryLimit: 10 };
const container: Amendment = {
  properties: {
    resizePolicy: { type: 'array', items: { type: 'object', properties: { resourceName: text, restartPolicy: text } } },
    restartPolicy: text,
  },
  defaults: { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File', resources: {} },
};

const core: Record<string, Amendment> = {
  PodSpec: {
    properties: {
      os: { type: 'object', properties: { name: text } },
      hostUsers: flag,
      nodeSelector: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': 'atomic' },
      schedulingGates: {
        type: 'array',
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'name',
        items: { type: 'object', properties: { name: text } },
      },
    },
    defaults: {
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      terminationGracePeriodSeconds: 30,
      securityContext: {},
    },
  },
  Container: container,
  EphemeralContainer: container,
  ContainerPort: { defaults: { protocol: 'TCP' } },
  ServicePort: { properties: { appProtocol: text }, defaults: { protocol: 'TCP' } },
  EndpointPort: { defaults: { protocol: 'TCP' } },
  Probe: {
    properties: { grpc, terminationGracePeriodSeconds: int64 },
    defaults: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  },
  HTTPGetAction: { defaults: { scheme: 'HTTP', path: '/' } },
  HTTPHeader: { optional: ['value'] },
  Handler: { properties: { sleep: { type: 'object', properties: { seconds: int64 } } } },
  SecurityContext: { properties: { appArmorProfile: appArmor } },
  PodSecurityContext: { properties: { appArmorProfile: appArmor, supplementalGroupsPolicy: text } },
  ObjectFieldSelector: { defaults: { apiVersion: 'v1' } },
  SecretVolumeSource: { defaults: { defaultMode: 420 } },
  ConfigMapVolumeSource: { defaults: { defaultMode: 420 } },
  DownwardAPIVolumeSource: { defaults: { defaultMode: 420 } },
  ProjectedVolumeSource: { defaults: { defaultMode: 420 } },
  HostPathVolumeSource: { defaults: { type: '' } },
  ServiceAccountTokenProjection: { defaults: { expirationSeconds: 3600 } },
  TopologySpreadConstraint: {
    properties: { minDomains: int32, nodeAffinityPolicy: text, nodeTaintsPolicy: text, matchLabelKeys: texts },
  },
  PodAffinityTerm: {
    properties: { namespaceSelector: labelSelector, matchLabelKeys: texts, mismatchLabelKeys: texts },
  },
  ServiceSpec: {
    properties: { internalTrafficPolicy: text, loadBalancerClass: text, trafficDistribution: text },
    defaults: { sessionAffinity: 'None', type: 'ClusterIP' },
  },
  Secret: { defaults: { type: 'Opaque' } },
  PersistentVolumeClaimSpec: {
    properties: { volumeAttributesClassName: text },
    defaults: { volumeMode: 'Filesystem' },
  },
  PersistentVolumeSpec: { defaults: { volumeMode: 'Filesystem', persistentVolumeReclaimPolicy: 'Retain' } },
};

const apps: Record<string, Amendment> = {
  DeploymentSpec: { defaults: { ...workload, replicas: 1, progressDeadlineSeconds: 600, strategy: {} } },
  DaemonSetSpec: { defaults: { ...workload, updateStrategy: {} } },
  RollingUpdateDaemonSet: { properties: { maxSurge: intOrString } },
  StatefulSetSpec: {
    properties: {
      minReadySeconds: int32,
      ordinals: { type: 'object', properties: { start: int32 } },
      persistentVolumeClaimRetentionPolicy: { type: 'object', properties: { whenDeleted: text, whenScaled: text } },
    },
    defaults: { ...workload, replicas: 1, podManagementPolicy: 'OrderedReady', updateStrategy: {} },
    optional: ['serviceName'],
  },
  ReplicaSetSpec: { defaults: { replicas: 1 } },
};

const crd: Record<string, Amendment> = {
  JSONSchemaProps: {
    properties: {
      'x-kubernetes-validations': {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['rule'],
        'x-kubernetes-patch-strategy': 'merge',
        'x-kubernetes-patch-merge-key': 'rule',
        items: {
          type: 'object',
          required: ['rule'],
          properties: {
            rule: text,
            message: text,
            messageExpression: text,
            reason: text,
            fieldPath: text,
            optionalOldSelf: flag,
          },
        },
      },
    },
  },
  CustomResourceDefinitionSpec: { defaults: { conversion: { strategy: 'None' } } },
  CustomResourceDefinitionVersion: {
    properties: {
      deprecated: flag,
      deprecationWarning: text,
      selectableFields: { type: 'array', items: { type: 'object', properties: { jsonPath: text } } },
    },
  },
};

const others: Record<string, Amendment> = {
  'io.k8s.api.batch.v1.JobSpec': {
    properties: {
      suspend: flag,
      completionMode: text,
      backoffLimitPerIndex: int32,
      maxFailedIndexes: int32,
      podReplacementPolicy: text,
      podFailurePolicy: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      successPolicy: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
    defaults: { backoffLimit: 6, completionMode: 'NonIndexed', suspend: false },
  },
  'io.k8s.api.policy.v1.PodDisruptionBudgetSpec': { properties: { unhealthyPodEvictionPolicy: text } },
  'io.k8s.api.networking.v1.NetworkPolicySpec': { defaults: { podSelector: {} }, optional: ['podSelector'] },
  'io.k8s.api.networking.v1.NetworkPolicyPort': { properties: { endPort: int32 }, defaults: { protocol: 'TCP' } },
  'io.k8s.api.rbac.v1.RoleRef': { defaults: { apiGroup: 'rbac.authorization.k8s.io' }, optional: ['apiGroup'] },
  'io.k8s.api.scheduling.v1.PriorityClass': { defaults: { preemptionPolicy: 'PreemptLowerPriority' } },
  'io.k8s.api.storage.v1.StorageClass': { defaults: { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' } },
  'io.k8s.api.storage.v1.CSIDriverSpec': {
    properties: { seLinuxMount: flag },
    defaults: {
      attachRequired: true,
      podInfoOnMount: false,
      requiresRepublish: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
    },
  },
  'io.k8s.api.authentication.v1.TokenRequestSpec': { defaults: { expirationSeconds: 3600 }, optional: ['audiences'] },
};

const under = (prefix: string, rows: Record<string, Amendment>) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [`${prefix}.${name}`, row]));

const amendments: Readonly<Record<string, Amendment>> = {
  ...under('io.k8s.api.core.v1', core),
  ...under('io.k8s.api.apps.v1', apps),
  ...under('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1', crd),
  ...others,
};

/** The definition as it is served: 1.20 plus the amendments above. */
export function amend(name: string, node: SchemaNode): SchemaNode {
  const row = Object.hasOwn(amendments, name) ? amendments[name] : undefined;
  if (!row) return node;
  const properties: Record<string, SchemaNode> = { ...node.properties, ...row.properties };
  for (const [member, value] of Object.entries(row.defaults ?? {})) {
    properties[member] = { ...properties[member], default: value as NonNullable<SchemaNode['default']> };
  }
  const required = node.required?.filter((member) => !row.optional?.includes(member));
  return { ...node, properties, ...(required ? { required } : {}) };
}

/** The definitions that have amendments, by full name. */
export function amendedNames(): string[] {
  return Object.keys(amendments);
}
