import { refuse } from '../../exchange.ts';
import { at, stringOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import type { ResourcePath } from '../resources/resource-path.ts';

/** The ARM type of locks. */
export const lockType = 'Microsoft.Authorization/locks';

/**
 * Throws ARM's refusal of a request that a lock forbids: a delete for any lock at the resource, above or below it; a write
 * and an action for a read-only lock at the resource or above it.
 */
export function checkLocks(method: string, path: ResourcePath, { resources }: SandboxState): void {
  if (method === 'GET' || method === 'HEAD' || path.type.toLowerCase() === lockType.toLowerCase()) return;
  const id = path.id.toLowerCase();
  const removal = method === 'DELETE';
  const locked = resources.ofType(lockType).filter((lock) => {
    const scope = scopeOfLock(lock.id).toLowerCase();
    const readOnly = stringOf(at(lock.body, 'properties.level')).toLowerCase() === 'readonly';
    if (!removal && !readOnly) return false;
    return isWithin(id, scope) || (removal && isWithin(scope, id));
  });
  const [first] = locked;
  if (!first) return;
  const verb = removal ? 'delete' : 'write';
  const scopes = [...new Set(locked.map((lock) => scopeOfLock(lock.id)))].join(',');
  throw refuse(
    409,
    'ScopeLocked',
    `The scope '${path.id}' cannot perform ${verb} operation because following scope(s) are locked: '${scopes}'. Please remove the lock and try again.`,
  );
}

const scopeOfLock = (id: string) => id.slice(0, id.toLowerCase().lastIndexOf('/providers/'));

/** Whether an id is a scope or lies below it. Both are in lower case. */
export const isWithin = (id: string, scope: string) => id === scope || id.startsWith(`${scope}/`);
