import type { AttachedIdentities, DeliveryMemory } from './delivery-memory.ts';

/** Milliseconds that the identity before stays attached after every instance has the new one. */
export const identityOverlapMs = 3_600_000;

/**
 * The identities that stay attached beside the current one, so that a renewal attaches the new one before the old one
 * goes. A process that starts again does not know them: its next PUT leaves them out.
 */
export function earlierIdentities(
  memory: DeliveryMemory,
  name: string,
  current: AttachedIdentities['current'],
  now: number,
): ReadonlyMap<string, number> {
  const recorded = memory.identities.get(name) ?? { current, before: new Map<string, number>() };
  memory.identities.set(name, recorded);
  if (memory.dropIdentitiesAt !== undefined && now >= memory.dropIdentitiesAt) {
    for (const each of memory.identities.values()) each.before.clear();
    memory.dropIdentitiesAt = undefined;
  }
  if (recorded.current.id.toLowerCase() !== current.id.toLowerCase()) {
    recorded.before.set(recorded.current.id, recorded.current.number);
    recorded.before.delete(current.id);
    recorded.current = current;
    memory.dropIdentitiesAt = undefined;
  }
  return recorded.before;
}

/** Records the end of a delivery. Returns milliseconds until earlier identities are detached; undefined without any. */
export function detachLater(memory: DeliveryMemory, now: number): number | undefined {
  const has = [...memory.identities.values()].some(({ before }) => before.size > 0);
  if (!has) return undefined;
  memory.dropIdentitiesAt ??= now + identityOverlapMs;
  return Math.max(1000, memory.dropIdentitiesAt - now);
}
