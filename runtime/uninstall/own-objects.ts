import type { KubeObject, ResourceType } from '../kube/client/types.ts';

/** An object with the label of the manifests that is no custom resource. */
export interface ProgramObject {
  readonly type: ResourceType;
  readonly object: KubeObject;
}

/** Components with a service account that has rights in the whole cluster. */
const programs: ReadonlySet<string> = new Set(['operator', 'identity', 'nmi', 'volumes', 'secrets']);
/** Roles for people, which belong to no component. */
const tenantRoles: ReadonlySet<string> = new Set(['azimuth-tenant-edit', 'azimuth-tenant-view']);
/** Kinds of the manifests outside of the namespaces of the programs: rights there, monitoring and dashboards. */
const kindsElsewhere: ReadonlySet<string> = new Set([
  'Role',
  'RoleBinding',
  'ConfigMap',
  'PodMonitor',
  'PrometheusRule',
  'ServiceAccount',
]);

const label = ({ metadata }: KubeObject, name: string) => metadata.labels?.[`app.kubernetes.io/${name}`];

/**
 * The namespaces of the programs: those with the label of the manifests, and those of the accounts with a program's rights
 * in the whole cluster. Administrators alone write either. The binding of a program has the name of its account; that of
 * the readers of metrics has accounts of others.
 */
export function homesOf(all: readonly ProgramObject[], namespaces: readonly string[]): ReadonlySet<string> {
  const ofAccounts = all.flatMap(({ type, object }) => {
    if (type.kind !== 'ClusterRoleBinding' || !programs.has(label(object, 'component') ?? '')) return [];
    const subjects: readonly { readonly kind: string; readonly name?: string; readonly namespace?: string }[] =
      object['subjects'] ?? [];
    return subjects.flatMap(({ kind, name, namespace }) =>
      kind === 'ServiceAccount' && name === object.metadata.name && namespace ? [namespace] : [],
    );
  });
  return new Set([...namespaces, ...ofAccounts]);
}

/**
 * Whether the manifests made an object with their label. People label objects of their own so, and a tenant any object
 * of the own namespace: outside of the namespaces of the programs an object counts with the kinds and names of the
 * manifests only.
 */
export function isOfManifests({ type, object }: ProgramObject, homes: ReadonlySet<string>): boolean {
  const { name, namespace } = object.metadata;
  if (namespace !== undefined && homes.has(namespace)) return true;
  if (namespace === undefined && tenantRoles.has(name)) return true;
  const isNamed = label(object, 'name') === 'azimuth' && /^azimuth(-[a-z0-9]+)*$/.test(name);
  return isNamed && (namespace === undefined || kindsElsewhere.has(type.kind));
}
