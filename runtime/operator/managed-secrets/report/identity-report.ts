import { reasons } from '../../../arm-kinds/names.ts';
import type { Readiness } from '../../reconcile/report/conditions.ts';
import type { KnownSecret } from '../resolver.ts';
import type { ManagedSecretObject } from '../secret-object.ts';
import type { IdentityState } from '../values/identities.ts';
import { shownVersion, timestamp } from './secret-status.ts';

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

/** Ready once the newest identity is in Azure. */
export function identityReadiness({ versions, usable }: IdentityState): Readiness {
  if (usable !== undefined && usable.number === versions[0]?.number) {
    return { severity: undefined, reason: reasons.succeeded, message: '' };
  }
  return { severity: 'Info', reason: reasons.reconciling, message: 'The new identity is not in Azure yet' };
}

/** The record for machines: the newest identity that is in Azure. */
export function knownIdentity({ metadata, spec }: ManagedSecretObject, { usable }: IdentityState): KnownSecret {
  return {
    uid: metadata.uid ?? '',
    kind: spec.kind,
    number: usable?.number,
    copies: new Map(),
    ...(usable && { identity: usable.identity }),
  };
}
