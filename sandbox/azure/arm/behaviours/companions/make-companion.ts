import type { Json } from '../../../json.ts';
import type { BehaviourContext } from '../../behaviour.ts';
import { tryParsePath } from '../../resources/resource-path.ts';

/**
 * Stores a resource that the provider makes beside the one of a request. One that is there stays, and none is made below
 * an id of the request that names nothing.
 */
export function makeCompanion(id: string, body: Json, { state, now }: BehaviourContext): void {
  const path = tryParsePath(id.split('/').filter(Boolean));
  if (!path || state.resources.get(id) || !state.resources.get(path.parentId ?? '')) return;
  const { name, type, subscriptionId = '', resourceGroup } = path;
  const group = resourceGroup ? { resourceGroup } : {};
  const times = { createdAt: now, changedAt: now };
  state.resources.set({ id, name, type, subscriptionId, ...group, body, system: {}, ...times });
}
