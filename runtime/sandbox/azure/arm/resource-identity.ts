import { refuse } from '../exchange.ts';
import { type Json, objectOf, stringOf } from '../json.ts';
import type { WriteContext } from './behaviour.ts';

/**
 * The `identity` member as Azure completes it: ids of the system-assigned identity, and of each user-assigned one.
 * Refuses identities that do not exist.
 */
export function completeIdentity(context: WriteContext): Json {
  const sent = context.request['identity'];
  if (sent === undefined) return {};
  const { type, userAssignedIdentities } = objectOf(sent);
  const words = stringOf(type)
    .split(',')
    .map((word) => word.trim().toLowerCase());
  const { system, ids, tenantId, directory } = context;
  const own: Json = {};
  if (words.includes('systemassigned')) {
    system['principalId'] ??= ids.uuid();
    Object.assign(own, { principalId: system['principalId'], tenantId });
  }
  if (!words.includes('userassigned')) return { identity: own };
  const assigned = Object.keys(objectOf(userAssignedIdentities)).map((id) => {
    const principal = directory.byResourceId(id);
    if (!principal) {
      throw refuse(
        400,
        'FailedIdentityOperation',
        `Identity operation for resource '${context.path.id}' failed with error 'Failed to perform resource identity operation. Status: 'BadRequest'. Response: the identity '${id}' was not found.'.`,
      );
    }
    return [id, { principalId: principal.objectId, clientId: principal.clientId }] as const;
  });
  return { identity: { ...own, userAssignedIdentities: Object.fromEntries(assigned) } };
}
