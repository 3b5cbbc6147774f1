import { availabilityProblem, grantAnnotation, grantReadable } from '../../api/pod-identity/availability.ts';
import { type AzureIdentitySpec, identityType } from '../../api/pod-identity/azure-identity.ts';
import type { AzureIdentityBindingSpec } from '../../api/pod-identity/azure-identity-binding.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { type FurtherAuthorities, identityAuthority } from '../../azure/identity/authorities.ts';
import { credentialFieldProblem } from '../../azure/identity/identity-fields.ts';
import { messageOf } from '../../base/errors.ts';
import type { Binding } from '../objects.ts';
import type { ReadyReason } from './ready-reasons.ts';

/** Why an object cannot be used: a reason for programs, and a message with the fix. */
export interface Problem {
  readonly reason: ReadyReason;
  readonly message: string;
}

const example =
  '/subscriptions/<subscription>/resourceGroups/<group>/providers/Microsoft.ManagedIdentity/userAssignedIdentities/<name>';

/** Whether the text is the full ARM id of a user-assigned identity, in any letter case. */
export function isIdentityId(id: string): boolean {
  const parsed = tryParseResourceId(id);
  return (
    parsed?.type.toLowerCase() === 'microsoft.managedidentity/userassignedidentities' &&
    parsed.scope === undefined &&
    [parsed.subscriptionId, parsed.resourceGroup, parsed.name].every((part) => /^[\p{L}\p{N}_.()-]+$/u.test(part ?? ''))
  );
}

/** Why pods cannot have an AzureIdentity; undefined where they can. */
export function identityProblem(spec: AzureIdentitySpec = {}): Problem | undefined {
  const type = spec.type ?? identityType.userAssigned;
  const validTypes: readonly number[] = Object.values(identityType);
  if (!validTypes.includes(type)) {
    return {
      reason: 'UnsupportedType',
      message: `spec.type is ${type}; set 0 (user-assigned identity), 1 (client secret), 2 (client certificate) or 3 (workload federation)`,
    };
  }
  if (type === identityType.userAssigned) {
    const { resourceID = '' } = spec;
    if (isIdentityId(resourceID)) return undefined;
    return {
      reason: 'InvalidResourceID',
      message: `spec.resourceID is ${JSON.stringify(resourceID)}; set it to ${example}`,
    };
  }
  return undefined;
}

/**
 * Why an identity of types 1 to 3 has no tokens: missing members, or an authority that secrets may not go to. The
 * controller assigns such an identity, as AAD Pod Identity does; the node daemon refuses its token requests.
 */
export function credentialProblem(
  spec: AzureIdentitySpec = {},
  authorities: FurtherAuthorities = {},
): Problem | undefined {
  if ((spec.type ?? identityType.userAssigned) === identityType.userAssigned) return undefined;
  return credentialFieldProblem(spec) ?? authorityProblem(spec, authorities);
}

function authorityProblem({ adEndpoint }: AzureIdentitySpec, authorities: FurtherAuthorities): Problem | undefined {
  try {
    identityAuthority(adEndpoint, authorities);
    return undefined;
  } catch (error) {
    return { reason: 'AuthorityNotAllowed', message: messageOf(error) };
  }
}

/** Why a binding assigns its identity to no pod, apart from the identity itself. */
export function bindingProblem(spec: AzureIdentityBindingSpec = {}): Problem | undefined {
  const missing = (['azureIdentity', 'selector'] as const).filter((member) => !spec[member]);
  if (missing.length === 0) return undefined;
  return {
    reason: 'MissingField',
    message: `a binding needs ${missing.map((member) => `spec.${member}`).join(' and ')}; it selects no pod without`,
  };
}

/**
 * Why the availability of a binding is invalid. The controller assigns the identity to its pods; the node daemon
 * treats the binding as closed.
 */
export function windowProblem(binding: Binding): Problem | undefined {
  const { availability } = binding.spec ?? {};
  const problem = availability && availabilityProblem(availability);
  if (problem) return { reason: 'InvalidAvailability', message: `spec.availability: ${problem}` };
  if (grantReadable(binding)) return undefined;
  const message = `the annotation ${grantAnnotation} grants nothing: it is no RFC 3339 time such as 2026-11-20T18:00:00Z`;
  return { reason: 'InvalidGrant', message };
}
