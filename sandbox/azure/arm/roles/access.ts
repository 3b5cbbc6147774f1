import type { Exchange } from '../../exchange.ts';
import { at, stringOf } from '../../json.ts';
import type { SandboxState } from '../../state.ts';
import type { ResourcePath } from '../resources/resource-path.ts';
import { roleDefinitionById } from './role-definitions.ts';

/** Whether role assignments at the scope or above give the principal the right. Names are case-insensitive. */
export function isAllowed(
  state: SandboxState,
  principalId: string,
  right: string,
  scope: string,
  plane: 'actions' | 'dataActions' = 'actions',
): boolean {
  const target = scope.toLowerCase();
  return state.resources.ofType('Microsoft.Authorization/roleAssignments').some((assignment) => {
    if (stringOf(at(assignment.body, 'properties.principalId')).toLowerCase() !== principalId.toLowerCase())
      return false;
    const at_ = stringOf(at(assignment.body, 'properties.scope')).toLowerCase();
    if (at_ !== '/' && target !== at_ && !target.startsWith(`${at_}/`)) return false;
    const roleId = stringOf(at(assignment.body, 'properties.roleDefinitionId')).split('/').at(-1) ?? '';
    const role = roleDefinitionById(roleId, state);
    if (!role) return false;
    if (plane === 'dataActions') return (role.dataActions ?? []).some((pattern) => fits(pattern, right));
    return (
      role.actions.some((pattern) => fits(pattern, right)) &&
      !(role.notActions ?? []).some((pattern) => fits(pattern, right))
    );
  });
}

function fits(pattern: string, right: string): boolean {
  // Azure's own roles write `userAssignedIdentities/*/assign/action` for `userAssignedIdentities/assign/action`.
  const expression = pattern
    .split('/*/')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*'))
    .join('(?:/.*)?/');
  return new RegExp(`^${expression}$`, 'i').test(right);
}

/** Queries, which show what the caller may read, and built-in roles, which need no role as long as it asks the tenant. */
export function isOpenToAll({ method }: Exchange, { id, namespace, scope, tail }: ResourcePath): boolean {
  const [, , , type] = id.split('/');
  const named = `${namespace}/${type ?? tail}`.toLowerCase();
  if (named === 'microsoft.resourcegraph/resources') return true;
  return method === 'GET' && scope === '' && named === 'microsoft.authorization/roledefinitions';
}
