/** The parts of an ARM path. `id` keeps the case of the request; keys of the state are its lower case. */
export interface ResourcePath {
  readonly id: string;
  readonly subscriptionId?: string;
  readonly resourceGroup?: string;
  /** Id before the last `providers`; '' for the tenant. */
  readonly scope: string;
  readonly namespace?: string;
  /** Type names after the namespace. */
  readonly types: readonly string[];
  readonly names: readonly string[];
  /** Microsoft.Storage/storageAccounts, as the request spells it. */
  readonly type: string;
  readonly name: string;
  /** Id of the resource this one is a child of. */
  readonly parentId?: string;
  /** A last segment without a pair: a collection or an action. */
  readonly tail?: string;
  /** Of an action with an argument in its path: `primary` of `regenerateAdminKey/primary`. */
  readonly argument?: string;
}

/** The ARM type of a resource group. */
export const groupType = 'Microsoft.Resources/resourceGroups';

/** Takes a path apart; undefined where it is no resource, collection or action. */
export function tryParsePath(segments: readonly string[]): ResourcePath | undefined {
  const word = (index: number) => segments[index]?.toLowerCase();
  let index = 0;
  let subscriptionId: string | undefined;
  let resourceGroup: string | undefined;
  if (word(0) === 'subscriptions' && segments[1]) {
    subscriptionId = segments[1];
    index = 2;
    if (word(2) === 'resourcegroups' && segments[3]) {
      resourceGroup = segments[3];
      index = 4;
    }
  }
  const idOf = (end: number) => (end === 0 ? '' : `/${segments.slice(0, end).join('/')}`);
  const base = {
    ...(subscriptionId ? { subscriptionId } : {}),
    ...(resourceGroup ? { resourceGroup } : {}),
  };
  if (index === segments.length || (resourceGroup && index + 1 === segments.length && word(index) !== 'providers')) {
    if (!resourceGroup) return undefined;
    const tail = segments[index];
    return {
      ...base,
      id: idOf(index),
      scope: idOf(2),
      types: [],
      names: [],
      type: groupType,
      name: resourceGroup,
      ...(tail ? { tail } : {}),
    };
  }
  let start = index;
  for (let at = index; at < segments.length; at += 1)
    if (word(at) === 'providers' && (at - index) % 2 === 0) start = at;
  if (word(start) !== 'providers' || !segments[start + 1]) return undefined;
  const namespace = segments[start + 1] as string;
  const rest = segments.slice(start + 2);
  const pairs = Math.floor(rest.length / 2);
  const types = rest.filter((_, at) => at % 2 === 0 && at < pairs * 2);
  const names = rest.filter((_, at) => at % 2 === 1);
  const end = start + 2 + pairs * 2;
  const tail = rest.length % 2 === 1 ? rest.at(-1) : undefined;
  return {
    ...base,
    id: idOf(end),
    scope: idOf(start),
    namespace,
    types,
    names,
    type: [namespace, ...types].join('/'),
    name: names.at(-1) ?? '',
    ...(pairs > 1 ? { parentId: idOf(end - 2) } : {}),
    ...(tail ? { tail } : {}),
  };
}

/** The resource id of the group that contains a resource. */
export const groupIdOf = (path: { subscriptionId?: string; resourceGroup?: string }) =>
  `/subscriptions/${path.subscriptionId}/resourceGroups/${path.resourceGroup}`;

/** The path of an ARM id that is known to name a resource, such as that of a stored one. */
export function parsePath(id: string): ResourcePath {
  return tryParsePath(id.split('/').filter(Boolean)) as ResourcePath;
}
