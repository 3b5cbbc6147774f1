import { isObject, type JsonObject } from '../../../runtime/base/json.ts';
import type { Unstructured } from '../model/types.ts';

/**
 * Defaults of built-in kinds that depend on other members; the unconditional ones are data in builtin-amendments.ts.
 * Source: `pkg/apis/<group>/<version>/defaults.go` of Kubernetes. Runs after the schema's defaults, in place.
 */
export function builtinDefaults(object: Unstructured): void {
  const byKind = Object.hasOwn(kinds, String(object['kind'])) ? kinds[String(object['kind'])] : undefined;
  byKind?.(object);
  const spec = object['spec'];
  if (object['kind'] === 'Pod' && isObject(spec)) podSpec(spec, true);
  const template = isObject(spec) && isObject(spec['template']) ? spec['template']['spec'] : undefined;
  if (isObject(template)) podSpec(template, false);
}

const kinds: Record<string, (object: Unstructured) => void> = {
  Deployment: ({ spec }) => rollingUpdate(spec, 'strategy', { maxUnavailable: '25%', maxSurge: '25%' }),
  DaemonSet: ({ spec }) => rollingUpdate(spec, 'updateStrategy', { maxUnavailable: 1, maxSurge: 0 }),
  StatefulSet: ({ spec }) => rollingUpdate(spec, 'updateStrategy', { partition: 0 }),
  ReplicaSet: (object) => copyLabels(object),
  Pod: ({ spec }) => fill(spec, 'enableServiceLinks', true),
  Job: ({ spec }) => {
    if (isObject(spec) && spec['completions'] === undefined && spec['parallelism'] === undefined) {
      fill(spec, 'completions', 1);
    }
    fill(spec, 'parallelism', 1);
  },
  Service: ({ spec }) => {
    if (!isObject(spec)) return;
    for (const port of list(spec['ports'])) fill(port, 'targetPort', port['port'] ?? null);
    if (spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer') fill(spec, 'externalTrafficPolicy', 'Cluster');
    if (spec['type'] !== 'ExternalName') fill(spec, 'internalTrafficPolicy', 'Cluster');
    if (spec['type'] === 'LoadBalancer') fill(spec, 'allocateLoadBalancerNodePorts', true);
  },
  Secret: (object) => {
    if (!isObject(object['stringData'])) return;
    const data = isObject(object['data']) ? object['data'] : {};
    for (const [name, value] of Object.entries(object['stringData'])) {
      data[name] = Buffer.from(String(value)).toString('base64');
    }
    object['data'] = data;
    delete object['stringData'];
  },
  NetworkPolicy: ({ spec }) => {
    if (isObject(spec))
      fill(spec, 'policyTypes', list(spec['egress']).length > 0 ? ['Ingress', 'Egress'] : ['Ingress']);
  },
  RoleBinding: subjects,
  ClusterRoleBinding: subjects,
  CustomResourceDefinition: ({ spec }) => {
    const names = isObject(spec) ? spec['names'] : undefined;
    if (!isObject(names) || typeof names['kind'] !== 'string') return;
    fill(names, 'singular', names['kind'].toLowerCase());
    fill(names, 'listKind', `${names['kind']}List`);
  },
};

function fill(target: unknown, name: string, value: unknown): void {
  if (isObject(target) && target[name] === undefined) target[name] = value;
}

function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function rollingUpdate(spec: unknown, member: string, parameters: JsonObject): void {
  if (!isObject(spec)) return;
  fill(spec, member, {});
  const strategy = spec[member];
  fill(strategy, 'type', 'RollingUpdate');
  if (!isObject(strategy) || strategy['type'] !== 'RollingUpdate') return;
  fill(strategy, 'rollingUpdate', {});
  const rolling = strategy['rollingUpdate'];
  for (const [name, value] of Object.entries(parameters)) fill(rolling, name, value ?? null);
}

function copyLabels(object: Unstructured): void {
  const labels = object['spec']?.template?.metadata?.labels;
  if (isObject(labels) && isObject(object['metadata'])) fill(object['metadata'], 'labels', { ...labels });
}

function subjects(object: Unstructured): void {
  for (const subject of list(object['subjects'])) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group')
      fill(subject, 'apiGroup', 'rbac.authorization.k8s.io');
  }
}

function podSpec(spec: JsonObject, isPod: boolean): void {
  if (spec['serviceAccountName'] !== undefined) fill(spec, 'serviceAccount', spec['serviceAccountName']);
  else if (spec['serviceAccount'] !== undefined) fill(spec, 'serviceAccountName', spec['serviceAccount']);
  const hostNetwork = spec['hostNetwork'] === true;
  for (const container of [...list(spec['initContainers']), ...list(spec['containers'])]) {
    const image = String(container['image'] ?? '');
    const tag = /:([^:/@]+)$/.exec(image)?.[1];
    const floating = !image.includes('@') && (tag === undefined || tag === 'latest');
    fill(container, 'imagePullPolicy', floating ? 'Always' : 'IfNotPresent');
    if (hostNetwork) for (const port of list(container['ports'])) fill(port, 'hostPort', port['containerPort'] ?? null);
    const resources = container['resources'];
    if (!isObject(resources)) continue;
    // Templates keep their limits as they are; a pod requests as much as its limits.
    if (isPod && isObject(resources['limits'])) {
      fill(resources, 'requests', {});
      for (const [name, amount] of Object.entries(resources['limits']))
        fill(resources['requests'], name, amount ?? null);
    }
    for (const amounts of [resources['limits'], resources['requests']]) {
      if (!isObject(amounts)) continue;
      for (const [name, amount] of Object.entries(amounts))
        if (typeof amount === 'number') amounts[name] = String(amount);
    }
  }
  for (const volume of list(spec['volumes'])) if (Object.keys(volume).length === 1) fill(volume, 'emptyDir', {});
}
