import type { FairWork } from '../base/fairness/fair-work.ts';
import { keyOf } from '../kube/client/types.ts';
import { AvailabilityWindows } from './assignments/availability-windows.ts';
import type { DesiredCaches } from './assignments/compute-desired.ts';
import { DesiredAssignments } from './assignments/desired-assignments.ts';
import type { IdentityDeps } from './identity-options.ts';
import { ProtectedIdentities } from './machines/protected-identities.ts';
import { IdentityVerifier } from './verification/identity-verifier.ts';

/** The desired assignments, and what they follow from beside the caches. */
export interface DesiredState {
  readonly desired: DesiredAssignments;
  readonly verifier: IdentityVerifier;
  readonly windows: AvailabilityWindows;
  readonly protection: ProtectedIdentities;
}

/** What happens after a read of an identity in Azure. */
export interface ReadListeners {
  /** Called with the key of an AzureIdentity whose verification changed. */
  readonly verified: (key: string) => void;
  /** Called with the resource id, and whether its client id changed. */
  readonly clientIdRead: (identity: string, isChanged: boolean) => void;
}

/** Creates the computation of desired assignments, which follows the caches from here on. */
export function createDesired(
  { manager, arm, authorizer, options }: IdentityDeps,
  caches: DesiredCaches,
  work: FairWork,
  { verified, clientIdRead }: ReadListeners,
): DesiredState {
  const { runtime } = manager;
  const clientIds = () => options.immutableClientIds?.() ?? [];
  const protection = new ProtectedIdentities({ runtime, arm, authorizer, clientIds });
  const verifier = new IdentityVerifier(
    {
      runtime,
      arm,
      authorizer,
      policy: options.policy ?? { multiTenant: false, scopes: undefined },
      changed: (keys) => {
        desired.identitiesChanged(keys);
        for (const key of keys) verified(key);
      },
      clientIdRead: (identity, clientId, isChanged) => {
        protection.learn(identity, clientId ?? '');
        clientIdRead(identity, isChanged);
      },
    },
    options.verificationBackoff,
  );
  const windows = new AvailabilityWindows({
    clock: runtime.clock,
    work,
    attachEarlyMs: options.attachEarlyMs,
    changed: (bindings) => desired.windowsChanged(bindings),
  });
  const desired = new DesiredAssignments(caches, {
    forceNamespaced: options.forceNamespaced,
    ...(options.fallback && { fallback: options.fallback }),
    work,
    verification: (identity) => verifier.of(identity),
    windows: (binding) => windows.of(binding),
  });
  caches.bindings.onChange((change) => change.type === 'deleted' && windows.forget(keyOf(change.old)));
  caches.identities.onChange((change) => change.type === 'deleted' && verifier.forget(keyOf(change.old)));
  return { desired, verifier, windows, protection };
}
