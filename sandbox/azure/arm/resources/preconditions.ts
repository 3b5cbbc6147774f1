import { type Refusal, refuse } from '../../exchange.ts';
import { at, type Json, stringOf } from '../../json.ts';
import { notFound } from '../arm-errors.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Operations } from '../operations.ts';
import { refuseInUse } from '../refusals/in-use.ts';
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

/** A PUT deletes the embedded children that it does not name. Azure refuses it while one of them is in use. */
export function requireDroppedUnused(store: ResourceStore, existing: StoredResource, request: Json): void {
  for (const { member, childType } of store.behaviourOf(existing.type).embeds ?? []) {
    const items = at(request['properties'], member) ?? [];
    const names = new Set((Array.isArray(items) ? items : []).map((item) => stringOf(at(item, 'name')).toLowerCase()));
    for (const { id, name } of store.list(`${existing.type}/${childType}`, existing.id)) {
      const child = names.has(stringOf(name).toLowerCase()) ? undefined : store.find(stringOf(id));
      if (child) refuseInUse(child, store.context().state.resources);
    }
  }
}

/** The 404 of a resource, in the words of its provider. */
export function missing(path: ResourcePath, behaviour: Behaviour): Refusal {
  if (path.type === groupType) return notFound.group(path.name);
  return behaviour.notFound?.(path) ?? notFound.resource(path);
}
