import { isObject } from '../../../../runtime/base/json.ts';
import { copy } from '../../../json.ts';
import type { JsonObject, Unstructured } from '../../model/types.ts';

const template: JsonObject = { metadata: { creationTimestamp: null }, spec: { containers: null } };
const workload = (strategy: JsonObject): JsonObject => ({
  spec: { selector: null, template, ...strategy },
  status: {},
});

/**
 * The content of the API server's typed structs before a create: members that are structs exist already, so a create
 * does not own them (only their members). Custom resources start empty.
 */
const zeros: Readonly<Record<string, JsonObject>> = {
  'v1/Namespace': { spec: {}, status: {} },
  'v1/Node': { spec: {}, status: { daemonEndpoints: { kubeletEndpoint: { Port: 0 } }, nodeInfo: {} } },
  'v1/Pod': { spec: { containers: null }, status: {} },
  'v1/Service': { spec: {}, status: { loadBalancer: {} } },
  'v1/PersistentVolume': { spec: {}, status: {} },
  'v1/PersistentVolumeClaim': { spec: { resources: {} }, status: {} },
  'v1/Event': {
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    eventTime: null,
    reportingComponent: '',
    reportingInstance: '',
  },
  'events.k8s.io/v1/Event': {
    eventTime: null,
    regarding: {},
    deprecatedSource: {},
    deprecatedFirstTimestamp: null,
    deprecatedLastTimestamp: null,
  },
  'apps/v1/Deployment': workload({ strategy: {} }),
  'apps/v1/StatefulSet': workload({ serviceName: '', updateStrategy: {} }),
  'apps/v1/DaemonSet': workload({ updateStrategy: {} }),
  'apps/v1/ReplicaSet': { spec: { selector: null, template }, status: { replicas: 0 } },
  'batch/v1/Job': { spec: { template }, status: {} },
  'rbac.authorization.k8s.io/v1/Role': { rules: null },
  'rbac.authorization.k8s.io/v1/ClusterRole': { rules: null },
  'rbac.authorization.k8s.io/v1/RoleBinding': { roleRef: { apiGroup: '', kind: '', name: '' } },
  'rbac.authorization.k8s.io/v1/ClusterRoleBinding': { roleRef: { apiGroup: '', kind: '', name: '' } },
  'coordination.k8s.io/v1/Lease': { spec: {} },
  'policy/v1/PodDisruptionBudget': {
    spec: {},
    status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
  },
  'networking.k8s.io/v1/NetworkPolicy': { spec: { podSelector: {} } },
  'networking.k8s.io/v1/Ingress': { spec: {}, status: { loadBalancer: {} } },
  'networking.k8s.io/v1/IngressClass': { spec: {} },
  'scheduling.k8s.io/v1/PriorityClass': { value: 0 },
  'storage.k8s.io/v1/StorageClass': { provisioner: '' },
  'storage.k8s.io/v1/CSIDriver': { spec: {} },
  'apiextensions.k8s.io/v1/CustomResourceDefinition': {
    spec: { group: '', names: { plural: '', kind: '' }, scope: '', versions: null },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
  },
};

/** The object a create starts from. */
export function zeroObject(object: Unstructured): Unstructured {
  const { apiVersion, kind } = object;
  const zero = zeros[`${apiVersion}/${kind}`];
  return { apiVersion, kind, ...(zero ? { metadata: { creationTimestamp: null }, ...copy(zero) } : {}) };
}

/** Members a typed object always shows although nobody sent them: filled where absent, so that comparisons agree. */
export function fillZero(object: Unstructured): Unstructured {
  const { apiVersion: _v, kind: _k, metadata: _m, ...zero } = zeroObject(object);
  const out = { ...object };
  const fill = (target: JsonObject, from: JsonObject): void => {
    for (const [name, value] of Object.entries(from)) {
      if (target[name] === undefined) target[name] = copy(value ?? null);
      else if (isObject(target[name]) && isObject(value)) {
        const inner = { ...(target[name] as JsonObject) };
        fill(inner, value);
        target[name] = inner;
      }
    }
  };
  fill(out, zero);
  return out;
}
