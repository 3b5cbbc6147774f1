import { identityType } from '../../api/pod-identity/azure-identity.ts';
import { normalizeResourceId, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { Assigned } from '../objects.ts';

/**
 * A user-assigned identity that is, or may be, attached to a machine on behalf of an assignment. Ids are lower-case, so
 * that claims can be compared.
 */
export interface Claim {
  /** ARM id of the virtual machine or scale set. */
  readonly machine: string;
  /** ARM id of the identity. */
  readonly identity: string;
  /** Client id of the identity, for the list of those that are never detached. */
  readonly clientId: string;
}

/** Machine that the node of an assignment belongs to; kept here because the Node object may go first. */
export const machineAnnotation = 'azimuth.dev/machine';
/** JSON list of claims besides that of the spec: an identity about to be used, or one that is to be detached. */
export const claimsAnnotation = 'azimuth.dev/claims';

export function claimOf(machine: string, resourceId: string, clientId = ''): Claim {
  return {
    machine: normalizeResourceId(machine),
    identity: normalizeResourceId(resourceId),
    clientId: clientId.toLowerCase(),
  };
}

/** The claim of the spec: undefined for types that are not attached, and where no machine was ever known. */
export function ownClaim({ metadata, spec }: Assigned): Claim | undefined {
  const identity = spec?.azureIdentityRef?.spec;
  const machine = metadata.annotations?.[machineAnnotation];
  if (!machine || !identity?.resourceID || (identity.type ?? 0) !== identityType.userAssigned) return undefined;
  return claimOf(machine, identity.resourceID, identity.clientID);
}

/** Whether the object stands for an attached identity, known machine or not. */
export function isAttachable({ spec }: Assigned): boolean {
  const identity = spec?.azureIdentityRef?.spec;
  return Boolean(identity?.resourceID) && (identity?.type ?? 0) === identityType.userAssigned;
}

/** The claims of the annotation; what cannot be read as one is left out, since it may come from anybody. */
export function furtherClaims({ metadata }: Assigned): Claim[] {
  const text = metadata.annotations?.[claimsAnnotation];
  if (!text) return [];
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return [];
  }
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown): Claim[] => {
    const { machine, identity, clientId } = (item ?? {}) as Record<string, unknown>;
    if (typeof machine !== 'string' || typeof identity !== 'string') return [];
    if (!tryParseResourceId(machine) || !tryParseResourceId(identity)) return [];
    return [claimOf(machine, identity, typeof clientId === 'string' ? clientId : '')];
  });
}

export function allClaims(assigned: Assigned): Claim[] {
  const own = ownClaim(assigned);
  return own ? [own, ...furtherClaims(assigned)] : furtherClaims(assigned);
}

export function sameClaim(a: Claim | undefined, b: Claim | undefined): boolean {
  return a?.machine === b?.machine && a?.identity === b?.identity;
}

/** The annotation's value; null, which a merge patch takes as "remove", when there is nothing to keep. */
export function claimsText(claims: readonly Claim[]): string | null {
  return claims.length === 0 ? null : JSON.stringify(claims);
}
