/** An AzureIdentity that takes its ids from a UserAssignedIdentity object of its namespace (`spec.identityRef`). */
import type { ServedResource } from '../types.ts';
import { type AzureIdentitySpec, identityType } from './azure-identity.ts';

/** UserAssignedIdentities under their stored version. Without the catalogue, which node daemons do not load. */
export const userAssignedIdentitiesType: ServedResource = {
  group: 'managedidentity.azure.com',
  version: 'v1api20230131',
  plural: 'userassignedidentities',
  kind: 'UserAssignedIdentity',
  namespaced: true,
};

/** The members of a UserAssignedIdentity that an AzureIdentity takes its ids from. */
export interface ReferencedIdentity {
  readonly status?: {
    readonly id?: string;
    readonly clientId?: string;
    readonly tenantId?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  };
}

/** Why an AzureIdentity has no ids yet: a reason for programs, and a message with the fix. */
export interface UnresolvedReference {
  readonly reason: 'ReferencedIdentityNotFound' | 'ReferencedIdentityNotReady' | 'UnsupportedReference';
  readonly message: string;
}

/** An AzureIdentity with the ids of its reference. */
export interface Resolvable {
  readonly metadata: { readonly namespace?: string | undefined };
  readonly spec?: AzureIdentitySpec;
  /** Not stored: set by `resolveIdentity` where the reference gives no ids. */
  readonly unresolved?: UnresolvedReference;
}

/** The UserAssignedIdentity that an AzureIdentity names, in its own namespace only. */
export function referenceOf({ metadata, spec }: Resolvable): { namespace: string; name: string } | undefined {
  const name = spec?.identityRef?.name;
  return name ? { namespace: metadata.namespace ?? '', name } : undefined;
}

/**
 * The AzureIdentity with `resourceID`, `clientID` and `tenantID` of the UserAssignedIdentity, or with `unresolved`. Ids in
 * its own spec stay, except `resourceID`: a program that checks the pair finds a client id that does not fit.
 */
export function resolveIdentity<I extends Resolvable>(identity: I, referenced: ReferencedIdentity | undefined): I {
  const { spec = {} } = identity;
  const name = spec.identityRef?.name ?? '';
  const fail = (reason: UnresolvedReference['reason'], message: string): I => ({
    ...identity,
    spec: { ...spec, resourceID: '' },
    unresolved: { reason, message },
  });
  const type = spec.type ?? identityType.userAssigned;
  if (type !== identityType.userAssigned && type !== identityType.workloadFederation) {
    return fail(
      'UnsupportedReference',
      `spec.identityRef goes with the types 0 and 3, and spec.type is ${type}; remove one of them`,
    );
  }
  if (!referenced) {
    return fail(
      'ReferencedIdentityNotFound',
      `there is no UserAssignedIdentity ${name} in the namespace ${identity.metadata.namespace ?? ''}; create it here, or correct spec.identityRef`,
    );
  }
  const { id = '', clientId = '', tenantId = '', conditions = [] } = referenced.status ?? {};
  if (id === '' || clientId === '') {
    const ready = conditions.find((each) => each.type === 'Ready');
    const state = ready ? ` (Ready is ${ready.status}${ready.reason ? `: ${ready.reason}` : ''})` : '';
    return fail(
      'ReferencedIdentityNotReady',
      `waits for the UserAssignedIdentity ${name}, which has no ids in its status yet${state}; see its conditions`,
    );
  }
  const ids = { resourceID: id, clientID: spec.clientID || clientId, tenantID: spec.tenantID || tenantId };
  return { ...identity, spec: { ...spec, ...ids } };
}
