import { availabilityProblem, grantAnnotation, grantReadable } from '../../api/pod-identity/availability.ts';
import { type AzureIdentitySpec, identityType } from '../../api/pod-identity/azure-identity.ts';
import type { AzureIdentityBindingSpec } from '../../api/pod-identity/azure-identity-binding.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { Binding } from '../objects.ts';

/** Why an object cannot be used: a word for programs and a sentence that says how to fix it. */
export interface Problem {
  readonly reason: string;
  readonly message: string;
}

const example =
  '/subscriptions/<subscription>/resourceGroups/<group>/providers/Microsoft.ManagedIdentity/userAssignedIdentities/<name>';

/** Whether the text is the ARM id of a user-assigned identity, whole and in any case. */
export function isIdentityId(id: string): boolean {
  const parsed = tryParseResourceId(id);
  return (
    parsed?.type.toLowerCase() === 'microsoft.managedidentity/userassignedidentities' &&
    parsed.scope === undefined &&
    [parsed.subscriptionId, parsed.resourceGroup, parsed.name].every((part) => /^[\p{L}\p{N}_.()-]+$/u.test(part ?? ''))
  );
}

/** What keeps an AzureIdentity from being given to pods; undefined when nothing does. */
export function identityProblem(spec: AzureIdentitySpec = {}): Problem | undefined {
  const type = spec.type ?? identityType.userAssigned;
  const known: readonly number[] = Object.values(identityType);
  if (!known.includes(type)) {
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

/** The Secret of an identity of type 1 or 2; undefined for other types, and where it is not named in full. */
export function secretOf({
  type,
  clientPassword,
}: AzureIdentitySpec = {}): { namespace: string; name: string } | undefined {
  if (type !== identityType.servicePrincipal && type !== identityType.servicePrincipalCertificate) return undefined;
  const { name, namespace } = clientPassword ?? {};
  return name && namespace ? { name, namespace } : undefined;
}

/**
 * What will keep an assigned identity of types 1 to 3 from giving tokens: members that are missing. Such an identity is
 * assigned all the same, as in AAD Pod Identity; the node daemon refuses the request.
 */
export function credentialProblem(spec: AzureIdentitySpec = {}): Problem | undefined {
  const type = spec.type ?? identityType.userAssigned;
  if (type === identityType.userAssigned) return undefined;
  const missing: string[] = (['clientID', 'tenantID'] as const).filter((member) => !spec[member]?.trim());
  if (type !== identityType.workloadFederation && !secretOf(spec)) {
    missing.push('clientPassword.name', 'clientPassword.namespace');
  }
  if (missing.length === 0) return undefined;
  const members = missing.map((member) => `spec.${member}`).join(', ');
  return { reason: 'MissingField', message: `an identity of type ${type} gives no token without ${members}` };
}

/** What keeps a binding from giving its identity to pods, apart from the identity itself. */
export function bindingProblem(spec: AzureIdentityBindingSpec = {}): Problem | undefined {
  const missing = (['azureIdentity', 'selector'] as const).filter((member) => !spec[member]);
  if (missing.length === 0) return undefined;
  return {
    reason: 'MissingField',
    message: `a binding needs ${missing.map((member) => `spec.${member}`).join(' and ')}; it selects no pod without`,
  };
}

/**
 * What keeps a binding from being open when it seems to say so. Its pods are assigned the identity all the same; the node
 * daemon keeps the binding closed.
 */
export function openingProblem(binding: Binding): Problem | undefined {
  const { availability } = binding.spec ?? {};
  const problem = availability && availabilityProblem(availability);
  if (problem) return { reason: 'InvalidAvailability', message: `spec.availability: ${problem}` };
  if (grantReadable(binding)) return undefined;
  const message = `the annotation ${grantAnnotation} opens nothing: it is no RFC 3339 time such as 2026-11-20T18:00:00Z`;
  return { reason: 'InvalidGrant', message };
}
