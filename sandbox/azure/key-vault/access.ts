import { isObject } from '../../../runtime/base/json.ts';
import type { StoredResource } from '../arm/resources/stored-resources.ts';
import { isAllowed } from '../arm/roles/access.ts';
import { refuse } from '../exchange.ts';
import { at, objectOf, stringOf } from '../json.ts';
import type { SandboxState } from '../state.ts';
import { type Permission, singular } from './vault-request.ts';

/** The caller of a vault, from its token. */
export interface VaultCaller {
  readonly clientId: string;
  readonly objectId: string;
  readonly issuer: string;
}

/** Data actions that roles name otherwise than access policies name rights. */
const dataActions: Readonly<Record<string, string>> = {
  'secrets/get': 'secrets/getSecret/action',
  'secrets/list': 'secrets/readMetadata/action',
  'secrets/set': 'secrets/setSecret/action',
  'secrets/delete': 'secrets/delete',
  'keys/get': 'keys/read',
  'keys/list': 'keys/read',
  'keys/delete': 'keys/delete',
  'keys/wrapKey': 'keys/wrap/action',
  'keys/unwrapKey': 'keys/unwrap/action',
  'certificates/get': 'certificates/read',
  'certificates/list': 'certificates/read',
  'certificates/delete': 'certificates/delete',
};

/** Refuses with 403 unless role assignments (or, without RBAC, the vault's access policies) allow it. */
export function demandAccess(
  state: SandboxState,
  vault: StoredResource,
  caller: VaultCaller,
  { collection, right }: Permission,
  name: string | undefined,
): void {
  const properties = objectOf(vault.body['properties']);
  const who = `appid=${caller.clientId};oid=${caller.objectId};iss=${caller.issuer}`;
  const where = `${vault.name};location=${stringOf(vault.body['location'])}`;
  if (properties['enableRbacAuthorization'] === true) {
    const action = `Microsoft.KeyVault/vaults/${dataActions[`${collection}/${right}`] ?? `${collection}/${right}/action`}`;
    const scope = `${vault.id}${name ? `/${collection}/${name}` : ''}`;
    if (isAllowed(state, caller.objectId, action, scope, 'dataActions')) return;
    throw refuse(
      403,
      'Forbidden',
      `Caller is not authorized to perform action on resource.\r\nIf role assignments, deny assignments or role definitions were changed recently, please observe propagation time.\r\nCaller: ${who}\r\nAction: '${action}'\r\nResource: '${scope.toLowerCase()}'\r\nAssignment: (not found)\r\nDenyAssignmentId: null\r\nDecisionReason: null \r\nVault: ${where}\r\n`,
      { innererror: { code: 'ForbiddenByRbac' } },
    );
  }
  const policies = Array.isArray(properties['accessPolicies']) ? properties['accessPolicies'].filter(isObject) : [];
  const granted = policies.some((policy) => {
    if (stringOf(policy['objectId']).toLowerCase() !== caller.objectId.toLowerCase()) return false;
    const rights = at(policy, `permissions.${collection}`);
    return (
      Array.isArray(rights) && rights.some((one) => ['all', right.toLowerCase()].includes(String(one).toLowerCase()))
    );
  });
  if (granted) return;
  throw refuse(
    403,
    'Forbidden',
    `The user, group or application '${who}' does not have ${singular[collection]}s ${right} permission on key vault '${where}'. For help resolving this issue, please see https://go.microsoft.com/fwlink/?linkid=2125287`,
    { innererror: { code: 'AccessDenied' } },
  );
}
