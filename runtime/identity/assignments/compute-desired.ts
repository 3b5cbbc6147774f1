import { identityType } from '../../api/pod-identity/azure-identity.ts';
import { bindingLabelOf, type IdentityMatch, matchIdentities } from '../../api/pod-identity/matching.ts';
import type { WatchedCache } from '../../kube/cache/types.ts';
import { attachmentReference, sameReference } from '../attachments/attachment-reference.ts';
import { type MachineFallback, machineOfNode } from '../attachments/machine.ts';
import {
  type Binding,
  bindingsBySelector,
  type Identity,
  isCandidate,
  labelKey,
  type Node,
  type Pod,
  regionLabel,
} from '../objects.ts';
import type { Verification } from '../verification/identity-verifier.ts';
import { bindingProblem } from '../verification/validity.ts';
import type { WindowUse } from './availability-windows.ts';
import type { Desired } from './desired.ts';

/** The caches from which the desired assignments are computed. */
export interface DesiredCaches {
  readonly pods: WatchedCache<Pod>;
  readonly nodes: WatchedCache<Node>;
  readonly bindings: WatchedCache<Binding>;
  readonly identities: WatchedCache<Identity>;
}

/** Dependencies of the computation besides the caches. */
export interface DesiredSources {
  /** Whether bindings and identities apply to pods of their own namespace only. */
  readonly forceNamespaced: boolean;
  /** For nodes without a providerID. */
  readonly fallback?: () => MachineFallback | undefined;
  readonly verification: (identity: Identity) => Verification;
  readonly windows: (binding: Binding) => WindowUse;
}

/**
 * The identities that a pod needs: those of the bindings that select it, without refused ones. `former` is the result
 * of the last computation for the pod.
 */
export function desiredOf(
  pod: Pod,
  former: readonly Desired[],
  caches: DesiredCaches,
  parts: DesiredSources,
): Desired[] {
  const { bindings, identities } = caches;
  const label = bindingLabelOf(pod);
  if (label === undefined || !isCandidate(pod)) return [];
  const verified = new Map<Identity, Desired['verification']>();
  const usable = (key: { readonly namespace: string; readonly name: string }) => {
    const identity = identities.get(key);
    if (!identity) return undefined;
    const verification = parts.verification(identity);
    if (verification.state === 'refused') return undefined;
    verified.set(identity, verification);
    return identity;
  };
  const selector = labelKey(pod.metadata, label, parts.forceNamespaced);
  const candidates = bindings.byIndex(bindingsBySelector, selector).filter(({ spec }) => !bindingProblem(spec));
  const matches = matchIdentities(pod, candidates, usable, parts.forceNamespaced);
  return matches.flatMap((match) => {
    const verification = verified.get(match.identity);
    return verification ? [desiredOfMatch(pod, match, verification, former, caches, parts)] : [];
  });
}

function desiredOfMatch(
  pod: Pod,
  { binding, further, identity, assigned }: IdentityMatch<Binding, Identity>,
  verification: Desired['verification'],
  formers: readonly Desired[],
  caches: DesiredCaches,
  parts: DesiredSources,
): Desired {
  const node = pod.spec?.nodeName ?? '';
  const key = `${assigned.namespace}/${assigned.name}`;
  const attachable = (identity.spec?.type ?? 0) === identityType.userAssigned;
  const nodeObject = attachable ? caches.nodes.get({ name: node }) : undefined;
  const machine = nodeObject && machineOfNode(nodeObject, parts.fallback?.());
  const reference = machine && attachmentReference(machine.id, identity.spec?.resourceID ?? '');
  const uses = new Set([binding, ...further].map((each) => parts.windows(each)));
  const windows = (['attach', 'unknown', 'keep'] as const).find((use) => uses.has(use)) ?? 'none';
  const former = formers.find((each) => each.key === key);
  const same = former && former.pod.metadata.uid === pod.metadata.uid && former.node === node;
  const replaced = same && reference ? (former.replaces ?? former.reference) : undefined;
  return {
    key,
    pod,
    binding,
    identity,
    node,
    machine,
    reference,
    region: nodeObject?.metadata.labels?.[regionLabel] ?? '',
    attachable,
    verification,
    windows,
    replaces: sameReference(replaced, reference) ? undefined : replaced,
  };
}
