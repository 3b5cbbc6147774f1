import { referenceOf, resolveIdentity } from '../api/pod-identity/identity-reference.ts';
import { DerivedCache } from '../kube/cache/derived-cache.ts';
import { withNormalizedSpec } from '../kube/cache/projection.ts';
import type { WatchedCache } from '../kube/cache/types.ts';
import type { Manager } from '../kube/controller/manager.ts';
import type { NmiConfig } from './config/config.ts';
import {
  type Assigned,
  assignedType,
  type Binding,
  bindingsType,
  type Exception,
  exceptionsType,
  type Identity,
  identitiesType,
  type Pod,
  podsType,
  projectPod,
  projectReferenced,
  type Referenced,
  userAssignedIdentitiesType,
} from './objects.ts';

/** The caches of the objects that decide which pod gets which token. */
export interface NmiCaches {
  /** The pods of the node. */
  readonly pods: WatchedCache<Pod>;
  readonly bindings: WatchedCache<Binding>;
  readonly identities: WatchedCache<Identity>;
  readonly exceptions: WatchedCache<Exception>;
  /** The assignments of the node; undefined in managed mode, which has none. */
  readonly assigned: WatchedCache<Assigned> | undefined;
}

/** Watches these objects, as the mode needs them. */
export function watchObjects(
  manager: Manager,
  { mode, node, scaleFeatures }: Pick<NmiConfig, 'mode' | 'node' | 'scaleFeatures'>,
): NmiCaches {
  const pods = manager.watch<Pod>({
    type: podsType,
    fieldSelector: `spec.nodeName=${node}`,
    project: projectPod,
    // The API server's cache may still have a pod whose address belongs to another pod by now: ADR 0025.
    listFrom: 'quorum',
  });
  const pasted = { listFrom: 'cache', project: withNormalizedSpec } as const;
  const bindings = manager.watch<Binding>({ type: bindingsType, ...pasted });
  const stored = manager.watch<Identity>({ type: identitiesType, ...pasted });
  // In standard mode the assignment has the ids that the controller found.
  const identities = mode === 'standard' ? stored : resolved(manager, stored);
  const exceptions = manager.watch<Exception>({ type: exceptionsType, ...pasted });
  const assigned =
    mode === 'standard'
      ? manager.watch<Assigned>({
          type: assignedType,
          ...pasted,
          ...(scaleFeatures && { labelSelector: `nodename=${node}` }),
        })
      : undefined;
  return { pods, bindings, identities, exceptions, assigned };
}

/** The AzureIdentities with the ids of the UserAssignedIdentities that they name. */
function resolved(manager: Manager, stored: WatchedCache<Identity>): WatchedCache<Identity> {
  const referenced = manager.watch({ type: userAssignedIdentitiesType, listFrom: 'cache', project: projectReferenced });
  return new DerivedCache<Identity, Referenced>(stored, referenced, {
    dependency: referenceOf,
    derive: resolveIdentity,
  });
}
