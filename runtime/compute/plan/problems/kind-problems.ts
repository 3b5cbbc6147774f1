import { allKinds, tryKindOf } from '../../../api/kinds.ts';
import { nearest } from '../../../base/text/edit-distance.ts';
import { someOf } from '../../../base/text/some-of.ts';
import { apiGroupOf } from '../../deployments/references.ts';
import type { PlanProblem } from '../change.ts';

/** An object of a kind that a plan does not compare. */
export interface OtherObject {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
}

/** Whether there is a kind in a version of an API; undefined where nobody knows. */
export type KindLookup = (apiVersion: string, kind: string) => boolean | undefined;

/**
 * Kinds of the groups without a dot, which are those of Kubernetes itself: a definition needs a dot in its group.
 * Source: Kubernetes 1.34, `/api/v1` and `/apis`.
 */
const builtinKinds: Readonly<Record<string, string>> = {
  '':
    'Binding ComponentStatus ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume ' +
    'PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount',
  apps: 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet',
  autoscaling: 'HorizontalPodAutoscaler',
  batch: 'CronJob Job',
  policy: 'PodDisruptionBudget PodSecurityPolicy',
};

interface Candidate {
  readonly group: string;
  readonly kind: string;
}

/** Kinds of the CSI driver, which the guides use beside those of Azimuth. Whether a cluster has them is not known. */
const csiKinds: readonly Candidate[] = ['SecretProviderClass', 'SecretProviderClassPodStatus'].map((kind) => ({
  group: 'secrets-store.csi.x-k8s.io',
  kind,
}));
const served: readonly Candidate[] = [...allKinds.map(({ group, kind }) => ({ group, kind })), ...csiKinds];
const servedGroups: readonly string[] = [...new Set(served.map(({ group }) => group))];
const builtin: readonly Candidate[] = Object.entries(builtinKinds).flatMap(([group, kinds]) =>
  kinds.split(' ').map((kind) => ({ group, kind })),
);
/**
 * The problems of objects of other kinds: one that is nearly a kind or a group of Azimuth, and one that `isServed` says
 * nobody has. A note names the kinds that could not be looked up. `isDefined`: the definitions among the manifests.
 */
export function kindProblems(
  others: readonly OtherObject[],
  isDefined: KindLookup,
  isServed: KindLookup,
): { readonly problems: readonly PlanProblem[]; readonly notes: readonly string[] } {
  const problems: PlanProblem[] = [];
  const unchecked = new Set<string>();
  for (const { path, apiVersion, kind } of others) {
    if (isDefined(apiVersion, kind)) continue;
    const isThere = isServed(apiVersion, kind);
    if (isThere) continue;
    const group = apiGroupOf(apiVersion);
    const isNamed = tryKindOf(group, kind) !== undefined || isAmong(builtin, group, kind);
    const suggestion = isNamed || isAmong(csiKinds, group, kind) ? undefined : suggestionFor(group, kind);
    const unserved = `the cluster does not serve ${kind} of ${apiVersion}: correct it, or apply its CRD first`;
    if (suggestion !== undefined)
      problems.push({ path: `${path}.kind`, message: `there is no ${kind} of ${apiVersion}: ${suggestion}` });
    else if (isThere === false) problems.push({ path: `${path}.kind`, message: unserved });
    else if (!isNamed) unchecked.add(`${kind} of ${apiVersion}`);
  }
  const note = `whether the cluster serves ${someOf([...unchecked])} is not checked`;
  return { problems, notes: unchecked.size > 0 ? [note] : [] };
}

/** How to correct a kind that is nearly one of ours or of a companion; undefined for somebody else's. */
function suggestionFor(group: string, kind: string): string | undefined {
  const isOpen = !group.includes('.');
  const ownGroup = isOpen ? group : nearest(group, servedGroups, (name) => name);
  if (ownGroup === undefined) return undefined;
  const all = [...builtin, ...served];
  const inGroup = all.filter((each) => each.group === ownGroup);
  const near = nearest(kind, isOpen ? [...inGroup, ...all] : inGroup, (each) => each.kind);
  if (near) return `did you mean ${near.kind} of ${near.group || 'v1'}?`;
  if (isOpen) return undefined;
  return ownGroup === group ? 'docs/reference/kinds.md lists the kinds' : `did you mean the group ${ownGroup}?`;
}

const isAmong = (candidates: readonly Candidate[], group: string, kind: string) =>
  candidates.some((each) => each.group === group && each.kind === kind);
