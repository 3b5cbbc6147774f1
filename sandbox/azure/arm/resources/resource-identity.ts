import { isObject } from '../../../../runtime/base/json.ts';
import { refuse } from '../../exchange.ts';
import { at, type Json, objectOf, stringOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import type { WriteContext } from '../behaviour.ts';
import { isAllowed } from '../roles/access.ts';

/** Most identities that one request may add. */
const mostAtATime = 150;

/**
 * A request as Azure keeps its `identity`: ids compare without regard to case, null removes one however it is spelled,
 * and a type without user-assigned identities drops them. `merged` is the request over the former content, `sent` as it
 * came.
 */
export function normalizeIdentity(merged: Json, sent: Json, context: Omit<WriteContext, 'request'>): Json {
  if (!isObject(merged['identity'])) return merged;
  const { type, userAssignedIdentities: ids, ...rest } = merged['identity'];
  const words = wordsOf(type);
  if (!words.every((word) => ['none', 'systemassigned', 'userassigned'].includes(word))) {
    throw refuse(400, 'InvalidParameter', `The value '${stringOf(type)}' of parameter 'identity.type' is not allowed.`);
  }
  if (!words.includes('userassigned')) {
    const given = Object.values(objectOf(at(sent, 'identity.userAssignedIdentities')));
    if (given.some((value) => value !== null)) {
      const message = `ResourceIdentity identityIds should not be provided if the type is "${stringOf(type)}".`;
      throw refuse(400, 'InvalidParameter', message);
    }
    return { ...merged, identity: { ...rest, type } };
  }
  const before = Object.keys(objectOf(at(context.existing?.system['request'], 'identity.userAssignedIdentities')));
  const changes = objectOf(at(sent, 'identity.userAssignedIdentities'));
  const removed = new Set(Object.keys(changes).flatMap((id) => (changes[id] === null ? [id.toLowerCase()] : [])));
  const kept = new Map<string, string>();
  for (const id of [...before, ...Object.keys(objectOf(ids))]) {
    const stays = before.includes(id) ? id in objectOf(ids) : true;
    if (stays && !removed.has(id.toLowerCase()) && !kept.has(id.toLowerCase())) kept.set(id.toLowerCase(), id);
  }
  if (kept.size === 0) {
    throw refuse(
      400,
      'InvalidParameter',
      `The identity type '${stringOf(type)}' needs at least one user-assigned identity.`,
    );
  }
  const known = new Set(before.map((id) => id.toLowerCase()));
  checkAdded(
    [...kept.values()].filter((id) => !known.has(id.toLowerCase())),
    context,
  );
  const userAssignedIdentities = Object.fromEntries([...kept.values()].map((id) => [id, {}]));
  return { ...merged, identity: { ...rest, type, userAssignedIdentities } };
}

function checkAdded(added: readonly string[], { state, caller, settings, path }: Omit<WriteContext, 'request'>): void {
  if (added.length > mostAtATime) {
    throw refuse(400, 'InvalidParameter', `A request may add at most ${mostAtATime} identities, got ${added.length}.`);
  }
  const action = 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action';
  const denied = settings.enforceRbac ? added.filter((id) => !isAllowed(state, caller.objectId, action, id)) : [];
  if (denied.length === 0) return;
  throw refuse(
    403,
    'LinkedAuthorizationFailed',
    `The client '${caller.clientId}' with object id '${caller.objectId}' has permission to perform action 'write' on scope '${path.id}'; however, it does not have permission to perform action '${action}' on the linked scope(s) '${denied.join(',')}' or the linked scope(s) are invalid.`,
  );
}

function wordsOf(type: unknown): string[] {
  return stringOf(type)
    .split(',')
    .map((word) => word.trim().toLowerCase());
}

/** The entry of an identity that is deleted, or was deleted and created again. Source: AAD Pod Identity. */
const entryOfDeleted = { principalId: null, clientId: null } as const;

/** Empties the entries of a deleted identity on all resources. They stay until a request removes them. */
export function emptyEntries({ resources }: SandboxState, identity: string): void {
  for (const { body } of resources) {
    const entries = objectOf(at(body, 'identity.userAssignedIdentities'));
    for (const id of Object.keys(entries)) {
      if (id.toLowerCase() === identity.toLowerCase()) entries[id] = { ...entryOfDeleted };
    }
  }
}

/**
 * The `identity` member as Azure completes it: ids of the system-assigned identity, and of each user-assigned one.
 * Refuses identities that do not exist. A write that keeps an empty entry does not fill it.
 */
export function completeIdentity(context: WriteContext): Json {
  const sent = context.request['identity'];
  if (sent === undefined) return {};
  const { type, userAssignedIdentities } = objectOf(sent);
  const words = wordsOf(type);
  const { system, ids, tenantId, directory } = context;
  const own: Json = {};
  if (words.includes('systemassigned')) {
    system['principalId'] ??= ids.uuid();
    system['identityClientId'] ??= ids.uuid();
    Object.assign(own, { principalId: system['principalId'], tenantId });
  }
  if (!words.includes('userassigned')) return { identity: own };
  const before = objectOf(at(context.existing?.body, 'identity.userAssignedIdentities'));
  const isEmpty = (id: string) => id in before && at(before[id], 'clientId') === null;
  const assigned = Object.keys(objectOf(userAssignedIdentities)).map((id) => {
    const principal = directory.byResourceId(id);
    if (!principal) {
      throw refuse(
        400,
        'FailedIdentityOperation',
        `Identity operation for resource '${context.path.id}' failed with error 'Failed to perform resource identity operation. Status: 'BadRequest'. Response: the identity '${id}' was not found.'.`,
      );
    }
    if (isEmpty(id)) return [id, { ...entryOfDeleted }] as const;
    return [id, { principalId: principal.objectId, clientId: principal.clientId }] as const;
  });
  return { identity: { ...own, userAssignedIdentities: Object.fromEntries(assigned) } };
}
