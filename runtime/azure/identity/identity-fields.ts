import type { AzureIdentitySpec } from '../../api/pod-identity/azure-identity.ts';
import { identityType } from '../../api/pod-identity/azure-identity.ts';
import { expected } from '../../base/errors.ts';
import { tenantIdOf } from '../arm/resource-ids.ts';

/** Why no token can be requested with the fields of an AzureIdentity: a reason for conditions, and how to fix it. */
export interface FieldProblem {
  readonly reason: 'MissingField' | 'InvalidField';
  readonly message: string;
}

/** Most auxiliary tenants of an identity. */
const mostAuxiliaryTenants = 3;

/** The id of an application, which is part of keys in memory and of messages; throws AZ_CONFIG_INVALID for other texts. */
export function clientIdOf(text: string, what = 'client id'): string {
  if (/^[\w.-]{1,128}$/.test(text)) return text;
  throw expected(what, 'the id of an application: at most 128 letters, digits and dashes', text.slice(0, 100));
}

/** The Secret of an identity of type 1 or 2; undefined for other types, and where name or namespace is missing. */
export function secretOf({
  type,
  clientPassword,
}: AzureIdentitySpec = {}): { namespace: string; name: string } | undefined {
  if (type !== identityType.servicePrincipal && type !== identityType.servicePrincipalCertificate) return undefined;
  const { name, namespace } = clientPassword ?? {};
  return name && namespace ? { name, namespace } : undefined;
}

/**
 * The problem with the ids and the Secret of an identity of types 1 to 3, which the controller reports and for which the
 * node daemon refuses tokens. The texts of `spec` are normalised.
 */
export function credentialFieldProblem(spec: AzureIdentitySpec = {}): FieldProblem | undefined {
  const { type = identityType.userAssigned, clientID = '', tenantID = '' } = spec;
  if (type === identityType.userAssigned) return undefined;
  const missing = Object.entries({ clientID, tenantID }).flatMap(([member, value]) => (value === '' ? [member] : []));
  if (type !== identityType.workloadFederation && !secretOf(spec)) {
    missing.push('clientPassword.name', 'clientPassword.namespace');
  }
  if (missing.length > 0) {
    const members = missing.map((member) => `spec.${member}`).join(', ');
    return { reason: 'MissingField', message: `an identity of type ${type} needs ${members} for tokens; set them` };
  }
  const auxiliary = type === identityType.servicePrincipal ? (spec.auxiliaryTenantIDs ?? []) : [];
  if (auxiliary.length > mostAuxiliaryTenants) {
    return invalid(`must specify one to three auxiliary tenants, and spec.auxiliaryTenantIDs has ${auxiliary.length}`);
  }
  try {
    clientIdOf(clientID, 'spec.clientID');
    tenantIdOf(tenantID, 'spec.tenantID');
    for (const tenant of auxiliary) tenantIdOf(tenant, 'spec.auxiliaryTenantIDs');
    return undefined;
  } catch (error) {
    return invalid((error as Error).message);
  }
}

function invalid(message: string): FieldProblem {
  return { reason: 'InvalidField', message };
}
