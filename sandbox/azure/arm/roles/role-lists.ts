import { type Exchange, type Reply, refuse } from '../../exchange.ts';
import { at, stringOf } from '../../json.ts';
import type { BehaviourContext } from '../behaviour.ts';
import { page } from '../paging.ts';
import type { ResourcePath } from '../resources/resource-path.ts';
import type { ResourceStore } from '../resources/resource-store.ts';
import { builtInRoles, roleDefinitionView } from './role-definitions.ts';

/** Lists of role definitions and assignments at a scope, and built-in definitions; undefined for any other path. */
export function roleLists(
  exchange: Exchange,
  path: ResourcePath,
  context: BehaviourContext,
  store: ResourceStore,
): Reply | undefined {
  if (exchange.method !== 'GET' || path.namespace?.toLowerCase() !== 'microsoft.authorization') return undefined;
  const filter = exchange.query.get('$filter') ?? '';
  if (path.tail?.toLowerCase() === 'roledefinitions') {
    const name = /roleName eq '([^']+)'/i.exec(filter)?.[1];
    const roles = builtInRoles.filter((role) => !name || role.roleName === name);
    return page(
      exchange,
      roles.map((role) => roleDefinitionView(role, path.scope)),
      context.settings.pageSize,
    );
  }
  if (path.types[0]?.toLowerCase() === 'roledefinitions' && path.tail === undefined) {
    const role = builtInRoles.find(({ id }) => id === path.name.toLowerCase());
    return role && { status: 200, body: roleDefinitionView(role, path.scope) };
  }
  if (path.tail?.toLowerCase() !== 'roleassignments') return undefined;
  const principal = /principalId eq '([^']+)'/i.exec(filter)?.[1] ?? /assignedTo\('([^']+)'\)/i.exec(filter)?.[1];
  const only = /atScope\(\)/i.test(filter);
  if (filter && !principal && !only) {
    throw refuse(
      400,
      'UnsupportedQuery',
      `The filter '${filter}' is not supported. Supported filters are atScope(), principalId eq '{value}' and assignedTo('{value}').`,
    );
  }
  const here = path.scope.toLowerCase();
  const found = context.state.resources.ofType('Microsoft.Authorization/roleAssignments').filter((resource) => {
    const scope = stringOf(at(resource.body, 'properties.scope')).toLowerCase();
    const above = scope === '/' || here === scope || here.startsWith(`${scope}/`);
    const below = scope.startsWith(`${here}/`);
    if (!(above || (below && !only))) return false;
    return (
      !principal || stringOf(at(resource.body, 'properties.principalId')).toLowerCase() === principal.toLowerCase()
    );
  });
  return page(
    exchange,
    found.map((resource) => store.view(resource)),
    context.settings.pageSize,
  );
}
