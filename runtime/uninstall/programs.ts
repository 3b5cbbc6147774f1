import { AzimuthError } from '../base/errors.ts';
import { forEachAtMost } from '../base/scheduling/for-each.ts';
import { namespacesType } from '../kube/client/core-types.ts';
import { listAll } from '../kube/client/paginate.ts';
import { isNotFound } from '../kube/client/status-error.ts';
import type { KubeClient, ResourceType } from '../kube/client/types.ts';
import { shown } from '../view/model/row-of.ts';
import { discoverKinds } from '../view/read/discover.ts';
import { homesOf, isOfManifests, type ProgramObject } from './own-objects.ts';
import { toolOf } from './tools.ts';

const type = (group: string, plural: string, kind: string, namespaced = true, version = 'v1'): ResourceType => ({
  group,
  version,
  plural,
  kind,
  namespaced,
});

const admission = 'admissionregistration.k8s.io';
const rbac = 'rbac.authorization.k8s.io';
const monitoring = 'monitoring.coreos.com';
/** Types of the manifests beside definitions and namespaces; those of the programs first, their rights last. */
export const programTypes: readonly ResourceType[] = [
  type('apps', 'deployments', 'Deployment'),
  type('apps', 'daemonsets', 'DaemonSet'),
  type('', 'services', 'Service'),
  type('', 'configmaps', 'ConfigMap'),
  type('policy', 'poddisruptionbudgets', 'PodDisruptionBudget'),
  type('networking.k8s.io', 'networkpolicies', 'NetworkPolicy'),
  type(monitoring, 'podmonitors', 'PodMonitor'),
  type(monitoring, 'prometheusrules', 'PrometheusRule'),
  type(admission, 'validatingadmissionpolicybindings', 'ValidatingAdmissionPolicyBinding', false),
  type(admission, 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', false),
  type(rbac, 'rolebindings', 'RoleBinding'),
  type(rbac, 'roles', 'Role'),
  type(rbac, 'clusterroles', 'ClusterRole', false),
  type('', 'serviceaccounts', 'ServiceAccount'),
  // Last: they tell a command that was interrupted where the programs are.
  type(rbac, 'clusterrolebindings', 'ClusterRoleBinding', false),
];

const ours = 'app.kubernetes.io/part-of=azimuth';
const bindings = 'clusterrolebindings';

/** The objects of the programs, and the namespaces that the manifests made. */
export interface Programs {
  /** Objects that no tool manages. */
  readonly own: readonly ProgramObject[];
  /** How to remove the others: one command or object of a tool each, with an object that has its mark. */
  readonly tools: readonly string[];
  /** Objects with a mark that only they have, in namespaces where no program is: anybody may have written it. */
  readonly untrusted: readonly string[];
  /** Objects with the label of the manifests that the manifests did not make. */
  readonly foreign: readonly string[];
  /** Namespaces that the manifests made. */
  readonly namespaces: readonly string[];
  /** Namespaces of the programs: those above, and those of the accounts that have rights in the whole cluster. */
  readonly homes: ReadonlySet<string>;
}

/** Lists the objects with the label of the manifests. Throws where discovery fails or the caller may not list a type. */
export async function readPrograms(client: KubeClient, signal: AbortSignal): Promise<Programs> {
  const { kinds, problems } = await discoverKinds(
    client,
    programTypes.map((type) => ({ type })),
    signal,
  );
  if (problems.length > 0) throw new AzimuthError('AZ_KUBE_ANSWER', `discovery failed: ${problems.join('; ')}`);
  const objectsByKind: ProgramObject[][] = kinds.map(() => []);
  await forEachAtMost(8, kinds.entries(), async ([index, { type }]) => {
    const options = { labelSelector: ours, metadataOnly: type.plural !== bindings, signal };
    const { items } = await listAll(client, type, options);
    objectsByKind[index] = items.map((object) => ({ type, object }));
  });
  const options = { labelSelector: ours, metadataOnly: true, signal };
  const { items: namespaces } = await listAll(client, namespacesType, options);
  const names = namespaces.map(({ metadata }) => metadata.name);
  return programsOf(objectsByKind.flat(), names);
}

/**
 * Sorts the objects with the label of the manifests. Tenants may write such objects in their namespaces, with the mark of
 * a release of somebody else: the marks count on objects of the cluster and in the namespaces of the programs.
 */
export function programsOf(all: readonly ProgramObject[], namespaces: readonly string[]): Programs {
  const homes = homesOf(all, namespaces);
  const tools = new Map<string, string>();
  const others: (readonly [mark: string, object: string])[] = [];
  for (const { type, object } of all) {
    const mark = toolOf(object)?.remove;
    if (mark === undefined) continue;
    const { namespace } = object.metadata;
    const title = titleOf({ type, object });
    if (namespace !== undefined && !homes.has(namespace)) others.push([mark, title]);
    else if (!tools.has(mark)) tools.set(mark, title);
  }
  return {
    own: all.filter((each) => toolOf(each.object) === undefined && isOfManifests(each, homes)),
    tools: [...tools].map(([mark, title]) => `${mark} (its mark is on ${title})`).sort(),
    untrusted: others.filter(([mark]) => !tools.has(mark)).map(([, title]) => title),
    foreign: all.filter((each) => toolOf(each.object) === undefined && !isOfManifests(each, homes)).map(titleOf),
    namespaces,
    homes,
  };
}

function titleOf({ type, object: { metadata } }: ProgramObject): string {
  const { name, namespace } = metadata;
  return `${type.kind}/${shown(name, 253)}${namespace === undefined ? '' : ` in ${shown(namespace, 63)}`}`;
}

/** Deletes objects of programs in their order; those that are gone are fine. */
export async function removePrograms(
  client: KubeClient,
  objects: readonly ProgramObject[],
  signal: AbortSignal,
): Promise<void> {
  for (const { type, object } of objects) {
    const { name, namespace, uid = '' } = object.metadata;
    const key = namespace === undefined ? { name } : { namespace, name };
    await client.delete(type, key, { preconditions: { uid }, signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}
