import { refuse } from '../../exchange.ts';
import { at, stringOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import { isWithin } from '../governance/locks.ts';
import type { Caller } from '../resources/resource-engine.ts';
import type { ResourcePath } from '../resources/resource-path.ts';
import { isAtWork, stackRecordOf, stackType } from './stack-record.ts';

/**
 * Throws ARM's refusal of a request that the deny settings of a stack forbid: a delete of what it manages, and, with
 * denyWriteAndDelete, a write to it. A stack at work changes its resources itself.
 */
export function checkDenySettings(
  method: string,
  path: ResourcePath,
  caller: Caller,
  { resources }: SandboxState,
): void {
  const verb = { DELETE: 'delete', PUT: 'write', PATCH: 'write' }[method];
  if (verb === undefined || path.type.toLowerCase() === stackType.toLowerCase()) return;
  const id = path.id.toLowerCase();
  for (const stack of resources.ofType(stackType)) {
    const record = stackRecordOf(stack);
    const settings = record.shown['denySettings'];
    const mode = stringOf(at(settings, 'mode'));
    if (isAtWork(record) || mode === 'none' || (mode === 'denyDelete' && verb === 'write')) continue;
    const action = `${path.type}/${verb}`;
    if (listed(settings, 'excludedPrincipals', caller.objectId) || listed(settings, 'excludedActions', action))
      continue;
    const deep = at(settings, 'applyToChildScopes') === true;
    const managed = record.managed.map((each) => each.toLowerCase());
    if (!managed.some((each) => each === id || (deep && isWithin(id, each)))) continue;
    throw refuse(
      403,
      'DenyAssignmentAuthorizationFailed',
      `The client '${caller.clientId}' with object id '${caller.objectId}' has permission to perform action '${action}' on scope '${path.id}'; however, the access is denied because of the deny assignment with name 'Deny assignment created by Deployment Stack ${stack.id}' at scope '${path.id}'.`,
    );
  }
}

function listed(settings: unknown, member: string, word: string): boolean {
  const list = at(settings, member);
  return Array.isArray(list) && list.some((each) => stringOf(each).toLowerCase() === word.toLowerCase());
}
