import { type Refusal, refuse } from '../../exchange.ts';
import { at, stringOf } from '../../json.ts';
import { notFound } from '../arm-errors.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Operations } from '../operations.ts';
import { busy, locations, normalLocation } from '../write-checks.ts';
import { groupIdOf, groupType, parsePath, type ResourcePath } from './resource-path.ts';
import type { ResourceStore } from './resource-store.ts';
import type { StoredResource } from './stored-resources.ts';

/** The resource group and the parent must be there and must not be going away. */
export function requireParents(store: ResourceStore, operations: Operations, path: ResourcePath, verb: string): void {
  if (path.resourceGroup && path.type !== groupType) {
    const group = store.find(groupIdOf(path));
    if (!group) throw notFound.group(path.resourceGroup);
    const going = group.operationId && operations.find(group.operationId)?.kind === 'delete';
    if (going && verb === 'write') {
      throw refuse(
        409,
        'ResourceGroupBeingDeleted',
        `The resource group '${path.resourceGroup}' is in deprovisioning state and cannot perform this operation.`,
      );
    }
  }
  if (/\/providers\//i.test(path.scope) && !store.find(path.scope)) {
    const scope = parsePath(path.scope);
    if (!isRegion(scope)) throw notFound.resource(scope);
  }
  if (!path.parentId) return;
  const parent = parsePath(path.parentId);
  if (store.find(path.parentId)) return;
  if (parent.parentId && store.find(parent.parentId) && store.behaviourOf(parent.type).implicit?.(parent)) return;
  throw notFound.parent(path, verb);
}

/** A region of a provider, which quotas extend, is there without being made. */
const isRegion = ({ types, name }: ResourcePath) =>
  types.length === 1 && types[0]?.toLowerCase() === 'locations' && locations.includes(normalLocation(name));

/** Some take one write at a time, to themselves and to all that lies in them. */
export function requireRest(store: ResourceStore, path: ResourcePath): void {
  for (const id of [path.id, path.parentId ?? '']) {
    const resource = store.find(id);
    const behaviour = resource && store.behaviourOf(resource.type);
    if (!resource || behaviour?.busyWithChildren === undefined) continue;
    const own = resource.operationId !== undefined && id !== path.id;
    if (own || store.childAtWork(resource)) throw busy(behaviour, resource);
  }
}

/** No other resource may name one that is deleted, where its type says so. */
export function requireUnused(store: ResourceStore, { id }: StoredResource, { usedBy }: Behaviour): void {
  if (!usedBy) return;
  const users = store.context().state.resources.ofType(usedBy.type);
  const user = users.find(({ body }) => stringOf(at(body, usedBy.member)).toLowerCase() === id.toLowerCase());
  if (user) throw usedBy.refuse(parsePath(id), user.id);
}

/** The 404 of a resource, in the words of its provider. */
export function missing(path: ResourcePath, behaviour: Behaviour): Refusal {
  if (path.type === groupType) return notFound.group(path.name);
  return behaviour.notFound?.(path) ?? notFound.resource(path);
}
