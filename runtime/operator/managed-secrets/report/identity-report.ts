import { reasons } from '../../../arm-kinds/names.ts';
import type { Readiness } from '../../objects/conditions.ts';
import type { KnownSecret } from '../resolver.ts';
import type { ManagedSecretObject } from '../secret-object.ts';
import type { IdentityState } from '../sources/identities.ts';
import { heldBy, succeeded, unavailable } from './pinned-version.ts';
import { shownVersion } from './secret-status.ts';
import { timestamp } from './timestamp.ts';

/** The newest versions that the status lists. */
const shownVersions = 10;

/** The members of the status of a ManagedSecret of kind Identity. */
export function identityStatus({ plan, versions, usable }: IdentityState) {
  const current = versions.find(({ number }) => number === usable?.number);
  const shown = versions.slice(0, shownVersions).map((version) => {
    // An identity has no value, so nothing to compare.
    const { hash: _, ...rest } = shownVersion(version, current);
    return rest;
  });
  return {
    ...(usable && { version: usable.number, identityId: usable.identity.id }),
    ...(shown.length > 0 && { versions: shown }),
    ...(plan.nextRenewal !== undefined && { nextRenewal: timestamp(plan.nextRenewal) }),
  };
}

/** Ready once the current identity is in Azure. */
export function identityReadiness(
  { plan, usable }: IdentityState,
  { spec: { pinnedVersion: pinned } }: ManagedSecretObject,
  now: number,
): Readiness {
  const problem = unavailable(plan);
  if (problem) return problem;
  if (usable !== undefined && usable.number === plan.current?.number) return succeeded({ plan, pinned, now });
  return { severity: 'Info', reason: reasons.reconciling, message: 'The new identity is not in Azure yet' };
}

/** The record for machines: the pinned identity, or the newest that is in Azure. */
export function knownIdentity({ metadata, spec }: ManagedSecretObject, { plan, usable }: IdentityState): KnownSecret {
  return {
    uid: metadata.uid ?? '',
    kind: spec.kind,
    number: usable?.number,
    copies: new Map(),
    ...heldBy(plan),
    ...(usable && { identity: usable.identity }),
  };
}
