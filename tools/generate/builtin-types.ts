/**
 * Writes sandbox/kube/schema/generated/builtin-types.json from a live API server (KUBECONFIG, through kubectl):
 * discovery and the definitions of /openapi/v2, without descriptions, for the kinds listed here. Run it by hand when the
 * list or the server changes; additions of newer servers are data in sandbox/kube/schema/builtin-amendments.ts.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** `as` names the version under which a kind is served here when the server only has an older one of the same shape. */
const wanted: Record<string, readonly (string | { readonly kind: string; readonly as: string })[]> = {
  v1: [
    ...['Namespace', 'Secret', 'ConfigMap', 'ServiceAccount', 'Pod', 'Node', 'Service', 'Endpoints', 'Event'],
    ...['PersistentVolume', 'PersistentVolumeClaim'],
  ],
  'apps/v1': ['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet'],
  'batch/v1': ['Job'],
  'rbac.authorization.k8s.io/v1': ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
  'coordination.k8s.io/v1': ['Lease'],
  'events.k8s.io/v1': ['Event'],
  'policy/v1beta1': [{ kind: 'PodDisruptionBudget', as: 'v1' }],
  'networking.k8s.io/v1': ['NetworkPolicy', 'Ingress', 'IngressClass'],
  'scheduling.k8s.io/v1': ['PriorityClass'],
  'storage.k8s.io/v1': ['StorageClass', 'CSIDriver'],
  'apiextensions.k8s.io/v1': ['CustomResourceDefinition'],
  'authentication.k8s.io/v1': ['TokenReview'],
  'authorization.k8s.io/v1': [
    ...['SubjectAccessReview', 'LocalSubjectAccessReview', 'SelfSubjectAccessReview', 'SelfSubjectRulesReview'],
  ],
};
/** Bodies of subresources; they have no collection of their own. */
const bodies = [
  'io.k8s.api.authentication.v1.TokenRequest',
  'io.k8s.api.policy.v1beta1.Eviction',
  'io.k8s.api.autoscaling.v1.Scale',
  'io.k8s.api.core.v1.Binding',
  'io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta',
  'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  'io.k8s.apimachinery.pkg.apis.meta.v1.Status',
];

interface Node {
  [member: string]: unknown;
}
interface Resource {
  name: string;
  singularName: string;
  namespaced: boolean;
  kind: string;
  group?: string;
  version?: string;
  verbs: string[];
  shortNames?: string[];
  categories?: string[];
}

const raw = (path: string) =>
  JSON.parse(execFileSync('kubectl', ['get', '--raw', path], { encoding: 'utf8', maxBuffer: 64 << 20 }));
const prefix = '#/definitions/';
const swagger = raw('/openapi/v2') as { definitions: Record<string, Node> };
const definitions: Record<string, unknown> = {};

/** Definitions about observed state are not checked for completeness: their writers send their observations. */
const observed = /(?:Status|Condition|ContainerState\w*|NodeSystemInfo|DaemonEndpoint)$/;

function slim(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => slim(item, name));
  if (typeof value !== 'object' || value === null) return value;
  const out: Node = {};
  for (const [member, inner] of Object.entries(value)) {
    // A member that is called `description` holds a schema, the keyword holds a text.
    if (member === 'description' && typeof inner === 'string') continue;
    if (member === 'x-kubernetes-group-version-kind' && Array.isArray(inner) && inner.length > 1) continue;
    if (member === 'required' && Array.isArray(inner) && observed.test(name)) continue;
    if (member === '$ref') reach(String(inner).slice(prefix.length));
    out[member] = slim(inner, name);
  }
  return out;
}

function reach(name: string): void {
  if (Object.hasOwn(definitions, name)) return;
  definitions[name] = null;
  definitions[name] = slim(swagger.definitions[name], name);
}

const kinds: unknown[] = [];
for (const [groupVersion, entries] of Object.entries(wanted)) {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  const { resources } = raw(group === '' ? `/api/${version}` : `/apis/${groupVersion}`) as { resources: Resource[] };
  for (const entry of entries) {
    const { kind, as } = typeof entry === 'string' ? { kind: entry, as: version } : entry;
    const resource = resources.find((item) => item.kind === kind && !item.name.includes('/'));
    if (!resource) throw new Error(`${groupVersion} ${kind} is not served here`);
    const isRoot = ([, node]: [string, Node]) =>
      (node['x-kubernetes-group-version-kind'] as { group: string; version: string; kind: string }[] | undefined)?.some(
        (gvk) => gvk.group === group && gvk.version === version && gvk.kind === kind,
      );
    const definition = Object.entries(swagger.definitions).find(isRoot)?.[0];
    if (!definition) throw new Error(`${groupVersion} ${kind} has no definition`);
    reach(definition);
    const subresources = resources.filter((item) => item.name.startsWith(`${resource.name}/`));
    kinds.push({
      group,
      version: as,
      kind,
      definition,
      plural: resource.name,
      singular: resource.singularName || kind.toLowerCase(),
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      namespaced: resource.namespaced,
      verbs: resource.verbs,
      subresources: subresources.map((item) => ({
        name: item.name.slice(resource.name.length + 1),
        kind: item.kind,
        ...(item.group === undefined ? {} : { group: item.group }),
        ...(item.version === undefined ? {} : { version: item.version }),
        verbs: item.verbs,
      })),
    });
  }
}
for (const name of bodies) reach(name);

/** One version further: same definition names, references and group-version-kind. */
const text = JSON.stringify({
  kinds,
  definitions: Object.fromEntries(Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))),
})
  .replaceAll('io.k8s.api.policy.v1beta1.', 'io.k8s.api.policy.v1.')
  .replaceAll(
    '"group":"policy","kind":"PodDisruptionBudget","version":"v1beta1"',
    '"group":"policy","kind":"PodDisruptionBudget","version":"v1"',
  )
  .replaceAll(
    '"group":"policy","kind":"Eviction","version":"v1beta1"',
    '"group":"policy","kind":"Eviction","version":"v1"',
  )
  .replaceAll(
    '"kind":"Eviction","group":"policy","version":"v1beta1"',
    '"kind":"Eviction","group":"policy","version":"v1"',
  );
const lines = text.replaceAll(/,("io\.k8s\.|\{"group":"[^"]*","version":"v1","kind")/g, ',\n$1');
writeFileSync('sandbox/kube/schema/generated/builtin-types.json', `${lines}\n`);
console.log(`${kinds.length} kinds, ${Object.keys(definitions).length} definitions, ${lines.length} bytes`);
