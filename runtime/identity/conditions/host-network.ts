import { namespacesAllow } from '../../api/pod-identity/matching.ts';
import { objectKeyOf, objectOf } from '../../kube/controller/mappers.ts';
import { type Source, source } from '../../kube/controller/source.ts';
import type { DesiredCaches } from '../assignments/compute-desired.ts';
import {
  type Binding,
  bindingsBySelector,
  hostNetworkLabels,
  hostNetworkPodsByLabel,
  type Identity,
  isCandidate,
  labelKey,
  type Pod,
} from '../objects.ts';
import type { Problem } from '../verification/validity.ts';

/** Reason of the condition of a binding, and of the event of a pod, that the node daemon does not serve. */
export const hostNetworkReason = 'HostNetworkNotServed';

/** Why such a pod gets no token, and the fix. */
export const hostNetworkMessage =
  "has the node's address, and so the node daemon gives it no token: remove hostNetwork or the label from the pod";

type Caches = Pick<DesiredCaches, 'pods' | 'bindings'>;

/** The problem of a binding whose identity is assigned to a pod on the host network. Names no pod. */
export function hostNetworkProblem(
  { metadata, spec }: Binding,
  identity: Identity,
  { pods }: Pick<DesiredCaches, 'pods'>,
  forceNamespaced: boolean,
): Problem | undefined {
  const label = spec?.selector ?? '';
  const selected = pods.byIndex(hostNetworkPodsByLabel, labelKey(metadata, label, forceNamespaced));
  const isServed = (pod: Pod) =>
    isCandidate(pod) && namespacesAllow(identity, metadata.namespace, pod.metadata.namespace, forceNamespaced);
  if (!selected.some(isServed)) return undefined;
  const message = `Assigns ${identity.metadata.name} to pods with the label value ${label}; a pod on the host network ${hostNetworkMessage}`;
  return { reason: hostNetworkReason, message };
}

/** Enqueues the bindings that select a pod on the host network, when it appears, changes or goes. */
export function bindingsOfHostNetworkPods({ pods, bindings }: Caches, forceNamespaced: boolean): Source {
  return source(pods, (change) => {
    const states = change.type === 'updated' ? [change.old, change.object] : [objectOf(change)];
    const labels = states.flatMap((pod) => hostNetworkLabels(pod, forceNamespaced));
    return [...new Set(labels)].flatMap((label) => bindings.byIndex(bindingsBySelector, label)).map(objectKeyOf);
  });
}
